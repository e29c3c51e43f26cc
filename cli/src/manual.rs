//! What the command line says about itself, for shells and for `man`.

use crate::Exit;
use crate::args::{Cli, ManArgs};
use crate::output::print;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::path::Path;

pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hornet", &mut script);
    print(&String::from_utf8_lossy(&script));
    Exit::Ok
}

pub fn pages(args: &ManArgs) -> Exit {
    let done = match &args.out {
        Some(folder) => write_all(folder).map_err(|e| format!("cannot write to `{}`: {e}", folder.display())),
        None => print_one(args.about.as_deref()),
    };
    match done {
        Ok(()) => Exit::Ok,
        Err(why) => {
            eprintln!("hornet: {why}");
            Exit::BadInput
        }
    }
}

/// Knows the full name of every command (`hornet verify`).
fn whole() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn print_one(about: Option<&str>) -> Result<(), String> {
    let whole = whole();
    let command = match about {
        None => &whole,
        Some(name) => whole.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = whole.get_subcommands().map(Command::get_name).collect();
            format!("there is no command `{name}`; there are {}", names.join(", "))
        })?,
    };
    print(&String::from_utf8_lossy(&page(command).map_err(|e| e.to_string())?));
    Ok(())
}

fn write_all(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let whole = whole();
    for command in std::iter::once(&whole).chain(whole.get_subcommands()) {
        std::fs::write(folder.join(man(command).get_filename()), page(command)?)?;
    }
    Ok(())
}

fn man(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("hornet ", env!("CARGO_PKG_VERSION")))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = man(command);
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    if let Some(examples) = command.get_after_help() {
        as_it_stands("EXAMPLES", &examples.to_string()).to_writer(&mut out)?;
    }
    Ok(out)
}

/// A section whose lines are not joined, as `render_extra_section` would have them.
fn as_it_stands(title: &str, text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]).control("nf", []);
    for line in text.lines().filter(|line| *line != "Examples:") {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}

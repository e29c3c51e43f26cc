//! `hornet solc`: takes the place of solc. The real compiler does what it is asked to; what verification finds stands
//! beside its own warnings. A build that compiles goes on compiling, unless somebody wants it to fail.

mod compiler;
mod excerpt;
mod findings;
mod request;
mod wishes;

use crate::args::{Cli, Command, VerifyArgs};
use crate::input::Input;
use crate::output::print;
use crate::verify;
use clap::Parser;
use compiler::RealCompiler;
use findings::Entry;
use request::Request;
use serde_json::Value;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;
use wishes::Wishes;

/// Names under which the binary is the plugin, with no further word.
const NAMES: [&str; 2] = ["solc", "hornet-solc"];

/// What solc answers when it cannot do its work.
const FAILED: u8 = 1;

/// Engines stop soon after the time is up; no build waits longer for them than this.
const GRACE: Duration = Duration::from_secs(3);

/// Whether the binary was started under the name of a compiler.
pub fn is_meant(program: Option<&OsString>) -> bool {
    let name = program.and_then(|path| Path::new(path).file_stem());
    name.is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

pub fn run(args: &[OsString]) -> ExitCode {
    let done = Wishes::of_environment().and_then(|wishes| compile(args, &wishes));
    done.unwrap_or_else(|why| {
        eprintln!("hornet solc: {why}");
        ExitCode::from(FAILED)
    })
}

fn compile(args: &[OsString], wishes: &Wishes) -> Result<ExitCode, String> {
    let real = RealCompiler::find()?;
    if args.iter().any(|arg| arg == "--version") {
        return real.tell_version(args);
    }
    if args.iter().any(|arg| arg == "--standard-json") {
        return standard_json(args, &real, wishes);
    }
    let files = request::solidity_files(args);
    let version = real.version_for(files.iter().filter_map(|f| std::fs::read_to_string(f).ok()))?;
    let code = real.pass_on(version, args)?;
    if code != 0 || files.is_empty() || wishes.time.is_zero() {
        return Ok(ExitCode::from(code));
    }
    let (entries, refused) = verified(request::load_files(&files, args)?, wishes);
    let texts: Vec<&str> = entries.iter().map(|entry| entry.formatted.as_str()).collect();
    // Nobody reading any more is not an error.
    let _ = std::io::stderr().write_all(texts.join("\n").as_bytes());
    Ok(ExitCode::from(if refused { FAILED } else { 0 }))
}

/// One request, one answer; errors in what was asked are the compiler's to tell.
fn standard_json(args: &[OsString], real: &RealCompiler, wishes: &Wishes) -> Result<ExitCode, String> {
    let request = Request::read(request_text(args)?)?;
    let version = real.version_for(request.sources().map(|(_, text)| text.to_owned()))?;
    let (mut answer, code) = real.answer(version, args, &request)?;
    let errors = answer.entry("errors").or_insert_with(|| Value::Array(Vec::new())).as_array_mut();
    let broken = |entries: &[Value]| entries.iter().any(|entry| entry["severity"] == "error");
    if code == 0
        && !wishes.time.is_zero()
        && request.is_solidity()
        && let Some(errors) = errors.filter(|errors| !broken(errors))
    {
        let (entries, _) = verified(request.load(), wishes);
        errors.extend(entries.iter().map(Entry::json));
    }
    print(&format!("{}\n", Value::Object(answer)));
    Ok(ExitCode::from(code))
}

/// From the file that the arguments name, or standard input.
fn request_text(args: &[OsString]) -> Result<String, String> {
    let after = args.iter().skip_while(|arg| *arg != "--standard-json").nth(1);
    let file = after.filter(|arg| *arg != "-" && !arg.to_string_lossy().starts_with('-'));
    match file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|e| format!("cannot read `{}`: {e}", Path::new(path).display())),
        None => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|e| format!("cannot read the request: {e}"))?;
            Ok(text)
        }
    }
}

/// What there is to say, and whether somebody wants the build to fail for it. Within the time, come what may.
fn verified(input: Input, wishes: &Wishes) -> (Vec<Entry>, bool) {
    let (tell, told) = channel();
    let thread = std::thread::Builder::new().stack_size(crate::STACK_BYTES);
    let (args, own) = (options(wishes), wishes.clone());
    let started = thread.spawn(move || {
        let found = verify::look_at(input, &args, |results| findings::entries(results, &own));
        let _ = tell.send(found.unwrap_or_else(|refusal| findings::refused(&refusal)));
    });
    let answer = started.ok().and_then(|_| told.recv_timeout(wishes.time + GRACE).ok());
    let entries = answer.unwrap_or_else(findings::out_of_time);
    let refused = entries.iter().any(|entry| entry.severity == findings::Severity::Error);
    (entries, refused)
}

/// As if `hornet verify` were asked.
fn options(wishes: &Wishes) -> VerifyArgs {
    let seconds = wishes.time.as_secs_f64().to_string();
    let line = ["hornet", "verify", "--total-timeout", &seconds, "--timeout", &seconds, "-"];
    match Cli::parse_from(line).command {
        Command::Verify(args) => *args,
        _ => unreachable!("that is what was written above"),
    }
}

//! Messages in the form that solc gives its own.

use crate::sources::SourceFiles;
use hornet_ir::span::Span;

/// `Warning: …`, the place, and the line with marks below it.
pub fn formatted(files: &SourceFiles<'_>, word: &str, message: &str, span: Option<Span>) -> String {
    let mut out = format!("{word}: {message}\n");
    let Some(span) = span else { return out };
    let shown = files.first_line(span);
    let place = files.position(shown);
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    out.push_str(&format!("{margin}--> {}:{}:{}:\n", files.file_name(span.file), place.line, place.column));
    if files.quotable(shown) {
        let line = files.text(span.file).lines().nth(place.line - 1).unwrap_or_default();
        // Tabs stay tabs, so that the marks stand below what they mark.
        let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
        let before: String = line.chars().take(place.column - 1).map(blank).collect();
        let marks = "^".repeat(files.quoted(shown).chars().count().max(1));
        out.push_str(&format!("{margin} |\n{number} | {line}\n{margin} | {before}{marks}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornet_ir::span::SourceMap;

    #[test]
    fn the_marks_stand_below_the_place() {
        let mut sources = SourceMap::default();
        let text = "contract C {\n\tfunction f() public { assert(false); }\n}\n";
        let file = sources.add("src/c.sol", text);
        let start = text.find("assert").unwrap();
        let files = SourceFiles::under_their_names(&sources);
        let span = Span::new(file, start, start + "assert(false)".len());
        assert_eq!(
            formatted(&files, "Warning", "assertion can fail", Some(span)),
            "Warning: assertion can fail\n --> src/c.sol:2:24:\n  |\n2 | \tfunction f() public { assert(false); }\n  | \t                      ^^^^^^^^^^^^^\n"
        );
        assert_eq!(formatted(&files, "Info", "nothing", None), "Info: nothing\n");
    }
}

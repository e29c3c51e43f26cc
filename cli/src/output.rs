//! Standard output.

use std::io::Write;

pub fn print(text: &str) {
    // Nobody reading any more is not an error.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

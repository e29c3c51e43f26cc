//! What happened, in words.

use super::machine::{Answer, End, Log};
use super::value::{Names, decode, hex, show_bytes};
use hornet_ir::U256;
use hornet_ir::hash::keccak_word;
use hornet_ir::ids::TypeId;
use hornet_ir::program::Program;
use hornet_ir::span::SourceMap;

pub struct Describer<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
}

impl Describer<'_> {
    /// One line: what was returned, or why it failed.
    pub fn outcome(&self, answer: &Answer, rets: &[TypeId], names: &Names) -> String {
        match &answer.end {
            End::Success => match answer.created {
                Some(address) => format!("deployed as {}", names.show(address)),
                None => self.returned(&answer.data, rets, names),
            },
            End::Revert => {
                let place = self.place(answer).map(|p| format!(" at {p}")).unwrap_or_default();
                format!("{}{place}", self.reverted(&answer.data))
            }
            End::Halt => "ran out of gas or hit an invalid instruction".to_owned(),
            End::Unsupported { what, span } => {
                let place = span.map(|s| format!(" at {}", crate::report::location(self.sources, s)));
                format!("unsupported: {what}{}", place.unwrap_or_default())
            }
        }
    }

    fn returned(&self, data: &[u8], rets: &[TypeId], names: &Names) -> String {
        if rets.is_empty() {
            return if data.is_empty() { "ok".to_owned() } else { show_bytes(data) };
        }
        match decode(self.program, rets, data, names) {
            Some(values) if values.len() == 1 => values.join(""),
            Some(values) => format!("({})", values.join(", ")),
            None => format!("0x{}", hex(data)),
        }
    }

    fn reverted(&self, payload: &[u8]) -> String {
        let Some((selector, rest)) = payload.split_first_chunk::<4>() else {
            return if payload.is_empty() {
                "reverts".to_owned()
            } else {
                format!("reverts with 0x{}", hex(payload))
            };
        };
        match selector {
            [0x08, 0xc3, 0x79, 0xa0] => match error_text(rest) {
                Some(text) => format!("reverts: {}", show_bytes(text)),
                None => format!("reverts with 0x{}", hex(payload)),
            },
            [0x4e, 0x48, 0x7b, 0x71] if rest.len() == 32 => {
                let code = U256::from_be_slice(rest);
                format!("panics: {}", panic_text(code))
            }
            _ => format!("reverts with 0x{}", hex(payload)),
        }
    }

    /// Where the check stands whose failure came last.
    fn place(&self, answer: &Answer) -> Option<String> {
        let obligation = answer.failed_checks.last()?;
        let span = self.program.obligations.get(*obligation)?.span;
        self.sources.files().nth(span.file.0 as usize)?;
        Some(crate::report::location(self.sources, span))
    }

    pub fn log(&self, log: &Log, names: &Names) -> String {
        let first = log.topics.first().copied();
        let event = self
            .program
            .events
            .iter()
            .find(|e| !e.anonymous && Some(keccak_word(e.signature.as_bytes())) == first);
        let (name, topics) = match event {
            Some(event) => (event.signature.clone(), &log.topics[1..]),
            None => ("anonymous event".to_owned(), &log.topics[..]),
        };
        let mut out = format!("{} emits {name}", names.show(log.address));
        if !topics.is_empty() {
            let shown: Vec<String> = topics.iter().map(|t| names_or_number(*t, names)).collect();
            out.push_str(&format!(", indexed {}", shown.join(", ")));
        }
        if !log.data.is_empty() {
            let words: Vec<String> = log
                .data
                .chunks(32)
                .map(|chunk| match <[u8; 32]>::try_from(chunk) {
                    Ok(word) => names_or_number(U256::from_be_bytes(word), names),
                    Err(_) => format!("0x{}", hex(chunk)),
                })
                .collect();
            out.push_str(&format!(", data {}", words.join(", ")));
        }
        out
    }
}

fn names_or_number(word: U256, names: &Names) -> String {
    if names.addresses().any(|a| a == word) {
        names.show(word)
    } else if word > U256::from(u64::MAX) {
        format!("{word:#x}")
    } else {
        word.to_string()
    }
}

/// The string in the encoded arguments of `Error(string)`.
fn error_text(data: &[u8]) -> Option<&[u8]> {
    let length = usize::try_from(U256::from_be_slice(data.get(32..64)?)).ok()?;
    data.get(64..64usize.checked_add(length)?)
}

fn panic_text(code: U256) -> String {
    let what = match u8::try_from(code).unwrap_or(0) {
        0x01 => "assertion failed",
        0x11 => "arithmetic overflow or underflow",
        0x12 => "division by zero",
        0x21 => "not a member of the enum",
        0x22 => "badly encoded storage bytes",
        0x31 => "pop from an empty array",
        0x32 => "index out of bounds",
        0x41 => "too much memory",
        0x51 => "call of an uninitialised function",
        _ => return format!("code {code:#x}"),
    };
    format!("{what} ({code:#04x})")
}

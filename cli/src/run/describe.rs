//! What happened, in words.

use super::machine::{Answer, End, Log};
use super::value::{Names, decode, hex, show_bytes};
use hornet_ir::U256;
use hornet_ir::hash::keccak_word;
use hornet_ir::ids::TypeId;
use hornet_ir::program::{Event, Program};
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
                format!("{}{place}", self.reverted(&answer.data, names))
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

    fn reverted(&self, payload: &[u8], names: &Names) -> String {
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
            _ => match self.custom_error(*selector, rest, names) {
                Some(text) => format!("reverts: {text}"),
                None => format!("reverts with 0x{}", hex(payload)),
            },
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
        let who = names.show(log.address);
        let first = log.topics.first().copied();
        let mut events = self.program.events.iter();
        let known = events.find(|e| !e.anonymous && Some(keccak_word(e.signature.as_bytes())) == first);
        if let Some(text) = known.and_then(|event| self.event(event, log, names)) {
            return format!("{who} emits {text}");
        }
        let topics: Vec<String> = log.topics.iter().map(|t| format!("{t:#x}")).collect();
        format!("{who} emits an anonymous event, topics [{}], data 0x{}", topics.join(", "), hex(&log.data))
    }

    fn event(&self, event: &Event, log: &Log, names: &Names) -> Option<String> {
        let plain: Vec<TypeId> = event.params.iter().filter(|p| !p.indexed).map(|p| p.ty).collect();
        let mut plain = decode(self.program, &plain, &log.data, names)?.into_iter();
        let mut topics = log.topics.iter().skip(1);
        let mut args = Vec::new();
        for param in &event.params {
            let text = match param.indexed {
                false => plain.next()?,
                true => {
                    let topic = topics.next()?;
                    let word = topic.to_be_bytes::<32>();
                    // Of longer values only the hash is in the log.
                    match self.program.types.get(param.ty).is_scalar() {
                        true => decode(self.program, &[param.ty], &word, names)?.concat(),
                        false => format!("keccak 0x{}…", hex(&word[..4])),
                    }
                }
            };
            args.push(labelled(&param.name, text));
        }
        Some(format!("{}({})", event.name, args.join(", ")))
    }

    fn custom_error(&self, selector: [u8; 4], data: &[u8], names: &Names) -> Option<String> {
        let error =
            self.program.errors.iter().find(|e| hornet_ir::hash::selector(&e.signature) == selector)?;
        let types: Vec<TypeId> = error.params.iter().map(|p| p.ty).collect();
        let values = decode(self.program, &types, data, names)?;
        let args: Vec<String> =
            error.params.iter().zip(values).map(|(p, text)| labelled(&p.name, text)).collect();
        Some(format!("{}({})", error.name, args.join(", ")))
    }
}

fn labelled(name: &str, text: String) -> String {
    if name.is_empty() { text } else { format!("{name}: {text}") }
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

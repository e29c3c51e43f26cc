//! `pragma` directives, read from their text.

use hornet_ir::diag::Diagnostic;
use hornet_ir::span::Span;

use crate::source::VersionReq;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbiCoder {
    V1,
    V2,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PragmaKind {
    Solidity(VersionReq),
    AbiCoder(AbiCoder),
    /// Accepted by the compiler, without meaning for us (`SMTChecker`, `"v0.5.0"`, `solidity`).
    Experimental,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// From `pragma` to the `;`.
    pub span: Span,
    pub kind: PragmaKind,
}

impl Pragma {
    pub fn version_req(&self) -> Option<&VersionReq> {
        match &self.kind {
            PragmaKind::Solidity(req) => Some(req),
            PragmaKind::AbiCoder(_) | PragmaKind::Experimental => None,
        }
    }
}

/// Reads what stands between `pragma` and `;`; `value_span` covers it.
pub(super) fn read(text: &str, span: Span, value_span: Span) -> Result<Pragma, Diagnostic> {
    let (name, value) = text.split_once(|c: char| !c.is_ascii_alphanumeric()).unwrap_or((text, ""));
    // The character after the name may belong to the value: `pragma solidity^0.5.0`.
    let value = if value.is_empty() { value } else { text[name.len()..].trim() };
    let kind = match name {
        "solidity" => PragmaKind::Solidity(solidity(value, span, value_span)?),
        "abicoder" => match value.trim_matches('"') {
            "v1" => PragmaKind::AbiCoder(AbiCoder::V1),
            "v2" => PragmaKind::AbiCoder(AbiCoder::V2),
            _ => {
                return Err(unknown(
                    value_span,
                    format!("unknown ABI coder `{value}`"),
                    "known are `v1` and `v2`",
                ));
            }
        },
        "experimental" => match value.trim_matches('"') {
            "ABIEncoderV2" => PragmaKind::AbiCoder(AbiCoder::V2),
            "SMTChecker" | "solidity" | "v0.5.0" => PragmaKind::Experimental,
            _ => {
                let message = format!("unknown experimental feature `{value}`");
                return Err(unknown(
                    value_span,
                    message,
                    "known are `ABIEncoderV2`, `SMTChecker` and `solidity`",
                ));
            }
        },
        _ => {
            let message = format!("unknown pragma `{name}`");
            return Err(unknown(span, message, "known are `solidity`, `abicoder` and `experimental`"));
        }
    };
    Ok(Pragma { span, kind })
}

fn unknown(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(span, message).help(help)
}

fn solidity(value: &str, span: Span, value_span: Span) -> Result<VersionReq, Diagnostic> {
    let req = VersionReq::parse(value)
        .map_err(|problem| Diagnostic::error(value_span, format!("malformed version range: {problem}")))?;
    if req.newest().is_none() {
        return Err(Diagnostic::error(span, format!("no compiler satisfies `{value}`")).help(
            "known are 0.4.0 to 0.4.26, 0.5.0 to 0.5.17, 0.6.0 to 0.6.12, 0.7.0 to 0.7.6 and 0.8.0 to 0.8.37",
        ));
    }
    Ok(req)
}

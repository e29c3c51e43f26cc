//! Where the script keeps the module: LZ4 blocks in base64, after the function that unpacks them.

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

pub struct Packed {
    /// Each after its length, in four bytes.
    pub blocks: Vec<u8>,
    pub unpacked_bytes: usize,
}

/// The module and the JavaScript after it: `Module["wasmBinary"] = (function (source, size) {…})("base64…", size);`
pub fn split(script: &str) -> Result<(Packed, &str), String> {
    let missing = |what: &str| format!("it has no {what}");
    let (_, rest) = script.split_once("Module[\"wasmBinary\"] = ").ok_or_else(|| missing("`wasmBinary`"))?;
    let (_, rest) = rest.split_once("})(\"").ok_or_else(|| missing("packed module"))?;
    let (text, rest) = rest.split_once('"').ok_or_else(|| missing("end of the packed module"))?;
    let (size, glue) = rest.split_once(");").ok_or_else(|| missing("size of the module"))?;
    let encoding = NO_PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let decoded = GeneralPurpose::new(&base64::alphabet::STANDARD, encoding).decode(text);
    let blocks = decoded.map_err(|e| format!("the packed module: {e}"))?;
    let size = size.trim_start_matches([',', ' ']).trim_end();
    let unpacked_bytes = size.parse().map_err(|_| format!("`{size}` is no size of a module"))?;
    Ok((Packed { blocks, unpacked_bytes }, glue))
}

//! Values as test files write them, and the bytes they stand for.

use hornet_evm::U256;

/// Big-endian bytes at the right end of a 32-byte word.
pub fn word_right(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let pad = 32usize.checked_sub(bytes.len()).ok_or("a value longer than 32 bytes")?;
    Ok([vec![0; pad], bytes.to_vec()].concat())
}

/// Bytes at the left end of a 32-byte word.
pub fn word_left(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let pad = 32usize.checked_sub(bytes.len()).ok_or("a value longer than 32 bytes")?;
    Ok([bytes.to_vec(), vec![0; pad]].concat())
}

/// A decimal number without leading zero bytes, negative ones as two's complement.
pub fn decimal(digits: &str, negative: bool) -> Result<Vec<u8>, String> {
    let value: U256 = digits.parse().map_err(|_| format!("`{digits}` is not a number of 256 bits"))?;
    let value = if negative { value.wrapping_neg() } else { value };
    Ok(value.to_be_bytes_trimmed_vec())
}

/// Hex digits without prefix; an odd count gets a zero in front.
pub fn hex(digits: &str) -> Result<Vec<u8>, String> {
    let padded = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_owned() };
    let byte = |i| u8::from_str_radix(padded.get(i..i + 2).unwrap_or("?"), 16);
    (0..padded.len())
        .step_by(2)
        .map(byte)
        .collect::<Result<_, _>>()
        .map_err(|_| format!("`{digits}` is not hexadecimal"))
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// For messages: long data as words, short data in one piece.
pub fn show(bytes: &[u8]) -> String {
    const SHOWN: usize = 10;
    if bytes.is_empty() {
        return "nothing".into();
    }
    let (head, tail) = bytes.split_at(bytes.len() % 32);
    let mut words: Vec<String> = Vec::new();
    if !head.is_empty() {
        words.push(to_hex(head));
    }
    words.extend(tail.chunks(32).map(|word| {
        let hex = to_hex(word);
        let short = hex.trim_start_matches('0');
        if short.len() <= 40 { format!("0x{}", if short.is_empty() { "0" } else { short }) } else { hex }
    }));
    let more = words.len().saturating_sub(SHOWN);
    words.truncate(SHOWN);
    if more > 0 {
        words.push(format!("… {more} more"));
    }
    words.join(" ")
}

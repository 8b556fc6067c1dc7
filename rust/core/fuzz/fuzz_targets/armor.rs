//! The lenient decoder beside a naive one: the same bytes, or none from both.
#![no_main]

use libfuzzer_sys::fuzz_target;

fn naive(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let text = match text.get(..5) {
        Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
            let (header, payload) = text.split_once(',')?;
            header.to_ascii_lowercase().ends_with(";base64").then_some(payload)?
        }
        _ => text,
    };
    let text: Vec<u8> = text.bytes().filter(|b| !b" \t\r\n\x0c".contains(b)).collect();
    let digits = text.len() - text.iter().rev().take_while(|b| **b == b'=').count();
    let (mut bits, mut held, mut bytes) = (0_u32, 0, Vec::new());
    for byte in &text[..digits] {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    (digits % 4 != 1 && text.len() - digits <= (4 - digits % 4) % 4).then_some(bytes)
}

fuzz_target!(|text: &str| {
    let expected = naive(text);
    assert_eq!(ostiary_core::decoded_length(text), expected.as_ref().map(Vec::len));
    assert_eq!(ostiary_core::decode(text), expected);
});

//! The escapes of `$'…'`, of `echo -e` and of `printf`.

/// Decodes backslash escapes as bash's `$'…'` does.
pub(in crate::shell) fn ansi_c(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(rest.get(..at).unwrap_or_default().as_bytes());
        rest = rest.get(at + 1..).unwrap_or_default();
        let Some(escape) = rest.chars().next() else {
            bytes.push(b'\\');
            break;
        };
        rest = rest.get(escape.len_utf8()..).unwrap_or_default();
        rest = decode(escape, rest, &mut bytes);
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes what one escape stands for; gives the text after it.
fn decode<'a>(escape: char, rest: &'a str, bytes: &mut Vec<u8>) -> &'a str {
    let plain = match escape {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' => b'\'',
        '"' => b'"',
        '?' => b'?',
        'x' => return number(rest, 16, 2, escape, bytes),
        'u' => return number(rest, 16, 4, escape, bytes),
        'U' => return number(rest, 16, 8, escape, bytes),
        // `\0nnn` of echo and printf takes a digit more than `\nnn`.
        '0' => return number(rest, 8, 3, escape, bytes),
        digit @ '1'..='7' => {
            let first = u8::try_from(u32::from(digit) - 48).unwrap_or_default();
            return octal(rest, first, bytes);
        }
        'c' => {
            let Some(letter) = rest.chars().next() else { return rest };
            bytes.push((letter as u32 & 0x1f) as u8);
            return rest.get(letter.len_utf8()..).unwrap_or_default();
        }
        other => {
            bytes.push(b'\\');
            bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
            return rest;
        }
    };
    bytes.push(plain);
    rest
}

fn number<'a>(rest: &'a str, base: u32, most: usize, escape: char, bytes: &mut Vec<u8>) -> &'a str {
    let digits = rest.chars().take(most).take_while(|digit| digit.is_digit(base)).count();
    let value = u32::from_str_radix(rest.get(..digits).unwrap_or_default(), base).unwrap_or(0);
    match escape {
        'x' | '0' => bytes.push((value & 0xff) as u8),
        _ => {
            let letter = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    rest.get(digits..).unwrap_or_default()
}

fn octal<'a>(rest: &'a str, first: u8, bytes: &mut Vec<u8>) -> &'a str {
    let digits = rest.chars().take(2).take_while(|digit| digit.is_digit(8)).count();
    let text = rest.get(..digits).unwrap_or_default();
    let tail = u32::from_str_radix(text, 8).unwrap_or(0);
    let scale = match digits {
        0 => 1,
        1 => 8,
        _ => 64,
    };
    let value = u32::from(first) * scale + tail;
    bytes.push((value & 0xff) as u8);
    rest.get(digits..).unwrap_or_default()
}

//! What small programs print, where that follows from their words and their input.

use crate::shell::field::{Field, UNKNOWN, UNKNOWN_TEXT, mark};
use crate::shell::parse::ansi::ansi_c;
use crate::shell::walk::Walker;
use crate::shell::walk::simple::{Call, resolve};
use crate::shell::walk::state::Shell;

impl Walker<'_> {
    /// The output of a call as far as it is known; None where nothing is.
    pub(in crate::shell) fn output(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
        let args = call.args();
        let stdin = call.stdin.as_ref();
        let made = match call.program() {
            "echo" => Some(echo(args)),
            "printf" => printf(args),
            "true" | ":" | "cd" | "export" | "set" | "unset" | "alias" | "test" | "[" | "mkdir"
            | "touch" | "chmod" | "sleep" | "read" | "trap" => Some(Field::default()),
            "cat" | "tee" | "sponge" | "pv" => pass(call),
            "pwd" => Some(shell.cwd_field()),
            "mktemp" => Some(temporary(args)),
            "which" | "command" | "type" => which(args),
            "basename" => base_name(args),
            "dirname" => dir_name(args),
            "realpath" | "readlink" => real_path(args, shell),
            "rev" => map_lines(stdin?, |line| line.chars().rev().collect()),
            "tac" => {
                let text = stdin?.known()?;
                let lines: Vec<&str> = text.lines().rev().collect();
                Some(Field::exact(lines.join("\n")))
            }
            "base64" | "gbase64" => base64(args, stdin),
            "openssl" => openssl(args, stdin),
            "xxd" => xxd(args, stdin),
            "tr" => tr(args, stdin),
            "sed" => sed(args, stdin),
            "head" | "tail" => lines_of(call),
            "sort" | "uniq" | "nl" | "fold" | "fmt" | "expand" => {
                stdin.map(|stdin| stdin.with_text(stdin.text.clone()))
            }
            "seq" => Some(numbers()),
            _ => None,
        }?;
        self.budget.decode(made.text.len()).then_some(made)
    }
}

fn echo(args: &[Field]) -> Field {
    let mut rest = args;
    let (mut escapes, mut newline) = (false, true);
    while let Some((first, others)) = rest.split_first() {
        let letters = first.text.strip_prefix('-').unwrap_or_default();
        if letters.is_empty() || !letters.chars().all(|letter| "neE".contains(letter)) {
            break;
        }
        escapes |= letters.contains('e');
        newline &= !letters.contains('n');
        rest = others;
    }
    let mut line = Field::default();
    for (number, word) in rest.iter().enumerate() {
        if number > 0 {
            line.text.push(' ');
        }
        line.push(word);
    }
    if escapes {
        line.text = ansi_c(&line.text);
    }
    if newline {
        line.text.push('\n');
    }
    line
}

fn printf(args: &[Field]) -> Option<Field> {
    let args = if args.first()?.text == "--" { args.get(1..)? } else { args };
    let (format, values) = args.split_first()?;
    if format.text == "-v" {
        return Some(Field::default());
    }
    let mut printed = Field { text: String::new(), ..format.clone() };
    let mut values = values.iter();
    loop {
        let before = values.len();
        format_once(&format.text, &mut values, &mut printed);
        if values.len() == 0 || values.len() == before {
            break;
        }
    }
    Some(printed)
}

fn format_once(format: &str, values: &mut std::slice::Iter<'_, Field>, printed: &mut Field) {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        printed.text.push_str(&ansi_c(rest.get(..at).unwrap_or_default()));
        rest = rest.get(at + 1..).unwrap_or_default();
        let flags = rest.find(|letter: char| letter.is_ascii_alphabetic() || letter == '%');
        let Some(at) = flags else {
            printed.text.push('%');
            continue;
        };
        let conversion = rest.get(at..=at).unwrap_or_default();
        rest = rest.get(at + 1..).unwrap_or_default();
        match conversion {
            "%" => printed.text.push('%'),
            "s" | "q" | "d" | "i" | "u" => {
                if let Some(value) = values.next() {
                    printed.push(value);
                }
            }
            "b" => {
                if let Some(value) = values.next() {
                    printed.push(&value.with_text(ansi_c(&value.text)));
                }
            }
            "c" => {
                let first = values.next().and_then(|value| value.text.chars().next());
                printed.text.extend(first);
            }
            _ => {
                values.next();
                printed.push(&Field::unknown(mark::PRESENT));
            }
        }
    }
    printed.text.push_str(&ansi_c(rest));
}

/// `cat` without files passes its input on.
fn pass(call: &Call) -> Option<Field> {
    let is_cat = call.program() == "cat";
    let reads_files =
        call.args().iter().any(|arg| !arg.text.starts_with('-') && arg.text != "/dev/stdin");
    if is_cat && reads_files {
        return None;
    }
    call.stdin.clone()
}

fn temporary(args: &[Field]) -> Field {
    let is_option = |arg: &&Field| arg.text.starts_with('-');
    let template = args.iter().find(|arg| !is_option(arg) && arg.text.contains("XXX"));
    let text = match template {
        Some(template) if template.text.contains('/') => template.text.replace("XXX", UNKNOWN_TEXT),
        _ => format!("/tmp/tmp.{UNKNOWN_TEXT}"),
    };
    Field { text, mark: mark::UNKNOWN | mark::PRESENT, sources: Vec::new() }
}

fn which(args: &[Field]) -> Option<Field> {
    let name = args.iter().find(|arg| !arg.text.starts_with('-'))?;
    let text =
        if name.text.contains('/') { name.text.clone() } else { format!("/usr/bin/{}", name.text) };
    Some(name.with_text(text))
}

fn operand(args: &[Field]) -> Option<&Field> {
    args.iter().find(|arg| !arg.text.starts_with('-'))
}

fn base_name(args: &[Field]) -> Option<Field> {
    let path = operand(args)?;
    let text = path.text.trim_end_matches('/');
    Some(path.with_text(crate::shell::run::base_name(text)))
}

fn dir_name(args: &[Field]) -> Option<Field> {
    let path = operand(args)?;
    let text = path.text.trim_end_matches('/');
    let folder = match text.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    };
    Some(path.with_text(folder))
}

fn real_path(args: &[Field], shell: &Shell) -> Option<Field> {
    let path = operand(args)?;
    let whole = resolve(shell.cwd.as_deref(), path.known()?)?;
    Some(Field::exact(&*whole))
}

fn map_lines(stdin: &Field, change: impl Fn(&str) -> String) -> Option<Field> {
    let mut text = String::new();
    for line in stdin.known()?.lines() {
        text.push_str(&change(line));
        text.push('\n');
    }
    Some(Field::exact(text))
}

fn lines_of(call: &Call) -> Option<Field> {
    let reads_file = call
        .args()
        .iter()
        .any(|arg| !arg.text.starts_with('-') && arg.text.parse::<u64>().is_err());
    // Which lines is of no account: all of them are looked at.
    if reads_file { None } else { call.stdin.clone() }
}

fn numbers() -> Field {
    Field::unknown(mark::PRESENT | mark::UNQUOTED)
}

fn has(args: &[Field], options: &[&str]) -> bool {
    args.iter().any(|arg| options.contains(&arg.text.as_str()))
}

fn base64(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let decodes = has(args, &["-d", "-D", "--decode", "-di", "-id"]);
    let file =
        args.iter().any(|arg| !arg.text.starts_with('-') && arg.text.parse::<u64>().is_err());
    if !decodes || file {
        return None;
    }
    decoded(stdin?.known()?)
}

fn decoded(text: &str) -> Option<Field> {
    let compact: String = text.split_whitespace().collect();
    let bytes = crate::armor::decode(&compact)?;
    Some(Field::exact(String::from_utf8_lossy(&bytes).into_owned()))
}

fn openssl(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let is_base64 = has(args, &["base64", "-base64", "-a"]) && has(args, &["-d"]);
    if is_base64 && !has(args, &["-in"]) { decoded(stdin?.known()?) } else { None }
}

fn xxd(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let letters: String = args.iter().filter_map(|arg| arg.text.strip_prefix('-')).collect();
    if !(letters.contains('r') && letters.contains('p')) {
        return None;
    }
    let digits: Vec<u32> = stdin?.known()?.chars().filter_map(|digit| digit.to_digit(16)).collect();
    let bytes = digits.chunks_exact(2).filter_map(|pair| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    });
    Some(Field::exact(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()))
}

/// A set of `tr`: ranges, escapes and the classes that letters need.
fn set(text: &str) -> Vec<char> {
    let text =
        text.replace("[:lower:]", "a-z").replace("[:upper:]", "A-Z").replace("[:digit:]", "0-9");
    let letters: Vec<char> = ansi_c(&text).chars().collect();
    let mut set = Vec::new();
    let mut at = 0;
    while let Some(first) = letters.get(at).copied() {
        match (letters.get(at + 1), letters.get(at + 2).copied()) {
            (Some('-'), Some(last)) if first <= last && (last as u32 - first as u32) < 256 => {
                set.extend(first..=last);
                at += 3;
            }
            _ => {
                set.push(first);
                at += 1;
            }
        }
    }
    set
}

fn tr(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let text = stdin?.known()?;
    let (options, sets): (Vec<&Field>, Vec<&Field>) =
        args.iter().partition(|arg| arg.text.starts_with('-') && arg.text.len() > 1);
    let letters: String = options.iter().map(|option| option.text.as_str()).collect();
    let from = set(&sets.first()?.text);
    let inverted = letters.contains(['c', 'C']);
    if letters.contains('d') {
        let kept = text.chars().filter(|letter| from.contains(letter) == inverted);
        return Some(Field::exact(kept.collect::<String>()));
    }
    if inverted {
        return None;
    }
    let to = match sets.get(1) {
        Some(to) => set(&to.text),
        None => return Some(Field::exact(text)), // `-s` alone only squeezes
    };
    let last = to.last().copied()?;
    let changed = text.chars().map(|letter| match from.iter().position(|&one| one == letter) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => letter,
    });
    Some(Field::exact(changed.collect::<String>()))
}

/// `s/from/to/` with plain letters; other scripts leave their input as it may be.
fn sed(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let stdin = stdin?;
    let [script] = args.iter().filter(|arg| arg.text != "-e").collect::<Vec<_>>()[..] else {
        return None;
    };
    let mut letters = script.text.chars();
    if letters.next() != Some('s') {
        return None;
    }
    let separator = letters.next()?;
    let mut parts = script.text.get(1 + separator.len_utf8()..)?.split(separator);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let is_plain = !from.contains(|letter: char| r"\.*[]^$+?(){}|".contains(letter))
        && !to.contains(['\\', '&'])
        && !from.is_empty();
    if !is_plain || !stdin.is_exact() || script.text.contains(UNKNOWN) {
        return None;
    }
    let all = flags.contains('g');
    map_lines(stdin, |line| if all { line.replace(from, to) } else { line.replacen(from, to, 1) })
}

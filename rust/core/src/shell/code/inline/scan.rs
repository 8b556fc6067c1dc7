//! Finds calls and their literal arguments in code of any language.

use std::collections::HashMap;

use crate::shell::code::inline::Language;
use crate::shell::field::UNKNOWN;

/// Calls that are looked at.
const MOST_CALLS: usize = 512;

/// A call by name, with the strings among its arguments.
pub(in crate::shell) struct Call {
    name: String,
    pub(in crate::shell) literals: Vec<String>,
    /// The first bare name among its arguments.
    argument: Option<String>,
    /// The first number: a mode.
    pub(in crate::shell) number: Option<String>,
}

impl Call {
    /// The last part of its dotted name.
    pub(in crate::shell) fn last(&self) -> &str {
        self.name.rsplit(['.', ':', '>']).next().unwrap_or(&self.name)
    }

    /// Its first string, or what the name that it is given stands for.
    pub(in crate::shell) fn first(&self, names: &HashMap<String, String>) -> Option<String> {
        let literal = self.literals.first().cloned();
        literal.or_else(|| self.argument.as_ref().and_then(|name| names.get(name)).cloned())
    }
}

/// What was found in a text.
#[derive(Default)]
pub(in crate::shell) struct Scan {
    pub(in crate::shell) calls: Vec<Call>,
    /// Names that were given a string.
    pub(in crate::shell) names: HashMap<String, String>,
    traits: Vec<Trait>,
}

/// What a text does somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Trait {
    /// It sends something over the network.
    Sends,
    ReadsEnvironment,
    Connects,
    StartsShell,
}

impl Scan {
    /// A connection and a shell: what a reverse shell is made of.
    pub(in crate::shell) fn opens_shell(&self) -> bool {
        self.has(Trait::Connects) && self.has(Trait::StartsShell)
    }

    pub(in crate::shell) fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    fn notice(&mut self, noticed: Trait) {
        if !self.has(noticed) {
            self.traits.push(noticed);
        }
    }
}

struct Scanner<'a> {
    code: &'a str,
    at: usize,
    language: Language,
    found: Scan,
    /// Calls whose arguments are being read: index, and brackets that were open before.
    open: Vec<(usize, usize)>,
    brackets: usize,
    /// The last name, and whether `=` follows it.
    name: String,
    assigns: bool,
    /// The call that just ended and takes a path along: `Path('x').unlink()`.
    subject: Option<String>,
}

pub(in crate::shell) fn scan(code: &str, language: Language) -> Scan {
    let mut scanner = Scanner {
        code,
        at: 0,
        language,
        found: Scan::default(),
        open: Vec::new(),
        brackets: 0,
        name: String::new(),
        assigns: false,
        subject: None,
    };
    scanner.run();
    scanner.found
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or_default()
    }

    fn run(&mut self) {
        while let Some(letter) = self.rest().chars().next() {
            match letter {
                '\'' | '"' => self.string(letter),
                '`' => self.backticks(),
                '#' if self.language != Language::JavaScript && self.language != Language::Php => {
                    self.comment();
                }
                '/' if self.rest().starts_with("//") && self.language == Language::JavaScript => {
                    self.comment();
                }
                letter if letter.is_alphabetic() || "_$%".contains(letter) => self.word(),
                letter if letter.is_ascii_digit() => self.number(),
                '(' | '[' | '{' => {
                    if letter == '(' && !self.name.is_empty() {
                        self.call();
                    }
                    self.brackets += 1;
                    self.name.clear();
                    self.at += 1;
                }
                ')' | ']' | '}' => {
                    self.brackets = self.brackets.saturating_sub(1);
                    self.close();
                    self.name.clear();
                    self.at += 1;
                }
                '=' => {
                    let compares = self.rest().starts_with("==") || self.rest().starts_with("=>");
                    self.assigns = !compares && !self.name.is_empty();
                    self.at += if compares { 2 } else { 1 };
                }
                ';' | '\n' => {
                    if self.open.iter().any(|&(_, before)| before >= self.brackets) {
                        self.close();
                    }
                    self.end_statement();
                    self.at += 1;
                }
                UNKNOWN => {
                    self.literal(UNKNOWN.to_string());
                    self.at += UNKNOWN.len_utf8();
                }
                letter => {
                    if !letter.is_whitespace() && letter != '.' {
                        self.name.clear();
                    }
                    self.at += letter.len_utf8();
                }
            }
        }
    }

    fn end_statement(&mut self) {
        self.name.clear();
        self.assigns = false;
        self.subject = None;
    }

    fn comment(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or_default().trim_start_matches("0o").to_owned();
        self.at += length;
        if let Some(call) = self.current() {
            call.number.get_or_insert(text);
        }
    }

    fn current(&mut self) -> Option<&mut Call> {
        let (index, _) = *self.open.last()?;
        self.found.calls.get_mut(index)
    }

    /// A name, dotted or not; in Perl and Ruby a string after it is its argument.
    fn word(&mut self) {
        let rest = self.rest();
        let is_part = |letter: char| letter.is_alphanumeric() || "_.$:%".contains(letter);
        let length = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or_default().to_owned();
        self.at += length;
        self.notice(&text);
        let after = self.rest().chars().next();
        let is_prefix = text.len() <= 2 && matches!(after, Some('\'' | '"'));
        if is_prefix && self.language == Language::Python {
            return; // f'…', rb'…'
        }
        if matches!(text.as_str(), "qx" | "%x") {
            self.delimited("qx");
            return;
        }
        if matches!(text.as_str(), "qw" | "%w" | "q" | "qq") {
            self.words();
            return;
        }
        let argument = text.trim_start_matches('$').to_owned();
        if let Some(call) = self.current() {
            call.argument.get_or_insert(argument);
        }
        let takes_bare = matches!(self.language, Language::Perl | Language::Ruby | Language::Php)
            && matches!(
                text.rsplit(['.', ':']).next(),
                Some("system" | "exec" | "unlink" | "rmtree" | "rm_rf" | "rm_r" | "rmdir")
            );
        self.name = text;
        if takes_bare && after != Some('(') {
            self.call();
            self.name.clear();
        }
    }

    fn notice(&mut self, text: &str) {
        let last = text.rsplit(['.', ':']).next().unwrap_or(text);
        let found = &mut self.found;
        match last {
            "post" | "put" | "sendall" | "sendto" | "urlencode" | "send" | "sendmail" => {
                found.notice(Trait::Sends);
            }
            "environ" | "env" | "ENV" | "getenv" => found.notice(Trait::ReadsEnvironment),
            "create_connection" | "createConnection" | "fsockopen" => found.notice(Trait::Connects),
            "dup2" | "pty" | "spawn" | "fdopen" | "popen" => found.notice(Trait::StartsShell),
            _ => {}
        }
        // `socket.socket`, `TCPSocket`, `IO::Socket`, `net.connect`
        if text.to_ascii_lowercase().contains("socket") || text == "net.connect" {
            found.notice(Trait::Connects);
        }
        if text.contains("/bin/sh") {
            found.notice(Trait::StartsShell);
        }
    }

    fn call(&mut self) {
        if self.found.calls.len() >= MOST_CALLS {
            return;
        }
        let literals = self.subject.take().into_iter().collect();
        let name = std::mem::take(&mut self.name);
        self.found.calls.push(Call { name, literals, argument: None, number: None });
        self.open.push((self.found.calls.len() - 1, self.brackets));
    }

    /// Ends the calls whose bracket was just closed.
    fn close(&mut self) {
        while let Some(&(index, before)) = self.open.last() {
            if before < self.brackets {
                break;
            }
            self.open.pop();
            let Some(call) = self.found.calls.get(index) else { continue };
            let Some(first) = call.first(&self.found.names) else { continue };
            match call.last() {
                // The value of these is a path, for the call around them or after them.
                "Path" | "expanduser" | "join" | "abspath" | "resolve" | "glob" | "iglob"
                | "expand_path" | "PosixPath" | "File" | "Dir" => {
                    let joined = call.literals.join("/");
                    let path = if joined.is_empty() { first } else { joined };
                    match self.current() {
                        Some(outer) => outer.literals.push(path),
                        None => self.subject = Some(path),
                    }
                }
                "getenv" | "get" if first == "HOME" => self.literal("$HOME".to_owned()),
                _ => {}
            }
        }
    }

    fn literal(&mut self, text: String) {
        if self.assigns {
            let name = self.name.trim_start_matches('$').to_owned();
            self.found.names.insert(name, text.clone());
            self.assigns = false;
        }
        let is_home = text == "HOME"
            && self.code.get(..self.at).is_some_and(|before| {
                before.trim_end_matches(['\'', '"', '[', '(']).ends_with("HOME")
                    || self.found.has(Trait::ReadsEnvironment)
            });
        let text = if is_home { "$HOME".to_owned() } else { text };
        if text.contains("/bin/sh") || text.contains("/bin/bash") || text == "sh" || text == "bash"
        {
            self.found.notice(Trait::StartsShell);
        }
        if matches!(text.as_str(), "POST" | "PUT") {
            self.found.notice(Trait::Sends);
        }
        if let Some(call) = self.current() {
            call.literals.push(text);
        }
    }

    fn string(&mut self, quote: char) {
        let before = self.code.get(..self.at).unwrap_or_default();
        let is_format = self.language == Language::Python
            && before.ends_with(['f', 'F'])
            && !before
                .trim_end_matches(['f', 'F'])
                .ends_with(|letter: char| letter.is_alphanumeric());
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let end = if self.rest().starts_with(&triple) { triple } else { quote.to_string() };
        self.at += end.len();
        let mut text = self.until(&end);
        if is_format {
            text = blank(&text, '{', '}');
        } else if quote == '"' && self.language == Language::Ruby {
            text = blank(&text, '{', '}').replace('#', "");
        }
        let joined = self.rest().trim_start();
        if joined.starts_with(['+', '%'])
            || (self.language == Language::Perl && joined.starts_with(" ."))
        {
            text.push(UNKNOWN);
        }
        self.literal(text);
    }

    /// The text up to an end, escapes decoded.
    fn until(&mut self, end: &str) -> String {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(end) {
                self.at += end.len();
                return text;
            }
            let mut letters = rest.chars();
            let Some(letter) = letters.next() else { return text };
            self.at += letter.len_utf8();
            if letter == '\\'
                && let Some(next) = letters.next()
            {
                self.at += next.len_utf8();
                match next {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    '\n' => {}
                    'x' => {
                        let digits = self
                            .rest()
                            .get(..2)
                            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
                        if let Some(byte) = digits {
                            text.push(char::from(byte));
                            self.at += 2;
                        }
                    }
                    other => text.push(other),
                }
            } else {
                text.push(letter);
            }
        }
    }

    fn backticks(&mut self) {
        self.at += 1;
        let text = self.until("`");
        if self.language == Language::JavaScript {
            let text = blank(&text.replace("${", "{"), '{', '}');
            self.literal(text);
        } else {
            self.found.calls.push(Call {
                name: "qx".into(),
                literals: vec![text],
                argument: None,
                number: None,
            });
        }
    }

    fn delimited(&mut self, name: &str) {
        let Some(open) = self.rest().chars().next() else { return };
        self.at += open.len_utf8();
        let text = self.until(closing(open));
        self.found.calls.push(Call {
            name: name.into(),
            literals: vec![text],
            argument: None,
            number: None,
        });
    }

    /// `qw(rm -rf /)`
    fn words(&mut self) {
        let Some(open) = self.rest().chars().next().filter(char::is_ascii_punctuation) else {
            return;
        };
        self.at += open.len_utf8();
        let text = self.until(closing(open));
        for word in text.split_whitespace() {
            self.literal(word.to_owned());
        }
    }
}

fn closing(open: char) -> &'static str {
    match open {
        '(' => ")",
        '[' => "]",
        '{' => "}",
        '<' => ">",
        '/' => "/",
        '|' => "|",
        '!' => "!",
        _ => "'",
    }
}

/// A text with what stands in brackets not known.
fn blank(text: &str, open: char, close: char) -> String {
    let mut blanked = String::new();
    let mut depth = 0_usize;
    for letter in text.chars() {
        if letter == open {
            if depth == 0 {
                blanked.push(UNKNOWN);
            }
            depth += 1;
        } else if letter == close {
            depth = depth.saturating_sub(1);
        } else if depth == 0 {
            blanked.push(letter);
        }
    }
    blanked
}

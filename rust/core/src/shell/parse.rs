//! Text to commands: one pass over the bytes, which recovers from what no shell would take.

use std::rc::Rc;

use super::ast::{
    Assignment, Block, Command, Item, Joined, List, Part, Redirect, Simple, Target, Value, Word,
};
use super::budget::{Budget, FaultKind};

/// Words that open or close a compound command where a command can start.
const KEYWORDS: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "select", "function", "time", "coproc", "{", "}", "!", "[[", "]]",
];
/// Keywords that end a list.
const CLOSERS: [&str; 9] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"];

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) budget: &'a mut Budget,
    /// Bodies of here-documents, of all texts of a reading.
    pub(super) heredocs: &'a mut Vec<Word>,
    pending: Vec<Pending>,
    /// `$(` around this place: a here-document may end just before the `)`.
    pub(super) substitutions: usize,
    /// Bytes that may still be looked at ahead of their turn, so that this stays linear.
    pub(super) lookahead: usize,
}

struct Pending {
    number: usize,
    delimiter: String,
    strip_tabs: bool,
    literal: bool,
}

/// Reads a whole text.
pub(super) fn parse(text: &str, budget: &mut Budget, heredocs: &mut Vec<Word>) -> List {
    let mut parser = Parser::new(text, budget, heredocs);
    let mut all = List::default();
    loop {
        all.items.append(&mut parser.list(&[]).items);
        if parser.peek().is_none() {
            break;
        }
        parser.syntax(); // a `)` or `;;` that closes nothing
        parser.pos += 1;
    }
    parser.finish_heredocs();
    all
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        text: &'a str,
        budget: &'a mut Budget,
        heredocs: &'a mut Vec<Word>,
    ) -> Self {
        let lookahead = text.len().saturating_mul(4).saturating_add(4096);
        Self { text, pos: 0, budget, heredocs, pending: Vec::new(), substitutions: 0, lookahead }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    pub(super) fn ahead(&self, by: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + by).copied()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        if found {
            self.pos += text.len();
        }
        found
    }

    pub(super) fn syntax(&mut self) {
        self.budget.fault(FaultKind::Syntax, self.pos, false);
    }

    /// Gives up the rest of the text: a limit was reached.
    pub(super) fn stop(&mut self) {
        self.pos = self.text.len();
    }

    /// Runs `work` one layer down, or gives the rest up.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.budget.enter(self.pos) {
            self.stop();
            return None;
        }
        let made = work(self);
        self.budget.leave();
        Some(made)
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.pos += 1,
                Some(b'\\') if self.ahead(1) == Some(b'\n') => self.pos += 2,
                Some(b'#') => {
                    let line = self.rest().iter().position(|&byte| byte == b'\n');
                    self.pos = line.map_or(self.text.len(), |length| self.pos + length);
                }
                _ => return,
            }
        }
    }

    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    fn newline(&mut self) {
        self.pos += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.read_heredoc(&pending);
        }
    }

    /// Commands up to the end, a `)`, a `;;` or one of these keywords.
    pub(super) fn list(&mut self, closers: &[&str]) -> List {
        self.deeper(|parser| parser.list_items(closers)).unwrap_or_default()
    }

    fn list_items(&mut self, closers: &[&str]) -> List {
        let mut list = List::default();
        let mut joined = Joined::Always;
        loop {
            self.skip_lines();
            match self.peek() {
                None | Some(b')') => break,
                Some(b';') if self.ahead(1) == Some(b';') => break,
                _ => {}
            }
            if let Some(word) = self.keyword()
                && CLOSERS.contains(&word)
            {
                if closers.contains(&word) {
                    break;
                }
                self.syntax();
                self.pos += word.len();
                continue;
            }
            let stages = self.pipeline();
            if stages.is_empty() {
                if self.peek().is_some() {
                    self.syntax();
                    self.pos += self.operator_length();
                }
                continue;
            }
            self.skip_blanks();
            let (background, next) = self.separator();
            list.items.push(Item { stages, joined, background });
            joined = next;
        }
        if joined != Joined::Always {
            self.syntax();
        }
        list
    }

    /// Bytes of the operator or the character here, to step over it.
    fn operator_length(&self) -> usize {
        self.text.get(self.pos..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }

    fn separator(&mut self) -> (bool, Joined) {
        if self.eat("&&") {
            (false, Joined::And)
        } else if self.eat("||") {
            (false, Joined::Or)
        } else if self.peek() == Some(b'&') {
            self.pos += 1;
            (true, Joined::Always)
        } else {
            if self.peek() == Some(b';') && self.ahead(1) != Some(b';') {
                self.pos += 1;
            }
            (false, Joined::Always)
        }
    }

    fn pipeline(&mut self) -> Vec<Command> {
        let mut stages = Vec::new();
        loop {
            self.skip_lines();
            while let Some(word @ ("!" | "time")) = self.keyword() {
                self.pos += word.len();
                self.skip_blanks();
                if word == "time" && self.rest().starts_with(b"-p ") {
                    self.pos += 2;
                    self.skip_blanks();
                }
            }
            match self.command() {
                Some(command) => stages.push(command),
                None if stages.is_empty() => return stages,
                None => {
                    self.syntax();
                    return stages;
                }
            }
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.ahead(1) == Some(b'|') {
                return stages;
            }
            self.pos += if self.ahead(1) == Some(b'&') { 2 } else { 1 };
        }
    }

    /// The keyword here, if a whole word is one.
    fn keyword(&self) -> Option<&'static str> {
        let rest = self.rest();
        let length = rest.iter().take(9).position(|byte| b" \t\r\n;&|()<>".contains(byte));
        let word = rest.get(..length.unwrap_or(rest.len().min(9)))?;
        KEYWORDS.into_iter().find(|keyword| keyword.as_bytes() == word)
    }

    fn eat_keyword(&mut self, word: &'static str) -> bool {
        self.skip_lines();
        let found = self.keyword() == Some(word);
        if found {
            self.pos += word.len();
        } else {
            self.syntax();
        }
        found
    }

    fn command(&mut self) -> Option<Command> {
        self.deeper(Self::command_here).flatten()
    }

    fn command_here(&mut self) -> Option<Command> {
        if !self.budget.node(self.pos) {
            self.stop();
            return None;
        }
        if self.peek() == Some(b'(') {
            return Some(if self.ahead(1) == Some(b'(') && self.is_arithmetic(2) {
                self.pos += 2;
                let word = self.arithmetic();
                self.block(vec![word], Vec::new())
            } else {
                self.subshell()
            });
        }
        let Some(keyword) = self.keyword() else { return self.simple() };
        if keyword == "in" || CLOSERS.contains(&keyword) {
            return if keyword == "in" { self.simple() } else { None };
        }
        self.pos += keyword.len();
        match keyword {
            "if" => Some(self.conditional()),
            "while" | "until" => {
                let condition = self.list(&["do"]);
                Some(self.body(Vec::new(), condition))
            }
            "for" | "select" => Some(self.repeat()),
            "case" => Some(self.case()),
            "function" => self.function(),
            "{" => {
                let list = self.list(&["}"]);
                self.require(&list);
                self.eat_keyword("}");
                Some(self.block(Vec::new(), vec![Part { list, maybe: false }]))
            }
            "[[" => {
                let word = self.test();
                Some(self.block(vec![word], Vec::new()))
            }
            _ => self.coprocess(),
        }
    }

    /// A list that must hold something.
    fn require(&mut self, list: &List) {
        if list.items.is_empty() {
            self.syntax();
        }
    }

    fn block(&mut self, words: Vec<Word>, parts: Vec<Part>) -> Command {
        let redirects = self.redirects();
        Command::Block(Block { words, parts, subshell: false, redirects })
    }

    fn subshell(&mut self) -> Command {
        self.pos += 1;
        let list = self.list(&[]);
        self.require(&list);
        self.close_paren();
        let redirects = self.redirects();
        let parts = vec![Part { list, maybe: false }];
        Command::Block(Block { words: Vec::new(), parts, subshell: true, redirects })
    }

    pub(super) fn close_paren(&mut self) {
        self.skip_lines();
        if !self.eat(")") {
            self.syntax();
        }
    }

    fn conditional(&mut self) -> Command {
        let mut parts = Vec::new();
        let mut maybe = false;
        loop {
            let condition = self.list(&["then"]);
            self.require(&condition);
            parts.push(Part { list: condition, maybe });
            maybe = true;
            if !self.eat_keyword("then") {
                break;
            }
            let list = self.list(&["elif", "else", "fi"]);
            self.require(&list);
            parts.push(Part { list, maybe });
            if self.keyword() == Some("elif") {
                self.pos += "elif".len();
                continue;
            }
            if self.keyword() == Some("else") {
                self.pos += "else".len();
                let list = self.list(&["fi"]);
                self.require(&list);
                parts.push(Part { list, maybe });
            }
            self.eat_keyword("fi");
            break;
        }
        self.block(Vec::new(), parts)
    }

    /// `do … done` after a condition.
    fn body(&mut self, words: Vec<Word>, condition: List) -> Command {
        let list = self.loop_body();
        let parts = vec![Part { list: condition, maybe: false }, Part { list, maybe: true }];
        self.block(words, parts)
    }

    fn loop_body(&mut self) -> List {
        self.skip_lines();
        let (open, close) = if self.keyword() == Some("{") { ("{", "}") } else { ("do", "done") };
        if !self.eat_keyword(open) {
            return List::default();
        }
        let list = self.list(&[close]);
        self.require(&list);
        self.eat_keyword(close);
        list
    }

    fn repeat(&mut self) -> Command {
        self.skip_blanks();
        if self.rest().starts_with(b"((") {
            self.pos += 2;
            let word = self.arithmetic();
            self.skip_lines();
            self.eat(";");
            return self.body(vec![word], List::default());
        }
        let name = self.word().and_then(|word| word.bare().map(str::to_owned));
        if name.is_none() {
            self.syntax();
        }
        self.skip_lines();
        let mut words = None;
        if self.keyword() == Some("in") {
            self.pos += "in".len();
            let mut list = Vec::new();
            self.skip_blanks();
            while let Some(word) = self.word() {
                list.push(word);
                self.skip_blanks();
            }
            words = Some(list);
        }
        if self.peek() == Some(b';') {
            self.pos += 1;
        }
        let body = self.loop_body();
        let redirects = self.redirects();
        Command::For { name: name.unwrap_or_default(), words, body, redirects }
    }

    fn case(&mut self) -> Command {
        self.skip_blanks();
        let subject = self.word();
        if subject.is_none() || !self.eat_keyword("in") {
            self.syntax();
        }
        let mut parts = Vec::new();
        loop {
            self.skip_lines();
            if self.keyword() == Some("esac") {
                self.pos += "esac".len();
                break;
            }
            if self.peek().is_none() || !self.patterns() {
                self.syntax();
                break;
            }
            let list = self.list(&["esac"]);
            parts.push(Part { list, maybe: true });
            if self.eat(";;") {
                self.eat("&");
            } else {
                self.eat(";&");
            }
        }
        self.block(subject.into_iter().collect(), parts)
    }

    /// The patterns of a branch, with their `)`.
    fn patterns(&mut self) -> bool {
        self.eat("(");
        loop {
            self.skip_blanks();
            if self.pattern().is_none() {
                return false;
            }
            self.skip_blanks();
            if self.eat(")") {
                return true;
            }
            if !self.eat("|") {
                return false;
            }
        }
    }

    fn function(&mut self) -> Option<Command> {
        self.skip_blanks();
        let name = self.word().and_then(|word| word.bare().map(str::to_owned));
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            self.eat(")");
        }
        self.definition(name?)
    }

    fn definition(&mut self, name: String) -> Option<Command> {
        self.skip_lines();
        let body = Rc::new(self.command()?);
        if matches!(*body, Command::Simple(_)) {
            self.syntax();
        }
        Some(Command::Function { name, body })
    }

    fn coprocess(&mut self) -> Option<Command> {
        self.skip_blanks();
        let start = self.pos;
        if self.word().is_some() {
            self.skip_blanks();
            if self.keyword() != Some("{") && self.peek() != Some(b'(') {
                self.pos = start; // no name: that was the command
            }
        }
        self.command()
    }

    fn simple(&mut self) -> Option<Command> {
        let mut simple = Simple::default();
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect() {
                simple.redirects.extend(redirect);
                continue;
            }
            let assigns = simple.words.is_empty() || (self.starts_array() && declares(&simple));
            if assigns
                && let Some(assignment) = self.assignment()
            {
                simple.assignments.push(assignment);
                continue;
            }
            if self.peek() == Some(b'(') {
                match self.parenthesis(&mut simple) {
                    Some(function) => return Some(function),
                    None => continue,
                }
            }
            match self.word() {
                Some(word) => simple.words.push(word),
                None => break,
            }
        }
        let empty = simple.words.is_empty()
            && simple.assignments.is_empty()
            && simple.redirects.is_empty();
        (!empty).then_some(Command::Simple(simple))
    }

    /// A `(` after words: a function's name is before it, or it is an error.
    fn parenthesis(&mut self, simple: &mut Simple) -> Option<Command> {
        self.pos += 1;
        self.skip_blanks();
        let name = match simple.words.as_slice() {
            [word] if simple.assignments.is_empty() && self.peek() == Some(b')') => word.bare(),
            _ => None,
        };
        if let Some(name) = name {
            self.pos += 1;
            return self.definition(name.to_owned());
        }
        self.syntax(); // go on with what stands inside, as words
        None
    }

    /// `name=(` or `name+=(` comes next.
    fn starts_array(&self) -> bool {
        let rest = self.rest();
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let after = rest.get(rest.iter().take_while(is_name).count()..).unwrap_or_default();
        after.starts_with(b"=(") || after.starts_with(b"+=(")
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let rest = self.rest();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_name(byte))?;
        if length == 0 || rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let mut after = length;
        let mut append = false;
        if rest.get(after) == Some(&b'[') {
            let close = rest.iter().take(256).position(|&byte| byte == b']')?;
            after = close + 1;
            append = true;
        }
        if rest.get(after) == Some(&b'+') {
            after += 1;
            append = true;
        }
        if rest.get(after) != Some(&b'=') {
            return None;
        }
        let name = self.text.get(self.pos..self.pos + length)?.to_owned();
        self.pos += after + 1;
        let value = if self.eat("(") { self.array() } else { Value::Word(self.assigned()) };
        Some(Assignment { name, append, value })
    }

    fn array(&mut self) -> Value {
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            match self.word() {
                Some(word) => words.push(word),
                None => break,
            }
        }
        self.close_paren();
        Value::Array(words)
    }

    fn redirects(&mut self) -> Vec<Redirect> {
        let mut found = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => found.extend(redirect),
                None => return found,
            }
        }
    }

    /// A redirection here; the inner None is one that opens no file (`2>&1`).
    #[allow(clippy::option_option, reason = "none here, or one without a file")]
    fn redirect(&mut self) -> Option<Option<Redirect>> {
        let rest = self.rest();
        let mut digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if rest.first() == Some(&b'{') {
            let close = rest.iter().take(64).position(|&byte| byte == b'}')?;
            digits = close + 1; // `{name}>file`
        }
        let operator = rest.get(digits..)?;
        let (length, op) = match operator {
            [b'&', b'>', b'>', ..] if digits == 0 => (3, ">>"),
            [b'&', b'>', ..] if digits == 0 => (2, ">"),
            [b'<', b'(', ..] | [b'>', b'(', ..] if digits == 0 => return None,
            [b'<', b'<', b'<', ..] => (3, "<<<"),
            [b'<', b'<', b'-', ..] => (3, "<<-"),
            [b'<', b'<', ..] => (2, "<<"),
            [b'<', b'>', ..] => (2, "<>"),
            [b'<', b'&', ..] => (2, "<&"),
            [b'<', ..] => (1, "<"),
            [b'>', b'>', ..] => (2, ">>"),
            [b'>', b'&', ..] => (2, ">&"),
            [b'>', b'|', ..] => (2, ">"),
            [b'>', ..] => (1, ">"),
            _ => return None,
        };
        let number = self.text.get(self.pos..self.pos + digits).and_then(|text| text.parse().ok());
        let fd = number.unwrap_or(u32::from(!op.starts_with('<')));
        self.pos += digits + length;
        self.skip_blanks();
        Some(self.redirect_target(op, fd))
    }

    fn redirect_target(&mut self, op: &'static str, fd: u32) -> Option<Redirect> {
        let start = self.pos;
        let Some(word) = self.word() else {
            self.syntax();
            return None;
        };
        let target = match op {
            "<<" | "<<-" => {
                let raw = self.text.get(start..self.pos).unwrap_or_default();
                self.expect_heredoc(&word, raw, op == "<<-")
            }
            "<<<" => Target::Text(word),
            ">&" | "<&" => {
                let copies = word.bare().is_some_and(|text| {
                    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
                });
                if copies || op == "<&" {
                    return None;
                }
                Target::File(">", word)
            }
            file => Target::File(file, word),
        };
        Some(Redirect { fd, target })
    }

    fn expect_heredoc(&mut self, word: &Word, raw: &str, strip_tabs: bool) -> Target {
        let number = self.heredocs.len();
        self.heredocs.push(Word::default());
        let literal = raw.contains(['\'', '"', '\\']);
        let delimiter = if literal { word.text() } else { raw.to_owned() };
        self.pending.push(Pending { number, delimiter, strip_tabs, literal });
        Target::Here(number)
    }

    fn read_heredoc(&mut self, pending: &Pending) {
        let start = self.pos;
        let mut body = String::new();
        let mut end = None;
        while let Some(rest) = self.text.get(self.pos..).filter(|rest| !rest.is_empty()) {
            let length = rest.find('\n');
            let line = length.map_or(rest, |length| rest.get(..length).unwrap_or_default());
            let shown = if pending.strip_tabs { line.trim_start_matches('\t') } else { line };
            if shown.strip_suffix('\r').unwrap_or(shown) == pending.delimiter {
                end = Some(self.pos);
                self.pos += length.map_or(line.len(), |length| length + 1);
                break;
            }
            // `$(cat <<EOF` … `EOF)`: bash takes the document to end there.
            if self.substitutions > 0
                && let Some(after) = shown.strip_prefix(pending.delimiter.as_str())
                && after.starts_with(')')
            {
                end = Some(self.pos);
                self.pos += line.len() - after.len();
                break;
            }
            if pending.strip_tabs {
                body.push_str(shown);
                body.push('\n');
            }
            self.pos += length.map_or(line.len(), |length| length + 1);
        }
        if end.is_none() && self.pos > start {
            self.syntax(); // what is taken for a text may be commands
        }
        let text = self.text;
        let whole = text.get(start..end.unwrap_or(self.pos)).unwrap_or_default();
        let body = if pending.strip_tabs { body.as_str() } else { whole };
        let word = if pending.literal { Word::literal(body) } else { self.document(body) };
        if let Some(place) = self.heredocs.get_mut(pending.number) {
            *place = word;
        }
    }

    /// Here-documents whose text never came.
    fn finish_heredocs(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.read_heredoc(&pending);
        }
    }
}

/// Whether a command declares variables: then its arguments may be arrays.
fn declares(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(Word::bare);
    matches!(name, Some("declare" | "typeset" | "local" | "readonly" | "export"))
}

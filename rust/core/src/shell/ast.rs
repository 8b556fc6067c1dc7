//! What a command line says, before anything is known of its variables.

use std::rc::Rc;

/// Commands in order, with what joins them.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
}

/// One pipeline of a list.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) stages: Vec<Command>,
    /// It runs only if the one before it succeeds (`&&`) or fails (`||`).
    pub(super) joined: Joined,
    /// It ends in `&`.
    pub(super) background: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    Always,
    And,
    Or,
}

#[derive(Debug)]
pub(super) enum Command {
    Simple(Simple),
    /// Groups, subshells, conditions and loops: parts that run in order, some of them perhaps.
    Block(Block),
    For {
        name: String,
        /// None is `"$@"`.
        words: Option<Vec<Word>>,
        body: List,
        redirects: Vec<Redirect>,
    },
    Function {
        name: String,
        body: Rc<Command>,
    },
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Assignment>,
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
}

#[derive(Debug)]
pub(super) struct Block {
    /// Words that are only expanded (`[[ … ]]`, `(( … ))`, the subject of `case`).
    pub(super) words: Vec<Word>,
    pub(super) parts: Vec<Part>,
    /// What it does to variables and folders stays inside: `( … )`.
    pub(super) subshell: bool,
    pub(super) redirects: Vec<Redirect>,
}

#[derive(Debug)]
pub(super) struct Part {
    pub(super) list: List,
    /// It may not run: a branch, or a loop's body.
    pub(super) maybe: bool,
}

#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    /// `+=`, or one element of an array.
    pub(super) append: bool,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Word(Word),
    Array(Vec<Word>),
}

#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) fd: u32,
    pub(super) target: Target,
}

#[derive(Debug)]
pub(super) enum Target {
    /// A file, by `<`, `>`, `>>` or `<>`.
    File(&'static str, Word),
    /// A here-document: its number in the store, because its body comes after its command.
    Here(usize),
    /// A here-string.
    Text(Word),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
    /// An unquoted `{` stands in it.
    pub(super) braces: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text {
        text: String,
        quoted: bool,
    },
    Tilde(String),
    Parameter {
        parameter: Rc<Parameter>,
        quoted: bool,
    },
    /// `$( … )` or backticks.
    Command {
        list: Rc<List>,
        quoted: bool,
    },
    /// `<( … )` or `>( … )`.
    Process {
        list: Rc<List>,
        reads: bool,
    },
    /// `$(( … ))`: a number; what is expanded in it.
    Arithmetic(Rc<Word>),
    /// A part that whoever made this text did not know either.
    Unknown {
        quoted: bool,
    },
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// `[@]` or `[*]`.
    pub(super) all: bool,
    pub(super) operation: Operation,
}

#[derive(Debug)]
pub(super) enum Operation {
    Plain,
    /// `${#x}`
    Length,
    /// `${!x}`
    Indirect,
    /// `${x:-w}` `${x-w}` `${x:=w}` `${x=w}`
    Default(Word),
    /// `${x:+w}` `${x+w}`
    Alternative(Word),
    /// `${x:?w}` `${x?w}`
    Required,
    /// `${x#w}` `${x##w}`
    TrimStart(Word),
    /// `${x%w}` `${x%%w}`
    TrimEnd(Word),
    /// `${x/from/to}` `${x//from/to}`
    Replace {
        from: Word,
        to: Word,
        all: bool,
    },
    Upper,
    Lower,
    /// `${x:offset:length}`
    Slice(Word, Option<Word>),
}

impl Word {
    /// The word's text, if it is one unquoted literal: what a keyword or an alias must be.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }

    pub(super) fn literal(text: &str) -> Self {
        let pieces = vec![Piece::Text { text: text.to_owned(), quoted: true }];
        Self { pieces, braces: false }
    }
}

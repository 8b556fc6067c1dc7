//! Commands to runs: walks what was parsed as a shell would run it, branches included.

mod braces;
mod builtin;
pub(in crate::shell) mod carriers;
mod expand;
mod output;
mod parameter;
pub(in crate::shell) mod simple;
pub(in crate::shell) mod state;

use std::rc::Rc;
use std::sync::Arc;

use crate::shell::ast::{Block, Command, Item, Joined, List, Part, Redirect, Target, Word};
use crate::shell::budget::{Budget, FaultKind};
use crate::shell::field::{Field, mark};
use crate::shell::parse::parse;
use crate::shell::run::{Opened, Run};
use crate::shell::walk::state::{Shell, Value, how};

/// Words of a `for` that its body is read with.
const MOST_WORDS: usize = 256;

pub(in crate::shell) struct Walker<'a> {
    pub(in crate::shell) budget: Budget,
    pub(in crate::shell) heredocs: Vec<Word>,
    pub(in crate::shell) runs: Vec<Run>,
    pub(in crate::shell) home: &'a str,
    /// Values that the variables of the words in hand may have.
    pub(in crate::shell) width: usize,
    /// What `/dev/fd/N` of a process substitution holds.
    pub(in crate::shell) files: Vec<(String, Field)>,
}

impl Walker<'_> {
    /// Walks a list; its output, as far as it is known.
    pub(in crate::shell) fn list(&mut self, list: &List, shell: &mut Shell) -> Field {
        if !self.budget.enter(0) {
            return Field::unknown(0);
        }
        let (outer_how, outer_branch) = (shell.how, shell.branch);
        let mut output = Field::default();
        for item in &list.items {
            shell.how = outer_how | item_how(item);
            shell.branch = outer_branch || item.joined == Joined::Or;
            let made = if item.background {
                self.pipeline(&item.stages, &mut shell.clone())
            } else {
                self.pipeline(&item.stages, shell)
            };
            output.push(&made);
        }
        (shell.how, shell.branch) = (outer_how, outer_branch);
        self.budget.leave();
        output
    }

    fn pipeline(&mut self, stages: &[Command], shell: &mut Shell) -> Field {
        if let [only] = stages {
            return self.command(only, shell);
        }
        let start = self.runs.len();
        let mut output: Option<Field> = None;
        for (number, stage) in stages.iter().enumerate() {
            let mut inner = shell.clone();
            if let Some(output) = output.take() {
                inner.stdin = Some(output);
            }
            if number + 1 < stages.len() {
                inner.how |= how::PIPED;
            }
            let mut made = self.command(stage, &mut inner);
            made.sources.retain(|&(first, _)| first < start);
            made.sources.insert(0, (start, self.runs.len()));
            output = Some(made);
        }
        output.unwrap_or_default()
    }

    pub(in crate::shell) fn command(&mut self, command: &Command, shell: &mut Shell) -> Field {
        if !self.budget.step() {
            return Field::unknown(0);
        }
        match command {
            Command::Simple(simple) => self.simple(simple, shell),
            Command::Block(block) => self.block(block, shell),
            Command::For { name, words, body, redirects } => {
                self.repeat((name, words.as_deref()), body, redirects, shell)
            }
            Command::Function { name, body } => {
                Rc::make_mut(&mut shell.functions).insert(name.clone(), Rc::clone(body));
                Field::default()
            }
        }
    }

    fn block(&mut self, block: &Block, shell: &mut Shell) -> Field {
        for word in &block.words {
            self.expand_one(word, shell, 0);
        }
        let opened = self.open(&block.redirects, shell, 0);
        if block.subshell {
            let mut inner = shell.clone();
            let output = self.parts(&block.parts, &opened, &mut inner);
            return self.close(opened, output, shell);
        }
        let output = self.parts(&block.parts, &opened, shell);
        self.close(opened, output, shell)
    }

    fn parts(&mut self, parts: &[Part], opened: &Opened, shell: &mut Shell) -> Field {
        let outer = (shell.how, shell.branch);
        let stdin = opened.stdin.clone().map(|stdin| shell.stdin.replace(stdin));
        let mut output = Field::default();
        for part in parts {
            if part.maybe {
                shell.how |= how::MAYBE;
                shell.branch = true;
            }
            let made = self.list(&part.list, shell);
            output.push(&made);
        }
        (shell.how, shell.branch) = outer;
        if let Some(stdin) = stdin {
            shell.stdin = stdin;
        }
        output
    }

    fn repeat(
        &mut self,
        (name, words): (&str, Option<&[Word]>),
        body: &List,
        redirects: &[Redirect],
        shell: &mut Shell,
    ) -> Field {
        let mut values = match words {
            Some(words) => self.expand(words, shell, 0),
            None => shell.arguments.as_deref().map(<[Field]>::to_vec).unwrap_or_default(),
        };
        if values.len() > MOST_WORDS {
            self.budget.fault(FaultKind::Decoded, 0, true);
            values.truncate(MOST_WORDS);
        }
        if values.is_empty() {
            values.push(Field::unknown(0));
        }
        Rc::make_mut(&mut shell.variables).insert(name.to_owned(), Value::One(values));
        let opened = self.open(redirects, shell, 0);
        let branch = shell.branch;
        shell.branch = true;
        let stdin = opened.stdin.clone().map(|stdin| shell.stdin.replace(stdin));
        let output = self.list(body, shell);
        if let Some(stdin) = stdin {
            shell.stdin = stdin;
        }
        shell.branch = branch;
        self.close(opened, output, shell)
    }

    /// Opens the files of a command, and says what its standard input is.
    pub(in crate::shell) fn open(
        &mut self,
        redirects: &[Redirect],
        shell: &mut Shell,
        alternative: usize,
    ) -> Opened {
        let mut opened = Opened::default();
        for redirect in redirects {
            match &redirect.target {
                Target::File(op, word) => {
                    let field = self.expand_one(word, shell, alternative);
                    opened.hides_output |= redirect.fd == 1 && *op != "<";
                    if redirect.fd == 0 {
                        let content = self.files.iter().find(|(path, _)| *path == field.text);
                        opened.stdin = Some(match content {
                            Some((_, content)) => content.clone(),
                            None => Field::unknown(0),
                        });
                    }
                    opened.files.push((*op, redirect.fd, field.text, field.mark));
                }
                Target::Here(number) => {
                    let body = self.heredocs.get_mut(*number).map(std::mem::take);
                    let body = body.unwrap_or_default();
                    opened.stdin = Some(self.expand_one(&body, shell, alternative));
                    if let Some(place) = self.heredocs.get_mut(*number) {
                        *place = body; // a function's body is read again
                    }
                }
                Target::Text(word) => {
                    let mut field = self.expand_one(word, shell, alternative);
                    field.text.push('\n');
                    opened.stdin = Some(field);
                }
            }
        }
        opened
    }

    /// Tells of the files of a compound command; what is left of its output.
    fn close(&mut self, opened: Opened, output: Field, shell: &Shell) -> Field {
        if opened.files.is_empty() {
            return output;
        }
        let hides_output = opened.hides_output;
        let mut run = Run::new(shell);
        run.redirects = opened.files;
        run.output = output.certain().map(str::to_owned);
        run.sources.extend(output.sources.iter().map(|&(first, last)| (-1, first, last)));
        self.push(run);
        if hides_output { Field::default() } else { output }
    }

    /// Adds a run; its index, or None where there may be no more.
    pub(in crate::shell) fn push(&mut self, run: Run) -> Option<usize> {
        if self.runs.len() >= self.budget.limits.runs {
            self.budget.stop_walking();
            return None;
        }
        self.runs.push(run);
        Some(self.runs.len() - 1)
    }

    /// The output of commands in a substitution.
    pub(in crate::shell) fn capture(&mut self, list: &List, shell: &Shell) -> Field {
        let start = self.runs.len();
        let mut inner = shell.clone();
        inner.how |= how::CAPTURED;
        let mut output = self.list(list, &mut inner);
        output.add_sources(&[(start, self.runs.len())]);
        output
    }

    /// The name of a process substitution, and what can be read there.
    pub(in crate::shell) fn process(&mut self, list: &List, reads: bool, shell: &Shell) -> Field {
        let start = self.runs.len();
        let mut inner = shell.clone();
        if reads {
            inner.how |= how::CAPTURED;
        } else {
            // What is written there comes from the command around it.
            let mut stdin = Field::unknown(0);
            if let Some(outer) = &shell.stdin {
                stdin.add_sources(&outer.sources);
            }
            inner.stdin = Some(stdin);
        }
        let mut output = self.list(list, &mut inner);
        output.add_sources(&[(start, self.runs.len())]);
        let path = format!("/dev/fd/{}", 63_usize.saturating_sub(self.files.len()));
        let sources = output.sources.clone();
        if reads {
            self.files.push((path.clone(), output));
        }
        Field { text: path, mark: 0, sources }
    }

    /// Reads a text as commands of this shell; whether there was anything to read.
    pub(in crate::shell) fn read_code(
        &mut self,
        code: &Field,
        via: &str,
        shell: &mut Shell,
    ) -> Option<Field> {
        if !code.says_something() || !self.budget.decode(code.text.len()) {
            return None;
        }
        if !self.budget.enter(0) {
            return None;
        }
        let known_faults = self.budget.faults.len();
        let list = parse(&code.text, &mut self.budget, &mut self.heredocs);
        if !code.is_exact() {
            // A quote may be closed in the part that is not known.
            let mut number = 0;
            self.budget.faults.retain(|fault| {
                number += 1;
                number <= known_faults || fault.kind != FaultKind::Syntax
            });
        }
        let outer_sources = std::mem::replace(&mut shell.code_sources, code.sources.clone());
        shell.depth += 1;
        shell.via.push(Arc::from(via));
        let output = self.list(&list, shell);
        shell.via.pop();
        shell.depth -= 1;
        shell.code_sources = outer_sources;
        self.budget.leave();
        Some(output)
    }

    /// The fields that stand for names that a program finds.
    pub(in crate::shell) fn found(sources: &[(usize, usize)]) -> Field {
        let mut field = Field::unknown(mark::FOUND | mark::UNQUOTED | mark::PRESENT);
        field.add_sources(sources);
        field
    }
}

fn item_how(item: &Item) -> u16 {
    let maybe = if item.joined == Joined::Always { 0 } else { how::MAYBE };
    maybe | if item.background { how::BACKGROUND } else { 0 }
}

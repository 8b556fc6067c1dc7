//! Simple commands: assignments, aliases, functions, carriers, and the run that is left.

use std::rc::Rc;
use std::sync::Arc;

use crate::shell::ast::{Assignment, Command, Simple, Value as Assigned, Word};
use crate::shell::field::Field;
use crate::shell::parse::parse;
use crate::shell::run::{Opened, Run, base_name};
use crate::shell::walk::Walker;
use crate::shell::walk::carriers::{self, Carried};
use crate::shell::walk::state::{Shell, Value, how};

/// Aliases that are put in one another's place.
const MOST_ALIASES: usize = 4;

/// A command whose words are known as far as they can be.
#[derive(Clone, Default)]
pub(in crate::shell) struct Call {
    pub(in crate::shell) words: Vec<Field>,
    pub(in crate::shell) env: Vec<(String, Field)>,
    pub(in crate::shell) stdin: Option<Field>,
}

impl Call {
    pub(in crate::shell) fn program(&self) -> &str {
        self.words.first().map_or("", |word| base_name(&word.text))
    }

    pub(in crate::shell) fn args(&self) -> &[Field] {
        self.words.get(1..).unwrap_or_default()
    }
}

impl Walker<'_> {
    pub(in crate::shell) fn simple(&mut self, simple: &Simple, shell: &mut Shell) -> Field {
        let aliased = self.expand_aliases(&simple.words, shell);
        let words = aliased.as_deref().unwrap_or(&simple.words);
        if words.is_empty() {
            return self.assign_only(simple, shell);
        }
        let outer_width = std::mem::replace(&mut self.width, 1);
        let mut output = None;
        let mut alternative = 0;
        while alternative < self.width {
            if alternative > 0 && !self.budget.step() {
                break;
            }
            let fields = self.expand(words, shell, alternative);
            let opened = self.open(&simple.redirects, shell, alternative);
            let mut env = Vec::new();
            for assignment in &simple.assignments {
                env.push((assignment.name.clone(), self.value(assignment, shell, alternative)));
            }
            for assignment in &simple.assignments {
                if let Assigned::Array(words) = &assignment.value {
                    let values = Value::Many(self.expand(words, shell, alternative));
                    shell.assign(&assignment.name, values, assignment.append);
                }
            }
            let stdin = opened.stdin.clone().or_else(|| shell.stdin.clone());
            let width = self.width;
            let made = self.call(Call { words: fields, env, stdin }, opened, shell);
            self.width = width;
            output.get_or_insert(made);
            alternative += 1;
        }
        self.width = outer_width;
        output.unwrap_or_default()
    }

    /// The words of a command that starts with an alias.
    fn expand_aliases(&mut self, words: &[Word], shell: &Shell) -> Option<Vec<Word>> {
        let mut expanded: Option<Vec<Word>> = None;
        for _ in 0..MOST_ALIASES {
            let now = expanded.as_deref().unwrap_or(words);
            let Some(text) =
                now.first().and_then(Word::bare).and_then(|name| shell.aliases.get(name))
            else {
                break;
            };
            let list = parse(text, &mut self.budget, &mut self.heredocs);
            let Some(Command::Simple(simple)) =
                list.items.first().and_then(|item| item.stages.first())
            else {
                break;
            };
            let rest = now.get(1..).unwrap_or_default();
            expanded = Some(simple.words.iter().chain(rest).cloned().collect());
        }
        expanded
    }

    fn value(&mut self, assignment: &Assignment, shell: &mut Shell, alternative: usize) -> Field {
        match &assignment.value {
            Assigned::Word(word) => self.expand_one(word, shell, alternative),
            Assigned::Array(words) => {
                self.expand(words, shell, alternative).into_iter().next().unwrap_or_default()
            }
        }
    }

    /// `X=1` and `> file`: no program.
    fn assign_only(&mut self, simple: &Simple, shell: &mut Shell) -> Field {
        let mut run = Run::new(shell);
        for assignment in &simple.assignments {
            if Rc::strong_count(&shell.variables) > 1
                && !self.budget.decode(shell.variables.len().saturating_mul(32))
            {
                break; // each subshell that assigns has its own copy
            }
            let value = match &assignment.value {
                Assigned::Array(words) => Value::Many(self.expand(words, shell, 0)),
                Assigned::Word(word) => {
                    let outer = std::mem::replace(&mut self.width, 1);
                    let mut values = vec![self.expand_one(word, shell, 0)];
                    for alternative in 1..self.width {
                        values.push(self.expand_one(word, shell, alternative));
                    }
                    self.width = outer;
                    Value::One(values)
                }
            };
            let shown = match &value {
                Value::One(fields) | Value::Many(fields) => fields.first(),
            };
            let shown = shown.map(|field| field.text.clone()).unwrap_or_default();
            run.env.push((assignment.name.clone(), shown));
            shell.assign(&assignment.name, value, assignment.append);
        }
        let opened = self.open(&simple.redirects, shell, 0);
        run.redirects = opened.files;
        run.output = Some(String::new());
        run.marks = vec![0];
        self.push(run);
        Field::default()
    }

    /// Runs a command with all its words: a function, or a program behind its carriers.
    pub(in crate::shell) fn call(
        &mut self,
        call: Call,
        opened: Opened,
        shell: &mut Shell,
    ) -> Field {
        let hides_output = opened.hides_output;
        let output = self.call_shown(call, opened, shell);
        if hides_output { Field::default() } else { output }
    }

    fn call_shown(&mut self, mut call: Call, opened: Opened, shell: &mut Shell) -> Field {
        if !self.budget.step() || call.words.is_empty() {
            return Field::default();
        }
        let name = call.words.first().map(|word| word.text.clone()).unwrap_or_default();
        if let Some(body) = shell.functions.get(&name).cloned() {
            return self.function(&name, &body, &call, opened, shell);
        }
        let carried = carriers::strip(&mut call);
        if carried.is_plain() {
            return self.program(&call, opened, shell);
        }
        let mut inner = shell.clone();
        let Carried { via, code, cwd } = carried;
        inner.via.extend(via);
        if let Some(cwd) = cwd {
            inner.cwd = resolve(inner.cwd.as_deref(), &cwd);
        }
        if let Some(code) = code {
            inner.stdin.clone_from(&call.stdin);
            return self.read_code(&code, "env -S", &mut inner).unwrap_or_default();
        }
        let name = call.program().to_owned();
        if let Some(body) = inner.functions.get(&name).cloned() {
            return self.function(&name, &body, &call, opened, &mut inner);
        }
        let output = self.program(&call, opened, &mut inner);
        // `builtin cd ..` is this shell's own.
        if inner.via.iter().skip(shell.via.len()).all(|it| matches!(&**it, "command" | "builtin")) {
            inner.via.truncate(shell.via.len());
            *shell = inner;
        }
        output
    }

    fn function(
        &mut self,
        name: &str,
        body: &Rc<Command>,
        call: &Call,
        opened: Opened,
        shell: &mut Shell,
    ) -> Field {
        let calls_itself = shell.calls.iter().any(|running| running == name);
        let mut run = Run::new(shell);
        run.set_words(&call.words);
        run.how |= how::DEFINED | if calls_itself { how::RECURSIVE } else { 0 };
        run.redirects = opened.files;
        self.push(run);
        if calls_itself || !self.budget.enter(0) {
            return Field::unknown(0);
        }
        let arguments = shell.arguments.replace(Rc::from(call.args()));
        let stdin = std::mem::replace(&mut shell.stdin, call.stdin.clone());
        shell.calls.push(name.to_owned());
        let simple_body = Rc::clone(body);
        let output = self.command(&simple_body, shell);
        shell.calls.pop();
        shell.stdin = stdin;
        shell.arguments = arguments;
        self.budget.leave();
        output
    }

    fn program(&mut self, call: &Call, opened: Opened, shell: &mut Shell) -> Field {
        let mut run = Run::new(shell);
        run.set_words(&call.words);
        run.env = call.env.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect();
        run.redirects = opened.files;
        if let Some(stdin) = &call.stdin {
            run.stdin = stdin.certain().map(str::to_owned);
            run.sources.extend(stdin.sources.iter().map(|&(first, last)| (-1, first, last)));
        }
        let output = self.output(call, shell);
        run.output = output.as_ref().and_then(Field::certain).map(str::to_owned);
        let Some(index) = self.push(run) else { return Field::unknown(0) };
        self.builtin(call, shell);
        let read = self.carried_code(call, index, shell);
        if read.is_some()
            && let Some(run) = self.runs.get_mut(index)
        {
            run.how |= how::OPENED;
        }
        let mut output = output.or(read).unwrap_or_else(|| Field::unknown(0));
        if !output.is_exact() {
            output.add_sources(&[(index, self.runs.len())]);
        }
        output
    }
}

/// A folder after `cd`.
pub(in crate::shell) fn resolve(cwd: Option<&str>, path: &str) -> Option<Arc<str>> {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", cwd?) };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(Arc::from(format!("/{}", parts.join("/"))))
}

//! Programs that run another for each item of a list: `xargs`, `find -exec`, `parallel`.

use std::sync::Arc;

use super::join;
use crate::shell::field::{Field, mark};
use crate::shell::walk::Walker;
use crate::shell::walk::simple::Call;
use crate::shell::walk::state::Shell;

/// Items of a known list that `xargs` and `parallel` are read with.
const MOST_ITEMS: usize = 256;

/// Options of `xargs` that take a word.
const XARGS_OPTIONS: [&str; 14] = [
    "a",
    "d",
    "E",
    "I",
    "L",
    "n",
    "P",
    "s",
    "arg-file",
    "delimiter",
    "max-args",
    "max-procs",
    "max-chars",
    "max-lines",
];
/// Options of `parallel` that take a word.
const PARALLEL_OPTIONS: [&str; 26] = [
    "-j",
    "--jobs",
    "-P",
    "-a",
    "--arg-file",
    "-N",
    "-n",
    "-I",
    "-C",
    "--colsep",
    "-d",
    "--delimiter",
    "--results",
    "--joblog",
    "--delay",
    "--retries",
    "--timeout",
    "-S",
    "--sshlogin",
    "--tmpdir",
    "--workdir",
    "--wd",
    "--return",
    "--env",
    "--halt",
    "--nice",
];

/// What `xargs` is told.
#[derive(Default)]
struct Options<'a> {
    replace: Option<&'a str>,
    separator: Option<char>,
    from_file: bool,
    /// The command and its first arguments.
    rest: &'a [Field],
}

impl<'a> Options<'a> {
    fn read(mut args: &'a [Field]) -> Option<Self> {
        let mut options = Self::default();
        while let Some((first, rest)) = args.split_first() {
            let text = first.text.as_str();
            if !text.starts_with('-') || text.len() < 2 {
                break;
            }
            args = rest;
            if text == "--" {
                break;
            }
            let (option, attached) = split_option(text);
            let value = match attached {
                None if XARGS_OPTIONS.contains(&option) => {
                    let (value, rest) = args.split_first()?;
                    args = rest;
                    Some(value.text.as_str())
                }
                attached => attached,
            };
            match option {
                "I" | "replace" | "i" => options.replace = Some(value.unwrap_or("{}")),
                "a" | "arg-file" => options.from_file = true,
                "0" | "null" => options.separator = Some('\0'),
                "d" | "delimiter" => options.separator = value.and_then(|it| it.chars().next()),
                _ => {}
            }
        }
        options.rest = args;
        Some(options)
    }
}

/// An option's name, and the value that is attached to it.
fn split_option(text: &str) -> (&str, Option<&str>) {
    match text.strip_prefix("--") {
        Some(long) => {
            long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)))
        }
        None => {
            (text.get(1..2).unwrap_or_default(), text.get(2..).filter(|value| !value.is_empty()))
        }
    }
}

impl Walker<'_> {
    pub(in crate::shell) fn xargs(
        &mut self,
        call: &Call,
        index: usize,
        shell: &Shell,
    ) -> Option<Field> {
        let options = Options::read(call.args())?;
        let (replace, args) = (options.replace, options.rest);
        let separator = options.separator;
        let unread = Field::unknown(0);
        let stdin = if options.from_file { Some(&unread) } else { call.stdin.as_ref() };
        let items = items(stdin, separator.or(replace.map(|_| '\n')), index);
        let mut inner = shell.clone();
        inner.via.push(Arc::from("xargs"));
        inner.depth += 1;
        let words = if args.is_empty() { vec![Field::exact("echo")] } else { args.to_vec() };
        let mut output = None;
        let calls = match replace {
            Some(place) => items.iter().map(|item| put(&words, place, item)).collect(),
            None => vec![words.into_iter().chain(items).collect::<Vec<_>>()],
        };
        for words in calls {
            let made = self.nested(Call { words, ..Call::default() }, &mut inner);
            output.get_or_insert(made);
        }
        output
    }

    pub(in crate::shell) fn find(
        &mut self,
        args: &[Field],
        index: usize,
        shell: &Shell,
    ) -> Option<Field> {
        let mut output = None;
        let mut rest = args;
        while let Some(at) = rest
            .iter()
            .position(|arg| matches!(arg.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir"))
        {
            let after = rest.get(at + 1..).unwrap_or_default();
            let end = after.iter().position(|arg| matches!(arg.text.as_str(), ";" | "+"));
            let words = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
            let found = Self::found(&[(index, index + 1)]);
            let mut inner = shell.clone();
            inner.via.push(Arc::from("find -exec"));
            inner.depth += 1;
            let call = Call { words: put(words, "{}", &found), ..Call::default() };
            let made = self.nested(call, &mut inner);
            output.get_or_insert(made);
            rest = after.get(words.len()..).unwrap_or_default();
        }
        output
    }

    pub(in crate::shell) fn fd(
        &mut self,
        args: &[Field],
        index: usize,
        shell: &Shell,
    ) -> Option<Field> {
        let at = args
            .iter()
            .position(|arg| matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))?;
        let found = Self::found(&[(index, index + 1)]);
        let given = args.get(at + 1..).unwrap_or_default();
        let mut words = put(given, "{}", &found);
        if !given.iter().any(|word| word.text.contains('{')) {
            words.push(found);
        }
        let mut inner = shell.clone();
        inner.via.push(Arc::from("fd --exec"));
        inner.depth += 1;
        Some(self.nested(Call { words, ..Call::default() }, &mut inner))
    }

    pub(in crate::shell) fn parallel(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
        let args = call.args();
        let colons = args.iter().position(|arg| arg.text.starts_with(":::"));
        let mut start = 0;
        while let Some(arg) = args.get(start).filter(|arg| arg.text.starts_with('-')) {
            start += if PARALLEL_OPTIONS.contains(&arg.text.as_str()) { 2 } else { 1 };
        }
        let words = args.get(start..colons.unwrap_or(args.len())).unwrap_or_default();
        let items = match colons {
            Some(at) => args.get(at + 1..).unwrap_or_default().to_vec(),
            None => items(call.stdin.as_ref(), Some('\n'), self.runs.len()),
        };
        let code = join(words);
        let mut output = None;
        for item in items.iter().take(MOST_ITEMS) {
            let mut line = if code.text.is_empty() {
                item.clone()
            } else if code.text.contains("{}") {
                let mut line = code.with_text(code.text.replace("{}", &item.text));
                line.mark |= item.mark;
                line.add_sources(&item.sources);
                line
            } else {
                let mut line = code.clone();
                line.text.push(' ');
                line.push(item);
                line
            };
            line.mark &= !mark::GLOB;
            let made = self.fresh(&line, "parallel", shell, None);
            output = output.or(made);
            // With `-q`, and in the minds of many, a quoted word stays whole.
            if words.iter().any(|word| word.text == "-c") {
                let mut whole = put(words, "{}", item);
                if !code.text.contains("{}") {
                    whole.push(item.clone());
                }
                let mut inner = shell.clone();
                inner.via.push(Arc::from("parallel"));
                inner.depth += 1;
                self.nested(Call { words: whole, ..Call::default() }, &mut inner);
            }
        }
        output
    }
}

/// The words of a list that a program reads, or one that stands for what is not known.
fn items(stdin: Option<&Field>, separator: Option<char>, index: usize) -> Vec<Field> {
    let Some(stdin) = stdin else { return Vec::new() };
    let Some(text) = stdin.known() else {
        let mut sources = stdin.sources.clone();
        sources.push((index, index));
        return vec![Walker::found(&sources)];
    };
    // `echo * | xargs`: the names that a pattern stands for.
    let one = |item: &str| stdin.with_text(item);
    let items: Vec<Field> = match separator {
        Some(separator) => text
            .split(separator)
            .map(str::trim_end)
            .filter(|item| !item.is_empty())
            .map(one)
            .collect(),
        None => text.split_whitespace().map(|item| one(item.trim_matches(['\'', '"']))).collect(),
    };
    items.into_iter().take(MOST_ITEMS).collect()
}

/// The words with an item in the place of `{}`.
fn put(words: &[Field], place: &str, item: &Field) -> Vec<Field> {
    let replaced = words.iter().map(|word| {
        if place.is_empty() || !word.text.contains(place) {
            return word.clone();
        }
        let mut word = Field { text: word.text.replace(place, &item.text), ..word.clone() };
        word.mark |= item.mark;
        word.add_sources(&item.sources);
        word
    });
    replaced.collect()
}

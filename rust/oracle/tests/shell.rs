//! The reader beside `brush-parser`: whatever that one finds to be a command is among the runs.
//!
//! Only lines of few layers go to the oracle: it takes exponential time on open parentheses. The
//! lines are those of a folder of commands that `OSTIARY_COMMANDS` names, and a few of our own.
#![allow(clippy::print_stderr, reason = "says that a folder is missing")]

use std::collections::HashSet;
use std::io::Cursor;
use std::path::Path;

use brush_parser::ast::{
    Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, IoFileRedirectTarget,
    IoRedirect, Pipeline, Program, SimpleCommand,
};
use brush_parser::{Parser, ParserOptions};
use ostiary_core::{FaultKind, ReadingLimits, Start, read_command};

const LIMITS: ReadingLimits =
    ReadingLimits { bytes: 1 << 20, nodes: 20_000, depth: 64, runs: 2_000, decoded: 1 << 20 };

const LINES: &[&str] = &[
    "if true; then ls; elif false; then cat x; else rm y; fi",
    "for f in *.c; do gcc \"$f\"; done | sort",
    "case $x in a|b) ls ;; (c) cat ;; *) rm x; esac",
    "f() { ls; }; f; function g { cat; }; g",
    "while read -r l; do echo \"$l\"; done < x",
    "cat <<EOF | sort\ntext; rm x\nEOF\nls",
    "diff <(ls a) <(ls b)",
    "((i++)); [[ a == b && -f c ]] && ls",
    "(cd /tmp; ls) & wait",
    "! grep x y || { echo no; exit 1; }",
];

/// Names of programs that the oracle finds, where they are plain words.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn program(&mut self, program: &Program) {
        for list in &program.complete_commands {
            self.list(list);
        }
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                redirects.iter().flat_map(|list| &list.0).for_each(|one| self.redirect(one));
            }
            // Its body is read when it is called.
            Command::Function(_) | Command::ExtendedTest(..) => {}
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(_) => {}
            CompoundCommand::ArithmeticForClause(clause) => self.list(&clause.body.list),
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list),
            CompoundCommand::ForClause(clause) => self.list(&clause.body.list),
            CompoundCommand::CaseClause(clause) => {
                clause.cases.iter().filter_map(|case| case.cmd.as_ref()).for_each(|it| self.list(it));
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for branch in clause.elses.iter().flatten() {
                    branch.condition.iter().for_each(|it| self.list(it));
                    self.list(&branch.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        if let Some(name) = &simple.word_or_name
            && name.value.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./".contains(letter))
        {
            let base = name.value.rsplit('/').next().unwrap_or_default();
            self.0.insert(base.to_owned());
        }
        let prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
        for item in prefix.chain(simple.suffix.iter().flat_map(|suffix| &suffix.0)) {
            match item {
                CommandPrefixOrSuffixItem::ProcessSubstitution(_, inner) => self.list(&inner.list),
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
                _ => {}
            }
        }
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        if let IoRedirect::File(_, _, IoFileRedirectTarget::ProcessSubstitution(_, inner)) = redirect {
            self.list(&inner.list);
        }
    }
}

fn lines() -> Vec<String> {
    let mut lines: Vec<String> = LINES.iter().map(|&line| line.to_owned()).collect();
    let Some(folder) = std::env::var_os("OSTIARY_COMMANDS") else {
        eprintln!("OSTIARY_COMMANDS names no folder of commands: only a few lines are compared");
        return lines;
    };
    let text = std::fs::read_to_string(Path::new(&folder).join("nl2bash.jsonl")).unwrap();
    for row in text.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        lines.push(row["command"].as_str().unwrap().to_owned());
    }
    lines.retain(|line| line.matches(['(', '{']).count() < 12);
    lines
}

#[test]
fn what_another_parser_takes_for_a_command_is_among_the_runs() {
    let options = ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() };
    let (mut compared, mut disagreed) = (0_usize, 0_usize);
    for line in lines() {
        let start = Start { cwd: "/home/u/project", home: "/home/u", variables: &[] };
        let reading = read_command(&line, start, LIMITS);
        let is_fine = reading.faults.iter().all(|fault| fault.kind != FaultKind::Syntax);
        let parsed = Parser::new(Cursor::new(&line), &options).parse_program();
        compared += 1;
        disagreed += usize::from(parsed.is_ok() != is_fine);
        let Ok(program) = parsed else { continue };
        let mut names = Names::default();
        names.program(&program);
        let mut seen: HashSet<String> = reading.runs.iter().map(|run| run.program.clone()).collect();
        for run in &reading.runs {
            // A carrier is stripped, and said.
            seen.extend(run.via.iter().flat_map(|via| via.split(' ')).map(str::to_owned));
        }
        let hidden: Vec<&String> = names.0.difference(&seen).collect();
        assert!(hidden.is_empty(), "{hidden:?} not among the runs of {line:?}");
    }
    assert!(disagreed * 200 <= compared, "{disagreed} of {compared} lines read otherwise");
}

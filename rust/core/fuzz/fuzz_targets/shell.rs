//! A command line, read: no panic, its limits kept, and a text that is data stays data.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ostiary_core::{ReadingLimits, Start, read_command};

const LIMITS: ReadingLimits =
    ReadingLimits { bytes: 1 << 16, nodes: 2_000, depth: 64, runs: 200, decoded: 1 << 16 };
const START: Start<'_> = Start { cwd: "/home/u/project", home: "/home/u", variables: &[] };

fuzz_target!(|text: &str| {
    let reading = read_command(text, START, LIMITS);
    assert!(reading.runs.len() <= LIMITS.runs);
    for run in &reading.runs {
        assert_eq!(run.marks.len(), run.args.len() + 1);
        for &(_, first, last) in &run.sources {
            assert!(first < last && last <= reading.runs.len());
        }
    }
    if text.len() * 4 < LIMITS.bytes {
        let quoted = format!("echo '{}'", text.replace('\'', r"'\''"));
        let data = read_command(&quoted, START, LIMITS);
        assert_eq!(data.runs.len(), 1);
        assert_eq!(data.runs[0].args, [text]);
    }
    if reading.faults.is_empty() {
        let prefixed = read_command(&format!("true\n{text}"), START, LIMITS);
        if prefixed.faults.is_empty() {
            assert_eq!(prefixed.runs.len(), reading.runs.len() + 1);
        }
    }
});

//! Commands for another machine or a container: `ssh`, `docker exec` and their like.

use std::sync::Arc;

use super::join;
use crate::shell::field::Field;
use crate::shell::walk::Walker;
use crate::shell::walk::simple::Call;
use crate::shell::walk::state::{Shell, how};

/// Options of `ssh` that take a word.
const SSH_OPTIONS: &str = "bcDEeFIiJLlmOoPpQRSWw";

impl Walker<'_> {
    pub(in crate::shell) fn remote_words(
        &mut self,
        call: &Call,
        start: usize,
        shell: &Shell,
    ) -> Option<Field> {
        let mut inner = shell.clone();
        inner.how |= how::REMOTE;
        inner.cwd = None;
        inner.via.push(Arc::from(call.program()));
        inner.depth += 1;
        let words = call.words.get(start..)?.to_vec();
        let call = Call { words, env: Vec::new(), stdin: call.stdin.clone() };
        Some(self.nested(call, &mut inner))
    }

    pub(in crate::shell) fn ssh(
        &mut self,
        args: &[Field],
        call: &Call,
        shell: &Shell,
    ) -> Option<Field> {
        let mut args = args.iter();
        let mut output = None;
        let mut has_host = call.program() == "sshpass";
        while let Some(arg) = args.as_slice().first() {
            let text = arg.text.as_str();
            if text == "--" {
                args.next();
            } else if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                args.next();
                let takes = letters.chars().position(|letter| SSH_OPTIONS.contains(letter));
                let Some(at) = takes else { continue };
                let attached = letters.get(at + 1..).filter(|value| !value.is_empty());
                let value = match attached {
                    Some(value) => Some(arg.with_text(value)),
                    None => args.next().cloned(),
                };
                if let Some(code) = value.as_ref().and_then(proxy_command) {
                    output = self.fresh(&code, "ssh -o", shell, None).or(output);
                }
            } else if has_host {
                break;
            } else {
                has_host = true;
                args.next();
            }
        }
        let rest = args.as_slice();
        if call.program() == "sshpass" {
            let words = rest.to_vec();
            let mut inner = shell.clone();
            return Some(self.nested(Call { words, ..Call::default() }, &mut inner));
        }
        let code = if rest.is_empty() { call.stdin.clone()? } else { join(rest) };
        let mut inner = shell.clone();
        inner.how |= how::REMOTE;
        inner.cwd = None;
        inner.stdin = if rest.is_empty() { None } else { call.stdin.clone() };
        self.read_code(&code, "ssh", &mut inner).or(output)
    }
}

pub(in crate::shell) fn proxy_command(value: &Field) -> Option<Field> {
    let text = value.text.trim_start_matches("-o");
    let (name, code) = text.split_once(['=', ' '])?;
    let carries = ["proxycommand", "localcommand", "knownhostscommand"];
    carries.contains(&name.trim().to_ascii_lowercase().as_str()).then(|| value.with_text(code))
}

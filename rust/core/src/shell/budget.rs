//! What reading a command may cost, and what was not read because of it.

/// Limits of one reading.
#[derive(Debug, Clone, Copy)]
pub struct ReadingLimits {
    /// Bytes of the command.
    pub bytes: usize,
    /// Words and commands.
    pub nodes: usize,
    /// Layers: nested commands, code in code, calls of functions.
    pub depth: usize,
    /// Programs that would run.
    pub runs: usize,
    /// Bytes of code and text that are worked out on the way: decoded, substituted, expanded.
    pub decoded: usize,
}

/// Why a part of a command was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// No shell would take it, or ours does not.
    Syntax,
    /// One limit each.
    Bytes,
    /// See `ReadingLimits`.
    Nodes,
    /// See `ReadingLimits`.
    Depth,
    /// See `ReadingLimits`.
    Runs,
    /// See `ReadingLimits`.
    Decoded,
}

impl FaultKind {
    /// The word that stands for it outside.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Bytes => "bytes",
            Self::Nodes => "nodes",
            Self::Depth => "depth",
            Self::Runs => "runs",
            Self::Decoded => "decoded",
        }
    }
}

/// A part of a command that was not read.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What stood in the way.
    pub kind: FaultKind,
    /// Byte at which that was noticed.
    pub offset: usize,
    /// Whether the unread part could hold a command.
    pub carrier: bool,
}

/// What is left of the limits, and the faults so far: one of each kind.
#[derive(Debug)]
pub(super) struct Budget {
    pub(super) limits: ReadingLimits,
    pub(super) faults: Vec<Fault>,
    nodes: usize,
    steps: usize,
    decoded: usize,
    depth: usize,
}

impl Budget {
    pub(super) fn new(limits: ReadingLimits) -> Self {
        Self { limits, faults: Vec::new(), nodes: 0, steps: 0, decoded: 0, depth: 0 }
    }

    pub(super) fn fault(&mut self, kind: FaultKind, offset: usize, carrier: bool) {
        match self.faults.iter_mut().find(|fault| fault.kind == kind) {
            Some(fault) => fault.carrier |= carrier,
            None => self.faults.push(Fault { kind, offset, carrier }),
        }
    }

    /// Counts a word or a command of a text; false when there may be no more.
    pub(super) fn node(&mut self, offset: usize) -> bool {
        self.nodes += 1;
        let within = self.nodes <= self.limits.nodes;
        if !within {
            self.fault(FaultKind::Nodes, offset, true);
        }
        within
    }

    /// Counts a command that is run through: what was parsed is walked even where the text was too
    /// long, so that has a count of its own.
    pub(super) fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        let within = self.steps <= self.limits.nodes;
        if !within && !self.faults.iter().any(|fault| fault.kind == FaultKind::Runs) {
            self.fault(FaultKind::Nodes, 0, true);
        }
        within
    }

    /// Takes note that there may be no more runs; what is left is not walked.
    pub(super) fn stop_walking(&mut self) {
        self.fault(FaultKind::Runs, 0, true);
        self.steps = self.limits.nodes;
    }

    /// Counts bytes that were worked out; false when there may be no more.
    pub(super) fn decode(&mut self, bytes: usize) -> bool {
        self.decoded = self.decoded.saturating_add(bytes);
        let within = self.decoded <= self.limits.decoded;
        if !within {
            self.fault(FaultKind::Decoded, 0, true);
        }
        within
    }

    /// Goes one layer down; false when it is too deep, and then nothing is to be left.
    pub(super) fn enter(&mut self, offset: usize) -> bool {
        if self.depth >= self.limits.depth {
            self.fault(FaultKind::Depth, offset, true);
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}

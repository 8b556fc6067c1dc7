//! A word after expansion: its text, and how sure that is.

/// Stands in a text for a part that is not known before the command runs.
pub(super) const UNKNOWN: char = '\u{fffc}';
pub(super) const UNKNOWN_TEXT: &str = "\u{fffc}";

/// How sure the text of a word is; the bits of `Mark` in Python.
pub(super) mod mark {
    /// An unquoted `*`, `?` or `[` stands in it.
    pub(crate) const GLOB: u8 = 1;
    /// A part is not known.
    pub(crate) const UNKNOWN: u8 = 2;
    /// The unknown part is not quoted.
    pub(crate) const UNQUOTED: u8 = 4;
    /// The unknown part is what another program finds.
    pub(crate) const FOUND: u8 = 8;
    /// The unknown part is not empty.
    pub(crate) const PRESENT: u8 = 16;
}

/// One word, or one value.
#[derive(Debug, Clone, Default)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) mark: u8,
    /// Runs whose output is in it: first, and after the last.
    pub(super) sources: Vec<(usize, usize)>,
}

impl Field {
    pub(super) fn exact(text: impl Into<String>) -> Self {
        Self { text: text.into(), mark: 0, sources: Vec::new() }
    }

    pub(super) fn unknown(mark: u8) -> Self {
        let mark = mark | mark::UNKNOWN;
        Self { text: UNKNOWN_TEXT.to_owned(), mark, sources: Vec::new() }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.mark & mark::UNKNOWN == 0
    }

    /// The text, if all of it is known.
    pub(super) fn known(&self) -> Option<&str> {
        self.is_exact().then_some(self.text.as_str())
    }

    /// The text, if it is what will be there: no file names are to be put in either.
    pub(super) fn certain(&self) -> Option<&str> {
        self.known().filter(|_| self.mark & mark::GLOB == 0)
    }

    /// Whether there is anything to read in it.
    pub(super) fn says_something(&self) -> bool {
        self.text.chars().any(|letter| letter != UNKNOWN && !letter.is_whitespace())
    }

    pub(super) fn push(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.mark |= other.mark;
        self.add_sources(&other.sources);
    }

    pub(super) fn add_sources(&mut self, sources: &[(usize, usize)]) {
        for source in sources {
            // A handful is enough to name where a word comes from.
            if source.0 < source.1 && self.sources.len() < 8 && !self.sources.contains(source) {
                self.sources.push(*source);
            }
        }
    }

    /// The same with another text; what is known of it follows from the text.
    pub(super) fn with_text(&self, text: impl Into<String>) -> Self {
        let text = text.into();
        if text.contains(UNKNOWN) {
            Self { text, mark: self.mark, sources: self.sources.clone() }
        } else {
            let mark = self.mark & mark::GLOB;
            Self { text, mark, sources: Vec::new() }
        }
    }
}

/// Whether an unquoted text names files by a pattern.
pub(super) fn has_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

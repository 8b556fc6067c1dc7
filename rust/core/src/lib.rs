//! Questions about bytes: what they are, how large they are, and how to make them fit.
//!
//! Bytes in, facts out. Nothing here knows Python, does I/O, starts a thread of its own or keeps
//! state; every limit arrives as an argument.
#![forbid(unsafe_code)]

mod admit;
mod armor;
mod downsample;
mod error;
mod probe;
mod shell;
mod sniff;

pub use admit::{Fitting, admit_fitting};
pub use armor::{decode, decoded_length, encode, encoded_length};
pub use downsample::{Downsampled, Ladder, Limits, downsample};
pub use error::Error;
pub use probe::{Header, Orientation, Probe, header, probe};
pub use shell::{Fault, FaultKind, Reading, ReadingLimits, Run, Start, read_command};
pub use sniff::{Format, sniff};

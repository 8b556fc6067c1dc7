//! `ostiary-core` for Python: each function extracts, detaches where work grows with the payload, and
//! converts. It decides nothing; the stub `_core.pyi` documents this boundary.
#![allow(missing_docs, reason = "the exception's macro writes a public struct")]

mod shell;

use std::cell::RefCell;

use ostiary_core::{Error, Format, Ladder, Limits};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

create_exception!(
    ostiary,
    DownsampleError,
    PyException,
    "A picture could not be made to fit: the message says why and what was expected."
);

/// Scratch memory that a thread may keep for its next text: that of 6 MiB of bytes.
const KEPT_SCRATCH: usize = 8 * 1024 * 1024;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Gives `work` the thread's scratch memory. A fresh buffer for each text costs more in page faults
/// than the encoding itself (`docs/decisions.md`).
fn with_scratch<T>(work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    SCRATCH.with_borrow_mut(|scratch| {
        let made = work(scratch);
        if scratch.capacity() > KEPT_SCRATCH {
            *scratch = Vec::new();
        }
        made
    })
}

type Size = (u32, u32);
type Downsampled<'py> = (Option<Bound<'py, PyBytes>>, &'static str, Size, Size);

// Not an `impl From`: both types are foreign here.
#[allow(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn raise(error: Error) -> PyErr {
    DownsampleError::new_err(error.to_string())
}

#[pyfunction]
fn sniff(data: &[u8]) -> Option<&'static str> {
    ostiary_core::sniff(data).map(Format::media_type)
}

#[pyfunction]
fn base64_length(raw: usize) -> Option<usize> {
    ostiary_core::encoded_length(raw)
}

#[pyfunction]
fn base64_encode<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyString>> {
    with_scratch(|scratch| {
        let text = py.detach(|| ostiary_core::encode(data, scratch));
        PyString::from_bytes(py, text)
    })
}

#[pyfunction]
fn base64_decode<'py>(py: Python<'py>, text: &str) -> Option<Bound<'py, PyBytes>> {
    py.detach(|| ostiary_core::decode(text)).map(|bytes| PyBytes::new(py, &bytes))
}

#[pyfunction]
fn base64_decoded_length(py: Python<'_>, text: &str) -> Option<usize> {
    py.detach(|| ostiary_core::decoded_length(text))
}

#[pyfunction]
fn probe(py: Python<'_>, data: &[u8]) -> Option<(&'static str, u32, u32, u8, u32, u32)> {
    let probe = py.detach(|| ostiary_core::probe(data))?;
    let (header, orientation) = (probe.header, probe.header.orientation.to_exif());
    let format = header.format.media_type();
    Some((format, header.width, header.height, orientation, probe.frames, probe.scans))
}

#[pyfunction]
#[pyo3(signature = (data, media_type, max_base64_length, fit=None))]
fn admit_fitting<'py>(
    py: Python<'py>,
    data: &[u8],
    media_type: &str,
    max_base64_length: usize,
    fit: Option<(u32, usize)>,
) -> PyResult<Option<(Bound<'py, PyString>, Option<Size>)>> {
    with_scratch(|scratch| {
        let fitting = py.detach(|| {
            ostiary_core::admit_fitting(data, media_type, max_base64_length, fit, scratch)
        });
        fitting.map(|it| Ok((PyString::from_bytes(py, it.base64)?, it.size))).transpose()
    })
}

#[pyfunction]
fn downsample<'py>(
    py: Python<'py>,
    data: &[u8],
    limits: (u32, usize, u64, u64, u64),
    ladder: (Vec<u8>, u32, u8, u32),
) -> PyResult<Downsampled<'py>> {
    let (max_edge, target_raw_size, max_pixels, max_alloc, max_scan_work) = limits;
    let limits = Limits { max_edge, target_raw_size, max_pixels, max_alloc, max_scan_work };
    let (qualities, last_edge, last_quality, max_encodes) = ladder;
    let ladder = Ladder { qualities: &qualities, last_edge, last_quality, max_encodes };
    let picture = py.detach(|| ostiary_core::downsample(data, &limits, &ladder)).map_err(raise)?;
    let bytes = picture.bytes.map(|bytes| PyBytes::new(py, &bytes));
    Ok((bytes, picture.format.media_type(), picture.original, picture.display))
}

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::{
        DownsampleError, admit_fitting, base64_decode, base64_decoded_length, base64_encode,
        base64_length, downsample, probe, shell::read_command, sniff,
    };
}

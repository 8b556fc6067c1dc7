//! A command line for Python: runs as tuples, in the order of the fields of `Run`.

use std::sync::Arc;

use ostiary_core::{Reading, ReadingLimits, Run, Start, read_command as read};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

/// Texts from this length on are read without the GIL: below it, to give it up and to wait for it
/// costs a busy server more than the reading.
const DETACHED_BYTES: usize = 4096;

type Limits = (usize, usize, usize, usize, usize);
type Faults = Vec<(&'static str, usize, bool)>;
type Assigned = Vec<(String, String)>;
type Read<'py> = (Bound<'py, PyTuple>, Bound<'py, PyTuple>, String, Bound<'py, PyTuple>);

#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "an argument is extracted to a value")]
pub(crate) fn read_command<'py>(
    py: Python<'py>,
    text: &str,
    cwd: &str,
    home: &str,
    variables: Assigned,
    limits: Limits,
) -> PyResult<Read<'py>> {
    let (bytes, nodes, depth, runs, decoded) = limits;
    let limits = ReadingLimits { bytes, nodes, depth, runs, decoded };
    let start = Start { cwd, home, variables: &variables };
    let reading = if text.len() < DETACHED_BYTES {
        read(text, start, limits)
    } else {
        py.detach(|| read(text, start, limits))
    };
    let mut folder = Folder::default();
    let runs = reading.runs.iter().map(|run| tuple(py, run, &mut folder));
    let runs = PyTuple::new(py, runs.collect::<PyResult<Vec<_>>>()?)?;
    let faults = PyTuple::new(py, faults(&reading))?;
    let cwd = reading.cwd.as_deref().unwrap_or_default().to_owned();
    Ok((runs, faults, cwd, PyTuple::new(py, reading.assigned)?))
}

fn faults(reading: &Reading) -> Faults {
    reading.faults.iter().map(|it| (it.kind.name(), it.offset, it.carrier)).collect()
}

/// The folder of the run before: mostly that of the next one.
#[derive(Default)]
struct Folder<'py> {
    last: Option<(Option<Arc<str>>, Bound<'py, PyString>)>,
}

impl<'py> Folder<'py> {
    fn text(&mut self, py: Python<'py>, cwd: Option<&Arc<str>>) -> Bound<'py, PyString> {
        if let Some((seen, text)) = &self.last
            && seen.as_ref() == cwd
        {
            return text.clone();
        }
        let text = PyString::new(py, cwd.map_or("", |cwd| cwd));
        self.last = Some((cwd.cloned(), text.clone()));
        text
    }
}

fn tuple<'py>(
    py: Python<'py>,
    run: &Run,
    folder: &mut Folder<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let fields: [Bound<'py, PyAny>; 13] = [
        PyString::new(py, &run.program).into_any(),
        PyString::new(py, &run.path).into_any(),
        PyTuple::new(py, &run.args)?.into_any(),
        PyBytes::new(py, &run.marks).into_any(),
        PyTuple::new(py, &run.env)?.into_any(),
        PyTuple::new(py, &run.redirects)?.into_any(),
        folder.text(py, run.cwd.as_ref()).into_any(),
        run.stdin.as_deref().into_pyobject(py)?.into_any(),
        run.output.as_deref().into_pyobject(py)?.into_any(),
        PyTuple::new(py, &run.sources)?.into_any(),
        PyTuple::new(py, run.via.iter().map(|it| &**it))?.into_any(),
        run.how.into_pyobject(py)?.into_any(),
        run.depth.into_pyobject(py)?.into_any(),
    ];
    PyTuple::new(py, fields)
}

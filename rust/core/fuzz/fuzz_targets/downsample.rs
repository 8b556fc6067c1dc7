//! A downsample of any bytes: no panic even inside, and what it makes fits and has the size it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ostiary_core::{Error, Ladder, Limits, downsample, probe};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits {
        max_edge: 40,
        target_raw_size: 3_000,
        max_pixels: 1 << 20,
        max_alloc: 1 << 24,
        max_scan_work: 1 << 22,
    };
    let ladder =
        Ladder { qualities: &[80, 60, 40, 20], last_edge: 20, last_quality: 20, max_encodes: 5 };
    match downsample(bytes, &limits, &ladder) {
        Err(Error::Panicked(message)) => panic!("a codec panicked: {message}"),
        Err(_) => {}
        Ok(picture) => {
            let made = picture.bytes.as_deref().unwrap_or(bytes);
            assert!(made.len() <= limits.target_raw_size);
            let header = probe(made).expect("what was made has a header").header;
            assert_eq!(header.format, picture.format);
            assert_eq!(header.oriented_size(), picture.display);
            assert!(picture.display.0.max(picture.display.1) <= limits.max_edge);
        }
    }
});

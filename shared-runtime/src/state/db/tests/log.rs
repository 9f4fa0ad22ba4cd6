//! Captures log lines.

use std::{
    io::{Read as _, Seek as _},
    sync::Arc,
};

/// The lines that `run` logs.
pub(crate) fn log_of(run: impl FnOnce()) -> Vec<String> {
    let file = Arc::new(tempfile::tempfile().expect("a file"));
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(Arc::clone(&file)).finish();
    tracing::subscriber::with_default(subscriber, run);
    let (mut file, mut text) = (&*file, String::new());
    file.rewind().and_then(|()| file.read_to_string(&mut text)).expect("what was written");
    text.lines().map(str::to_owned).collect()
}

//! The files of the workspace that people have written.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// All files with this extension, below a folder.
pub fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') || ["target", "node_modules", "generated"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            found.extend(with_extension(&path, extension));
        } else if path.extension().is_some_and(|end| end == extension) {
            found.push(path);
        }
    }
    found
}

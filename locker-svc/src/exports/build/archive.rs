//! Writes a folder as a reproducible tar archive.
//! It depends only on names, contents, links and executable bits, not on owners and times. So a resumed build reads
//! the same bytes.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use tar::{Builder, EntryType, Header, HeaderMode};

use super::unchanged_file::{UnchangedFile, with_path};

// Tar pads headers and contents to blocks of this size.
const BLOCK_BYTES: u64 = 512;

pub fn write(folder: &Path, sink: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(sink);
    let name = PathBuf::from(folder.file_name().unwrap_or_default());
    append(&mut archive, folder, &name)?;
    archive.finish()
}

/// Appends the file or folder at `real` under `name`. A folder's children are sorted by the bytes of their names.
fn append(archive: &mut Builder<impl Write>, real: &Path, name: &Path) -> io::Result<()> {
    let at_path = |error| with_path(real, error);
    let metadata = real.symlink_metadata().map_err(at_path)?;
    let mut header = Header::new_gnu();
    // Deterministic: no owner, no time, and of the mode only the executable bit.
    header.set_metadata_in_mode(&metadata, HeaderMode::Deterministic);
    if metadata.is_symlink() {
        header.set_entry_type(EntryType::Symlink);
        header.set_mode(0o777);
        archive.append_link(&mut header, name, fs::read_link(real).map_err(at_path)?).map_err(at_path)
    } else if metadata.is_file() {
        let file = File::open(real).map_err(at_path)?;
        header.set_size(metadata.len());
        archive.append_data(&mut header, name, UnchangedFile::new(file, &metadata, real)).map_err(at_path)
    } else if metadata.is_dir() {
        archive.append_data(&mut header, name, io::empty()).map_err(at_path)?;
        for child in children(real)? {
            append(archive, &real.join(&child), &name.join(&child))?;
        }
        Ok(())
    } else {
        Err(with_path(real, io::Error::other("is not a file, folder or symbolic link and cannot be packed")))
    }
}

fn children(folder: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(folder).map_err(|error| with_path(folder, error))?;
    let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(|error| with_path(folder, error))?;
    // The order of `read_dir` differs between file systems, and after each change.
    names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}

/// Estimates how many bytes [`write`] writes.
pub fn bytes(folder: &Path) -> io::Result<u64> {
    // Two empty blocks end an archive. Long names take more blocks than this counts: it is an estimate.
    let mut bytes = 2 * BLOCK_BYTES;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        bytes += BLOCK_BYTES;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                bytes +=
                    BLOCK_BYTES + if metadata.is_file() { metadata.len().next_multiple_of(BLOCK_BYTES) } else { 0 };
            }
        }
    }
    Ok(bytes)
}

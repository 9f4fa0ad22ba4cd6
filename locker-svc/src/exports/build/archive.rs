//! A folder as a reproducible tar archive: it depends on names, contents, links and executable bits only, not on owners or
//! times, so that a resumed build reads the same bytes.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use tar::{Builder, EntryType, Header, HeaderMode};

use super::unchanged_file::{UnchangedFile, with_path};

/// The block size of tar.
const BLOCK: u64 = 512;

/// Writes the folder as an archive.
pub fn write(folder: &Path, sink: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(sink);
    let name = PathBuf::from(folder.file_name().unwrap_or_default());
    append(&mut archive, folder, &name)?;
    archive.finish()
}

/// Appends what is at `real` as `name`; a folder with its children, sorted by the bytes of their names.
fn append(archive: &mut Builder<impl Write>, real: &Path, name: &Path) -> io::Result<()> {
    let at_path = |error| with_path(real, error);
    let metadata = real.symlink_metadata().map_err(at_path)?;
    let mut header = Header::new_gnu();
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
        Err(with_path(real, io::Error::other("is no file, folder or symbolic link, and cannot be packed")))
    }
}

fn children(folder: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(folder).map_err(|error| with_path(folder, error))?;
    let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(|error| with_path(folder, error))?;
    names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}

/// An estimate of how many bytes [`write`] writes.
pub fn bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 2 * BLOCK;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        bytes += BLOCK;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += BLOCK + if metadata.is_file() { metadata.len().next_multiple_of(BLOCK) } else { 0 };
            }
        }
    }
    Ok(bytes)
}

//! A folder as a tar archive that depends on nothing but names, contents, links and the right to execute, so that the same
//! folder is the same archive on every machine and at every time.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use tar::{Builder, EntryType, Header, HeaderMode};

use super::source::{Exactly, named};

/// A tar archive consists of blocks.
const BLOCK: u64 = 512;

/// Writes the folder as an archive.
pub fn write(folder: &Path, sink: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(sink);
    let name = PathBuf::from(folder.file_name().unwrap_or_default());
    append(&mut archive, folder, &name)?;
    archive.finish()
}

/// Appends what is at `real` as `name`, and below a folder all that it holds, in the order of the bytes of their names.
fn append(archive: &mut Builder<impl Write>, real: &Path, name: &Path) -> io::Result<()> {
    let told = |error| named(real, error);
    let metadata = real.symlink_metadata().map_err(told)?;
    let mut header = Header::new_gnu();
    header.set_metadata_in_mode(&metadata, HeaderMode::Deterministic);
    if metadata.is_symlink() {
        header.set_entry_type(EntryType::Symlink);
        header.set_mode(0o777);
        archive.append_link(&mut header, name, fs::read_link(real).map_err(told)?).map_err(told)
    } else if metadata.is_file() {
        let file = File::open(real).map_err(told)?;
        header.set_size(metadata.len());
        archive.append_data(&mut header, name, Exactly::new(file, &metadata, real)).map_err(told)
    } else if metadata.is_dir() {
        archive.append_data(&mut header, name, io::empty()).map_err(told)?;
        for child in children(real)? {
            append(archive, &real.join(&child), &name.join(&child))?;
        }
        Ok(())
    } else {
        Err(named(real, io::Error::other("is no file, folder or symbolic link, and cannot be packed")))
    }
}

fn children(folder: &Path) -> io::Result<Vec<OsString>> {
    let entries = fs::read_dir(folder).map_err(|error| named(folder, error))?;
    let names: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(|error| named(folder, error))?;
    names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}

/// About how many bytes [`write`] writes.
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

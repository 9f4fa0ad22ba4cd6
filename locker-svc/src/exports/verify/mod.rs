//! `locker-svc export verify`: checks a folder of downloaded parts against their manifest, offline, with a public
//! key.

mod finding;
mod output;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

use ed25519_dalek::VerifyingKey;
use sha2::{Digest as _, Sha256};

use super::{
    export::MANIFEST_FILE,
    manifest::{ExportManifest, ManifestError, ManifestPart},
};
use output::AssembledFile;

pub use finding::{Defect, Finding};
pub use output::check_output_path;

// Twice the size of a manifest of 500 parts with the longest names.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024;
const CHUNK_BYTES: usize = 1024 * 1024;

/// Checks every part in `folder`, and writes them all to the file `assembled`. That file exists only if every check
/// passes.
/// Returns the manifest, or everything that is wrong.
pub fn verify(
    folder: &Path,
    key: &VerifyingKey,
    assembled: Option<&Path>,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<ExportManifest, Vec<Finding>> {
    let manifest = read_manifest(folder, key).map_err(|finding| vec![finding])?;
    let unwritable = |error: io::Error| vec![unreadable(assembled.unwrap_or(folder), &error)];
    // An extra file may be a part of another export, and unpacking tools would read it.
    let mut findings = extras(folder, &manifest);
    let mut output = assembled.map(|path| AssembledFile::create(path, folder)).transpose().map_err(unwritable)?;
    let mut whole = Sha256::new();
    let mut done = 0;
    for part in &manifest.parts {
        let mut take = |bytes: &[u8]| {
            whole.update(bytes);
            done += bytes.len() as u64;
            watch(done, manifest.bytes);
            output.as_mut().map_or(Ok(()), |output| output.write(bytes))
        };
        if let Some(defect) = check(folder, part, &mut take) {
            findings.push(Finding { file: part.file_name.clone(), defect });
        }
    }
    // The parts may each be right and still be those of two different builds.
    if findings.is_empty() && hex::encode(whole.finalize()) != manifest.sha256 {
        findings.push(Finding { file: MANIFEST_FILE.to_owned(), defect: Defect::OtherWhole });
    }
    if findings.is_empty()
        && let Some(output) = output
        && let Err(error) = output.keep()
    {
        findings.extend(unwritable(error));
    }
    if findings.is_empty() { Ok(manifest) } else { Err(findings) }
}

fn read_manifest(folder: &Path, key: &VerifyingKey) -> Result<ExportManifest, Finding> {
    let wrong = |defect| Finding { file: MANIFEST_FILE.to_owned(), defect };
    let (file, _) = open(&folder.join(MANIFEST_FILE)).map_err(wrong)?;
    let mut text = Vec::new();
    let read = file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| wrong(Defect::Unreadable(error.to_string())))?;
    if text.len() as u64 > MAX_MANIFEST_BYTES {
        return Err(wrong(Defect::MalformedManifest(format!("it has more than {MAX_MANIFEST_BYTES} bytes"))));
    }
    ExportManifest::verify(&text, key).map_err(|error| {
        wrong(match error {
            ManifestError::Malformed(rule) => Defect::MalformedManifest(rule),
            ManifestError::Forged { names_another_key: true } => Defect::OtherKey,
            ManifestError::Forged { names_another_key: false } => Defect::AlteredManifest,
        })
    })
}

// Only regular files: a pipe or a device may never end.
fn open(path: &Path) -> Result<(File, u64), Defect> {
    let opened = path
        .metadata()
        .and_then(|metadata| if metadata.is_file() { Ok(Some((File::open(path)?, metadata.len()))) } else { Ok(None) });
    match opened {
        Ok(opened) => opened.ok_or(Defect::NotAFile),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Defect::Missing),
        Err(error) => Err(Defect::Unreadable(error.to_string())),
    }
}

fn extras(folder: &Path, manifest: &ExportManifest) -> Vec<Finding> {
    let mut expected: BTreeSet<&str> = manifest.parts.iter().map(|part| part.file_name.as_str()).collect();
    expected.insert(MANIFEST_FILE);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return vec![unreadable(folder, &error)],
    };
    let mut extras: Vec<_> = entries
        .filter_map(|entry| {
            entry.map_err(|error| unreadable(folder, &error)).map_or_else(Some, |entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (!expected.contains(name.as_str())).then_some(Finding { file: name, defect: Defect::Extra })
            })
        })
        .collect();
    extras.sort_by(|a, b| a.file.cmp(&b.file));
    extras
}

/// Reads a part and passes its bytes on. Returns what is wrong with it.
fn check(folder: &Path, part: &ManifestPart, take: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Option<Defect> {
    let (file, length) = match open(&folder.join(&part.file_name)) {
        Ok(opened) => opened,
        Err(defect) => return Some(defect),
    };
    // One byte more than expected is enough to see that a file is too long. It may be huge.
    let mut file = file.take(part.bytes.saturating_add(1));
    let mut hash = Sha256::new();
    let mut has = 0;
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                has += count as u64;
                hash.update(&buffer[..count]);
                if let Err(error) = take(&buffer[..count]) {
                    return Some(Defect::Unreadable(format!("cannot be written to the assembled file: {error}")));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Some(Defect::Unreadable(error.to_string())),
        }
    }
    match has {
        _ if has < part.bytes => Some(Defect::Short(has, part.bytes)),
        _ if has > part.bytes => Some(Defect::Long(has.max(length), part.bytes)),
        _ if hex::encode(hash.finalize()) != part.sha256 => Some(Defect::Altered),
        _ => None,
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Finding {
    Finding { file: path.display().to_string(), defect: Defect::Unreadable(error.to_string()) }
}

//! Each target passes over its kept corpus, and has one, and a program for the fuzzer.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use fuzz_targets::{TARGETS, mcp};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("fuzz").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn stems(folder: &str) -> BTreeSet<String> {
    let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files(folder).into_iter().map(stem).collect()
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names.len(), TARGETS.len());
    assert_eq!(stems("src/bin"), names);
    assert_eq!(stems("corpus"), names);
}

#[test]
fn every_target_passes_over_its_corpus() {
    for (name, run) in TARGETS {
        let inputs = files(&format!("corpus/{name}"));
        assert!(!inputs.is_empty(), "{name} has seeds");
        for input in inputs {
            // Where a target fails, the last line says on which input.
            println!("{name}: {}", input.display());
            run(&fs::read(&input).expect("a seed"));
        }
    }
    mcp::end();
}

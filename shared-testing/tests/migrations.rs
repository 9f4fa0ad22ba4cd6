//! Every migration is in the list of its crate, with each of its files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use shared_testing::sources;

/// The files of a migration, in the order in which a list names them.
const FILES: [&str; 3] = ["both", "postgres", "sqlite"];

#[test]
fn every_folder_of_migrations_is_listed_with_its_files() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let (mut found, mut offences) = (0, Vec::new());
    for krate in entries(workspace) {
        let folder = krate.join("migrations");
        if !folder.is_dir() {
            continue;
        }
        let sources = sources::with_extension(&krate.join("src"), "rs");
        let mut code: String = sources.iter().map(|file| fs::read_to_string(file).expect("a source")).collect();
        code.retain(|c| !c.is_whitespace());
        for migration in entries(&folder) {
            found += 1;
            let line = listed(&migration);
            let in_list: String = line.split_whitespace().collect();
            if !code.contains(&in_list) {
                offences.push(format!("{}: {line}", krate.display()));
            }
        }
    }
    assert!(found > 15, "only {found} migrations are found");
    assert!(offences.is_empty(), "write into the `migrations!` of the crate:\n{}", offences.join("\n"));
}

/// The line of a list for this folder.
fn listed(migration: &Path) -> String {
    let files: Vec<_> = FILES.into_iter().filter(|file| migration.join(format!("{file}.sql")).is_file()).collect();
    assert_eq!(files.len(), entries(migration).len(), "{}: a file that no list can name", migration.display());
    let name = migration.file_name().and_then(|name| name.to_str()).expect("a name");
    format!("{name:?}: {};", files.join(" "))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

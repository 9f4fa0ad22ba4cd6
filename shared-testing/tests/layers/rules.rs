//! What is forbidden.

use std::path::{Path, PathBuf};

use crate::{circles::Graph, resolve::Arrow};

/// A place that breaks a rule.
#[derive(Clone, Debug)]
pub struct Offence {
    /// `file → file`, or `file → crate::Name`.
    pub key: String,
    /// `file:line: use …`, and the rule.
    pub line: String,
}

impl Offence {
    fn of(arrow: &Arrow, to: &str, rule: &str) -> Self {
        let from = arrow.from.display();
        Self { key: format!("{from} → {to}"), line: format!("{from}:{}: {}\n    {rule}", arrow.line, arrow.text) }
    }
}

/// Imports from a higher floor, or from another folder of the same floor. `floors` name the folders and files of `src`
/// without `.rs`, lowest first. What they do not name (`lib.rs`) is above all of them.
pub fn upward(src: &Path, floors: &[&[&str]], arrows: &[Arrow]) -> Vec<Offence> {
    let floor = |folder: &str| floors.iter().position(|folders| folders.contains(&folder)).unwrap_or(floors.len());
    let folder = |file: &Path| {
        let below = file.strip_prefix(src).unwrap_or(file);
        let first = below.components().next().map(|first| Path::new(first.as_os_str()).with_extension(""));
        first.unwrap_or_default().to_string_lossy().into_owned()
    };
    let allowed = |from: &str, to: &str| from == to || floor(to) < floor(from);
    let mut offences = Vec::new();
    for arrow in arrows {
        let (from, to) = (folder(&arrow.from), folder(&arrow.to));
        // A lower file that is named through a higher module is an import from the higher one all the same.
        let named = arrow.names.first().filter(|name| floors.iter().any(|folders| folders.contains(&name.as_str())));
        if !allowed(&from, &to) || named.is_some_and(|named| !allowed(&from, named)) {
            let higher = named.filter(|named| !allowed(&from, named)).unwrap_or(&to);
            let rule = format!("{higher} is no floor below {from}");
            offences.push(Offence::of(arrow, &arrow.to.display().to_string(), &rule));
        }
    }
    offences
}

/// Names taken from the crate's root: they hide which module is meant.
pub fn from_root(arrows: &[Arrow]) -> Vec<Offence> {
    let named = |arrow: &Arrow| {
        let name = arrow.of_root.as_ref()?;
        Some(Offence::of(arrow, &format!("crate::{name}"), "inside the crate, import from the module"))
    };
    arrows.iter().filter_map(named).collect()
}

/// Arrows within a circle of files.
pub fn circular(arrows: &[Arrow]) -> Vec<Offence> {
    let graph = Graph::new(arrows.iter().map(|arrow| (arrow.from.as_path(), arrow.to.as_path())));
    let mut offences = Vec::new();
    for arrow in arrows {
        if let Some(path) = graph.path(&arrow.to, &arrow.from) {
            let path: Vec<String> = path.iter().map(|file| file.display().to_string()).collect();
            let rule = format!("a circle: back by {}", path.join(" → "));
            offences.push(Offence::of(arrow, &arrow.to.display().to_string(), &rule));
        }
    }
    offences
}

/// Dependencies of one service's crates on another's. `manifest` is the path of a `Cargo.toml`, `text` its content;
/// `crates` are the workspace's crates, each with its folder.
pub fn between_services(crates: &[(String, PathBuf)], manifest: &Path, text: &str) -> Vec<Offence> {
    let Some(own) = service_of(manifest) else { return Vec::new() };
    let mut offences = Vec::new();
    for (name, _) in crates.iter().filter(|(_, folder)| service_of(folder).is_some_and(|service| service != own)) {
        let is_dependency = |line: &str| line.trim_start().strip_prefix(name.as_str()).is_some_and(ends_name);
        let lines = text.lines().enumerate().filter(|(_, line)| is_dependency(line));
        offences.extend(lines.map(|(index, line)| Offence {
            key: format!("{} → {name}", manifest.display()),
            line: format!("{}:{}: {line}\n    services do not depend on one another", manifest.display(), index + 1),
        }));
    }
    offences
}

/// The service whose folder contains this path. A service may have crates inside its folder.
fn service_of(path: &Path) -> Option<&str> {
    path.components().next()?.as_os_str().to_str().filter(|folder| folder.ends_with("-svc"))
}

fn ends_name(rest: &str) -> bool {
    rest.starts_with(['.', ' ', '='])
}

/// Fails on every offence, with its line.
pub fn assert_none(offences: &[Offence]) {
    let lines: Vec<&str> = offences.iter().map(|offence| offence.line.as_str()).collect();
    assert!(lines.is_empty(), "{} offences:\n{}", lines.len(), lines.join("\n"));
}

/// The roots of a crate's library and program, below the workspace's root.
pub fn roots(workspace: &Path, folder: &Path) -> Vec<PathBuf> {
    let roots = ["lib.rs", "main.rs"].map(|root| folder.join("src").join(root));
    roots.into_iter().filter(|root| workspace.join(root).exists()).collect()
}

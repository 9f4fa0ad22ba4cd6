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

/// Imports from a higher floor, or from the other folder of the same one. `floors` are the folders of `src`, lowest
/// first; what stands beside them (`lib.rs`) is above all.
pub fn upward(src: &Path, floors: &[&[&str]], arrows: &[Arrow]) -> Vec<Offence> {
    let floor = |folder: &str| floors.iter().position(|folders| folders.contains(&folder)).unwrap_or(floors.len());
    let folder = |file: &Path| {
        let below = file.strip_prefix(src).unwrap_or(file);
        below.components().next().map(|first| first.as_os_str().to_string_lossy().into_owned()).unwrap_or_default()
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
    let graph = Graph::of(arrows);
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

/// Dependencies of one service on another, in a `Cargo.toml`.
pub fn between_services(services: &[&str], manifest: &Path, text: &str) -> Vec<Offence> {
    let own = manifest.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let others = services.iter().filter(|service| own.as_deref() != Some(*service));
    let is_service = own.as_deref().is_some_and(|own| services.contains(&own));
    let mut offences = Vec::new();
    for other in others.filter(|_| is_service) {
        let lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with(other));
        offences.extend(lines.map(|(index, line)| Offence {
            key: format!("{} → {other}", manifest.display()),
            line: format!("{}:{}: {line}\n    services do not depend on one another", manifest.display(), index + 1),
        }));
    }
    offences
}

/// Fails on every offence, with its line.
pub fn assert_none(offences: &[Offence]) {
    let lines: Vec<&str> = offences.iter().map(|offence| offence.line.as_str()).collect();
    assert!(lines.is_empty(), "{} offences:\n{}", lines.len(), lines.join("\n"));
}

/// The roots of a crate's library and program, below the workspace's root.
pub fn roots(workspace: &Path, member: &str) -> Vec<PathBuf> {
    let roots = ["lib.rs", "main.rs"].map(|root| Path::new(member).join("src").join(root));
    roots.into_iter().filter(|root| workspace.join(root).exists()).collect()
}

//! From a path to the file that defines what it names, through re-exports.

use std::path::PathBuf;

use crate::source::{Import, Module, module_path, read};

/// One file that names something of another file of its crate.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: PathBuf,
    pub to: PathBuf,
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// The path from the crate's root, before any re-export is followed.
    pub names: Vec<String>,
    /// The name, if it is one that the crate's root re-exports.
    pub of_root: Option<String>,
}

/// All arrows of the modules below one crate root: of each file its `use` declarations first.
pub fn arrows(workspace: &std::path::Path, root: &std::path::Path) -> std::io::Result<Vec<Arrow>> {
    let crate_ = Resolver { modules: read(workspace, root)? };
    let mut arrows: Vec<Arrow> = (0..crate_.modules.len()).flat_map(|module| crate_.arrows_of(module)).collect();
    let key = |arrow: &Arrow| (arrow.from.clone(), !arrow.text.starts_with("use "), arrow.line);
    arrows.sort_by_key(key);
    Ok(arrows)
}

struct Resolver {
    modules: Vec<Module>,
}

/// What a path names.
enum Target {
    /// An item that this module defines.
    Item(usize),
    Module(usize),
}

impl Resolver {
    fn arrows_of(&self, index: usize) -> Vec<Arrow> {
        let module = &self.modules[index];
        // A re-export is not a use: code that names it depends on the item behind it.
        let imports = module.imports.iter().filter(|import| !import.reexported).map(|import| {
            let all = if import.name == "*" { "::*" } else { "" };
            (&import.path, import.line, format!("use {}{all}", import.path.join("::")), import.name == "*")
        });
        let paths = module.paths.iter().map(|(path, line)| (path, *line, path.join("::"), false));
        let mut arrows = Vec::new();
        for (path, line, text, all) in imports.chain(paths) {
            let to = match self.resolve(index, path, &mut Vec::new()) {
                Some(Target::Item(to)) => to,
                // What is used of a module is named where it is used, unless everything is.
                Some(Target::Module(to)) if all => to,
                _ => continue,
            };
            let (from, to) = (module.file.clone(), self.modules[to].file.clone());
            if from != to {
                let (names, of_root) = (self.absolute(index, path), self.of_root(index, path));
                arrows.push(Arrow { from, to, line, text, names, of_root });
            }
        }
        arrows
    }

    /// `seen` are the imports that were followed already: two globs may name one another.
    fn resolve<'m>(&'m self, from: usize, path: &[String], seen: &mut Vec<&'m Import>) -> Option<Target> {
        let mut at = from;
        let mut rest = path;
        while let [first, others @ ..] = rest {
            at = match first.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => self.modules[at].parent?,
                _ => break,
            };
            rest = others;
        }
        let relative = rest.len() == path.len();
        let Some((first, others)) = rest.split_first() else { return Some(Target::Module(at)) };
        match self.find(at, first, others, seen) {
            None if relative => None,
            // A name that no item has: a macro makes it there.
            None => Some(Target::Item(at)),
            found => found,
        }
    }

    fn find<'m>(&'m self, at: usize, name: &str, others: &[String], seen: &mut Vec<&'m Import>) -> Option<Target> {
        let module = &self.modules[at];
        let child = module.children.get(name).copied();
        if let (Some(child), Some((next, rest))) = (child, others.split_first()) {
            return Some(self.find(child, next, rest, seen).unwrap_or(Target::Item(child)));
        }
        if module.items.iter().any(|item| item == name) {
            return Some(Target::Item(at));
        }
        let named = module.imports.iter().filter(|import| import.name == name);
        let globs = module.imports.iter().filter(|import| import.name == "*");
        for import in named.chain(globs) {
            if seen.iter().any(|followed| std::ptr::eq(*followed, import)) {
                continue;
            }
            seen.push(import);
            let last = (import.name == "*").then(|| name.to_owned());
            let path: Vec<String> = import.path.iter().cloned().chain(last).chain(others.iter().cloned()).collect();
            let found = match (self.resolve(at, &path, seen), import.name.as_str()) {
                // Through a glob comes only what is certain to be there.
                (Some(Target::Item(to)), "*") if !self.modules[to].items.iter().any(|item| item == name) => None,
                (found, _) => found,
            };
            seen.pop();
            if found.is_some() {
                return found;
            }
        }
        child.map(Target::Module)
    }

    /// The path from the crate's root, of one that begins with `crate`, `super` or `self`.
    fn absolute(&self, from: usize, path: &[String]) -> Vec<String> {
        let mut at = from;
        let mut rest = path;
        while let [first, others @ ..] = rest {
            at = match first.as_str() {
                "crate" => 0,
                "self" => at,
                "super" => self.modules[at].parent.unwrap_or_default(),
                _ => break,
            };
            rest = others;
        }
        module_path(&self.modules, at).into_iter().skip(1).chain(rest.iter().cloned()).collect()
    }

    fn of_root(&self, from: usize, path: &[String]) -> Option<String> {
        let prefixed = path.first().is_some_and(|first| first == "crate" || first == "super");
        let names = self.absolute(from, path);
        let name = names.first().filter(|_| prefixed && from != 0)?;
        let root = &self.modules[0];
        let reexported = root.imports.iter().any(|import| import.name == *name && import.line > 0);
        (reexported && (names.len() == 1 || !root.children.contains_key(name))).then(|| name.clone())
    }
}

//! The modules of one crate root, and every path that their shipped code names.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Attribute, Item, UseTree, spanned::Spanned, visit::Visit};

/// A path as it is written, `crate`, `super` and `self` included.
pub type Names = Vec<String>;

/// One module: a file of its own, or inline in another's.
#[derive(Default)]
pub struct Module {
    /// `crate` for the root.
    pub name: String,
    /// The file that it is written in, below the workspace's root.
    pub file: PathBuf,
    pub parent: Option<usize>,
    pub children: HashMap<String, usize>,
    /// The names that it defines itself.
    pub items: Vec<String>,
    pub imports: Vec<Import>,
    /// Paths outside of `use` declarations, with their lines.
    pub paths: Vec<(Names, usize)>,
}

/// One name that a `use` declaration brings into a module; `*` brings all of them.
pub struct Import {
    pub name: String,
    pub path: Names,
    pub line: usize,
    /// Whether other modules see the name too.
    pub reexported: bool,
}

/// Reads the modules below a crate's root file; the root is the first of them.
pub fn read(workspace: &Path, root: &Path) -> io::Result<Vec<Module>> {
    let mut modules = Vec::new();
    let folder = root.parent().unwrap_or(root).to_owned();
    let root_module = Module { name: "crate".to_owned(), file: root.to_owned(), ..Module::default() };
    read_module(workspace, root_module, &folder, file_items(workspace, root)?, &mut modules)?;
    Ok(modules)
}

fn file_items(workspace: &Path, file: &Path) -> io::Result<Vec<Item>> {
    let source = syn::parse_file(&fs::read_to_string(workspace.join(file))?);
    Ok(source.map_err(|error| io::Error::other(format!("{}: {error}", file.display())))?.items)
}

/// `folder` is where the module's children have their files.
fn read_module(
    workspace: &Path,
    module: Module,
    folder: &Path,
    items: Vec<Item>,
    modules: &mut Vec<Module>,
) -> io::Result<()> {
    let (index, file) = (modules.len(), module.file.clone());
    modules.push(module);
    for item in items {
        match item {
            Item::Mod(item) if is_test(&item.attrs) => {}
            Item::Mod(item) => {
                let name = item.ident.to_string();
                let below = folder.join(&name);
                let (file, items) = match item.content {
                    Some((_, items)) => (file.clone(), items),
                    None => {
                        let flat = folder.join(format!("{name}.rs"));
                        let file = if workspace.join(&flat).exists() { flat } else { below.join("mod.rs") };
                        let items = file_items(workspace, &file)?;
                        (file, items)
                    }
                };
                let child = modules.len();
                modules[index].children.insert(name.clone(), child);
                let child = Module { name, file, parent: Some(index), ..Module::default() };
                read_module(workspace, child, &below, items, modules)?;
            }
            item => {
                if let Item::Macro(definition) = &item
                    && let Some(name) = &definition.ident
                    && definition.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"))
                {
                    // An exported macro stands at the crate's root, wherever it is written.
                    let path = module_path(modules, index).into_iter().chain([name.to_string()]).collect();
                    let reexport = Import { name: name.to_string(), path, line: 0, reexported: true };
                    modules[0].imports.push(reexport);
                }
                Collector { module: &mut modules[index], at_top: true }.visit_item(&item);
            }
        }
    }
    Ok(())
}

/// `crate::…` of a module.
pub fn module_path(modules: &[Module], mut index: usize) -> Names {
    let mut names = vec![modules[index].name.clone()];
    while let Some(parent) = modules[index].parent {
        names.push(modules[parent].name.clone());
        index = parent;
    }
    names.reverse();
    names
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// Collects the names that an item defines and the paths that it names.
struct Collector<'m> {
    module: &'m mut Module,
    /// Not within a function: its names are the module's.
    at_top: bool,
}

impl Collector<'_> {
    fn path(&mut self, names: Names, line: usize) {
        self.module.paths.push((names, line));
    }

    fn import(&mut self, tree: &UseTree, prefix: &[String], reexported: bool) {
        let mut leaf = |name: String, last: Option<String>, line: usize| {
            let path = prefix.iter().cloned().chain(last).collect();
            self.module.imports.push(Import { name, path, line, reexported });
        };
        match tree {
            UseTree::Path(path) => {
                let prefix: Names = prefix.iter().cloned().chain([path.ident.to_string()]).collect();
                self.import(&path.tree, &prefix, reexported);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, prefix, reexported)),
            UseTree::Name(name) if name.ident == "self" => {
                leaf(prefix.last().cloned().unwrap_or_default(), None, name.ident.span().start().line);
            }
            UseTree::Name(name) => {
                leaf(name.ident.to_string(), Some(name.ident.to_string()), name.ident.span().start().line);
            }
            UseTree::Rename(rename) => {
                let last = (rename.ident != "self").then(|| rename.ident.to_string());
                leaf(rename.rename.to_string(), last, rename.ident.span().start().line);
            }
            UseTree::Glob(glob) => leaf("*".to_owned(), None, glob.span().start().line),
        }
    }

    /// Paths in the tokens of a macro or an attribute: names joined by `::`, and groups of them as in `a::{b, c}`.
    fn tokens(&mut self, tokens: TokenStream, prefix: &[String]) {
        let mut names: Names = prefix.to_vec();
        let (mut line, mut joins, mut fresh) = (0, 0, true);
        for token in tokens.into_iter() {
            match token {
                TokenTree::Ident(name) => {
                    if joins != 2 || fresh {
                        self.tokens_end(&names, prefix, line);
                        names = prefix.to_vec();
                        line = name.span().start().line;
                    }
                    names.push(name.to_string());
                    (joins, fresh) = (0, false);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => joins += 1,
                TokenTree::Group(group) => {
                    if joins == 2 && group.delimiter() == Delimiter::Brace && !fresh {
                        self.tokens(group.stream(), &names);
                    } else {
                        self.tokens(group.stream(), &[]);
                    }
                    (joins, fresh) = (0, true);
                    self.tokens_end(&names, prefix, line);
                    names = prefix.to_vec();
                }
                _ => {
                    self.tokens_end(&names, prefix, line);
                    names = prefix.to_vec();
                    (joins, fresh) = (0, true);
                }
            }
        }
        self.tokens_end(&names, prefix, line);
    }

    fn tokens_end(&mut self, names: &[String], prefix: &[String], line: usize) {
        if names.len() > prefix.len() && names.len() > 1 {
            self.path(names.to_vec(), line);
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes): (Option<&syn::Ident>, &[Attribute]) = match item {
            Item::Const(item) => (Some(&item.ident), &item.attrs),
            Item::Enum(item) => (Some(&item.ident), &item.attrs),
            Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
            Item::Static(item) => (Some(&item.ident), &item.attrs),
            Item::Struct(item) => (Some(&item.ident), &item.attrs),
            Item::Trait(item) => (Some(&item.ident), &item.attrs),
            Item::Type(item) => (Some(&item.ident), &item.attrs),
            Item::Impl(item) => (None, &item.attrs),
            Item::Use(item) => (None, &item.attrs),
            _ => (None, &[]),
        };
        if is_test(attributes) {
            return;
        }
        if self.at_top {
            self.module.items.extend(name.map(ToString::to_string));
        }
        let outer = std::mem::replace(&mut self.at_top, false);
        syn::visit::visit_item(self, item);
        self.at_top = outer;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let reexported = !matches!(item.vis, syn::Visibility::Inherited);
        if item.leading_colon.is_none() {
            self.import(&item.tree, &[], reexported);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let names: Names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            // A lower-case name alone is a variable, unless it is called.
            if names.len() > 1 || names[0].starts_with(char::is_uppercase) {
                self.path(names, path.span().start().line);
            }
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.path(vec![name.to_string()], name.span().start().line);
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone(), &[]);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone(), &[]);
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

//! Where the sheets of a workbook are in its archive, found as the reader of the workbook finds them.

use std::collections::HashMap;

use crate::lost::{Losses, Lost};
use crate::office::{
    archive::Archive,
    xml::{Token, Xml, broken},
};

// Workbooks of people have a few kilobytes. The reader keeps all names and relationships.
const WORKBOOK_ELEMENTS: usize = 20_000;

#[derive(Debug, Default)]
pub struct Package {
    /// The folder of the workbook, with its `/`: `xl/`.
    pub folder: String,
    pub workbook: String,
    /// All sheets, also charts that are sheets, in order.
    pub sheets: Vec<SheetPart>,
}

#[derive(Debug)]
pub struct SheetPart {
    pub name: String,
    pub path: String,
    pub is_worksheet: bool,
}

struct Relationship {
    kind: String,
    target: String,
}

impl Package {
    pub fn find(archive: &mut Archive<'_>, names: &Names, losses: &mut Losses) -> Result<Self, String> {
        let missing = || "must be a readable Office file: it has no part for the workbook".to_owned();
        let roots = names.xml(archive, "_rels/.rels", relationships)?.ok_or_else(missing)?;
        let (_, root) = roots.into_iter().rfind(|(_, to)| to.kind == "officeDocument").ok_or_else(missing)?;
        let (folder, file) = root.target.rfind('/').map_or(("", &*root.target), |at| root.target.split_at(at + 1));
        let folder = folder.strip_prefix('/').unwrap_or(folder).to_owned();
        let targets = names.xml(archive, &format!("{folder}_rels/{file}.rels"), relationships)?.ok_or_else(missing)?;
        let targets: HashMap<_, _> = targets.into_iter().collect();
        let read = |xml: &mut Xml<'_>| Self::sheets(xml, &folder, &targets, losses);
        let workbook = format!("{folder}{file}");
        let sheets = names.xml(archive, &workbook, read)?.ok_or_else(missing)?;
        Ok(Self { folder, workbook, sheets })
    }

    fn sheets(
        xml: &mut Xml<'_>,
        folder: &str,
        targets: &HashMap<String, Relationship>,
        losses: &mut Losses,
    ) -> Result<Vec<SheetPart>, String> {
        let (mut sheets, mut elements) = (Vec::new(), 0);
        while let Some(token) = xml.token()? {
            let Token::Start(element) = token else { continue };
            elements += 1;
            if elements > WORKBOOK_ELEMENTS {
                return Err(format!("must have a workbook of at most {WORKBOOK_ELEMENTS} elements"));
            }
            match &*element.name() {
                "sheet" => {
                    let name = element.text("name").unwrap_or_default();
                    let id = element.raw("id").unwrap_or_default();
                    let unknown = || broken(&"a sheet has no part");
                    let Relationship { kind, target } = targets.get(&*id).ok_or_else(unknown)?;
                    if element.raw("state").is_some_and(|state| state != "visible") {
                        losses.note(Lost::HiddenSheets, || name.clone());
                    }
                    let path = target.strip_prefix('/').map_or_else(|| format!("{folder}{target}"), str::to_owned);
                    sheets.push(SheetPart { name, path, is_worksheet: kind == "worksheet" });
                }
                // Names that begin with an underscore are the program's own: print ranges and filters.
                "definedName" => {
                    let name = element.text("name").unwrap_or_default();
                    if !name.starts_with('_') {
                        losses.note(Lost::DefinedNames, || name);
                    }
                }
                "externalReference" => losses.note(Lost::ExternalLinks, String::new),
                // LibreOffice writes one without a lock.
                "workbookProtection" if element.has("lockStructure") || element.has("lockWindows") => {
                    losses.note(Lost::Protection, String::new);
                }
                _ => {}
            }
        }
        Ok(sheets)
    }
}

/// The relationships of a part by id, in their order.
fn relationships(xml: &mut Xml<'_>) -> Result<Vec<(String, Relationship)>, String> {
    let mut found = Vec::new();
    while let Some(token) = xml.token()? {
        let Token::Start(element) = token else { continue };
        if !element.is("Relationship") {
            continue;
        }
        if found.len() == WORKBOOK_ELEMENTS {
            return Err(format!("must have at most {WORKBOOK_ELEMENTS} relationships"));
        }
        let kind = element.raw("Type").unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned();
        let target = element.raw("Target").unwrap_or_default().into_owned();
        // Only parts with these names are examined.
        let is_read = matches!(&*kind, "officeDocument" | "worksheet" | "chartsheet" | "dialogsheet");
        if is_read && (!is_examined(&target) || target.contains('&')) {
            return Err("must have its workbook and sheets in parts whose names end with .xml".to_owned());
        }
        found.push((element.raw("Id").unwrap_or_default().into_owned(), Relationship { kind, target }));
    }
    Ok(found)
}

/// Whether the part is read as XML. Data of other programs need not be in a form that we could read.
pub fn is_examined(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    (path.ends_with(".xml") || path.ends_with(".rels")) && !path.contains("customxml/")
}

/// The parts by their names without regard to case, as programs look them up.
pub struct Names(HashMap<String, String>);

impl Names {
    pub fn of(archive: &Archive<'_>) -> Result<Self, String> {
        Ok(Self(archive.names()?.into_iter().map(|name| (key(&name), name)).collect()))
    }

    pub fn xml<T>(
        &self,
        archive: &mut Archive<'_>,
        path: &str,
        read: impl FnOnce(&mut Xml<'_>) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        archive.xml(self.0.get(&key(path)).map_or(path, String::as_str), read)
    }
}

/// What two paths of the same part have in common.
pub fn key(path: &str) -> String {
    path.replace('\\', "/").to_ascii_lowercase()
}

//! Files and folders, and who sees them.

use serde_json::{Value, json};

use super::{
    Cloud,
    actors::{Refused, Scope},
    contents::Content,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Folder,
    Document,
    Spreadsheet,
    Note,
    Publication,
    Presentation,
    Upload,
}

pub const NATIVE: [Kind; 5] = [Kind::Document, Kind::Spreadsheet, Kind::Note, Kind::Publication, Kind::Presentation];

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Document => "document",
            Self::Spreadsheet => "spreadsheet",
            Self::Note => "note",
            Self::Publication => "publication",
            Self::Presentation => "presentation",
            Self::Upload => "uploaded_file",
        }
    }

    pub fn collection(self) -> String {
        format!("{}s", self.word())
    }

    /// The tool that proposes edits of such files.
    pub fn edit_tool(self) -> &'static str {
        match self {
            Self::Document => "edit_document",
            Self::Spreadsheet => "edit_spreadsheet",
            Self::Note => "edit_note",
            Self::Publication => "edit_publication",
            Self::Presentation => "edit_presentation",
            Self::Folder | Self::Upload => panic!("no tool edits a {}", self.word()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    pub id: String,
    pub content: Content,
    /// The id of the actor.
    pub by: String,
    pub plan: Option<String>,
    pub restored_from: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub id: String,
    pub kind: Kind,
    pub name: String,
    pub parent: Option<String>,
    pub is_trashed: bool,
    /// Of all states so far; the last one is the current one.
    pub etags: Vec<String>,
    /// How often the record was changed: name, place or state.
    pub revision: usize,
    /// Oldest first; none of a folder.
    pub versions: Vec<Version>,
    /// Places that agents change only with an approval.
    pub protected: Vec<Value>,
}

impl File {
    pub fn etag(&self) -> &str {
        self.etags.last().expect("a file has an etag")
    }

    pub fn version(&self) -> Option<&Version> {
        self.versions.last()
    }

    pub fn content(&self) -> &Content {
        &self.version().expect("a file with content").content
    }

    pub fn content_if_any(&self) -> Option<&Content> {
        self.version().map(|version| &version.content)
    }

    pub fn is_native(&self) -> bool {
        NATIVE.contains(&self.kind)
    }

    /// After a change of name, place or state.
    pub fn revise(&mut self, etag: String) {
        self.etags.push(etag);
        self.revision += 1;
    }
}

impl Cloud {
    pub fn get(&self, id: &str) -> Option<&File> {
        self.files.iter().find(|file| file.id == id)
    }

    pub fn get_mut(&mut self, id: &str) -> &mut File {
        self.files.iter_mut().find(|file| file.id == id).expect("a file that was found")
    }

    /// The folders above, from the nearest one.
    pub fn above(&self, id: &str) -> Vec<&File> {
        let parent = |file: &File| file.parent.as_deref().and_then(|parent| self.get(parent));
        std::iter::successors(self.get(id).and_then(parent), |folder| parent(folder)).collect()
    }

    /// A trashed folder hides what is in it, but for what is in the trash on its own.
    pub fn is_reachable(&self, id: &str) -> bool {
        self.get(id).is_some_and(|file| file.is_trashed) || self.above(id).iter().all(|folder| !folder.is_trashed)
    }

    /// Whether it is in the workspace of `who`, and within the limits.
    pub fn is_within(&self, who: &str, id: &str) -> bool {
        let Some(file) = self.get(id).filter(|_| who != "stranger") else { return false };
        if who != "limited" {
            return true;
        }
        let is_of_type = |types: &Vec<Kind>| file.kind == Kind::Folder || types.contains(&file.kind);
        let is_inside = |folders: &Vec<String>| {
            folders.iter().any(|root| root == id || self.above(id).iter().any(|folder| folder.id == *root))
        };
        self.limits.types.as_ref().is_none_or(is_of_type) && self.limits.folders.as_ref().is_none_or(is_inside)
    }

    /// Agents leave protected files, and folders with some, where they are.
    pub fn protection_refusals(&self, who: &str, id: &str) -> Vec<&'static str> {
        let is_in = |file: &File| file.id == id || self.above(&file.id).iter().any(|folder| folder.id == id);
        let is_protected = self.files.iter().any(|file| !file.protected.is_empty() && is_in(file));
        let needs_person = self.needs_approval(who) || self.may_need_approval(who);
        if is_protected && needs_person { vec!["approval_required"] } else { Vec::new() }
    }

    pub fn sees(&self, who: &str, id: &str) -> bool {
        self.is_within(who, id) && self.is_reachable(id)
    }

    /// The file of a read, or 404.
    pub fn read(&self, who: &str, id: &str) -> Result<&File, Refused> {
        self.get(id).filter(|_| self.sees(who, id)).ok_or_else(|| vec!["not_found"])
    }

    /// The file of a command, or why the command is not even looked at.
    pub fn open(&self, who: &str, scope: Scope, id: &str) -> Result<&File, Refused> {
        self.may(who, scope)?;
        self.read(who, id)
    }

    /// Why no file can be put there.
    pub fn place_refusals(&self, who: &str, parent: Option<&str>, moved: Option<&str>) -> Refused {
        let Some(parent) = parent else {
            let is_limited = who == "limited" && self.limits.folders.is_some();
            return if is_limited { vec!["not_found"] } else { Vec::new() };
        };
        let Some(folder) = self.get(parent).filter(|_| self.is_within(who, parent)) else { return vec!["not_found"] };
        let mut refusals = Vec::new();
        if !self.is_reachable(parent) {
            refusals.push("not_found");
        } else if folder.kind != Kind::Folder {
            refusals.push("parent_not_folder");
        } else if folder.is_trashed {
            refusals.push("parent_trashed");
        }
        if let Some(moved) = moved
            && (moved == parent || self.above(parent).iter().any(|folder| folder.id == moved))
        {
            refusals.push("parent_cycle");
        }
        refusals
    }

    /// The record as `who` sees it.
    pub fn file_record(&self, who: &str, file: &File) -> Value {
        // For an agent its folders are at the top.
        let is_root = |folders: &Vec<String>| folders.contains(&file.id);
        let hides = who == "limited" && self.limits.folders.as_ref().is_some_and(is_root);
        let parent = file.parent.as_ref().filter(|_| !hides);
        json!({
            "id": file.id, "name": file.name, "type": file.kind.word(), "parent_id": parent, "etag": file.etag(),
            "state": if file.is_trashed { "trashed" } else { "active" },
            "current_version_id": file.version().map(|version| &version.id),
        })
    }

    pub fn file_answer(&self, who: &str, id: &str) -> Value {
        json!({"file": self.file_record(who, self.get(id).expect("a file"))})
    }
}

//! Commands on files and folders.

use serde_json::{Value, json};
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, Scope, actor},
    contents::{Content, first, sent},
    feed::Change,
    tree::{File, Kind, Version},
};

impl Cloud {
    /// Adds a file with its first version, or a folder; the answer.
    pub fn add(&mut self, who: &str, n: &str, new: NewFile) -> Value {
        let NewFile { kind, name, parent, content, change } = new;
        let (id, version) = (format!("$file{n}"), format!("$ver{n}"));
        let first = |content| Version {
            id: version.clone(),
            content,
            by: actor(who).to_owned(),
            plan: None,
            restored_from: None,
        };
        let versions: Vec<_> = content.into_iter().map(first).collect();
        let made = versions.first().map(|version| version.id.clone());
        self.feed.push(Change { version: made, ..Change::of(change, who, &id) });
        self.files.push(File {
            id: id.clone(),
            kind,
            name,
            parent,
            is_trashed: false,
            etags: vec![format!("$etag{n}")],
            revision: 0,
            versions,
            protected: Vec::new(),
        });
        self.file_answer(who, &id)
    }

    /// Adds a version to a file.
    pub fn add_version(&mut self, who: &str, id: &str, n: &str, version: Version, change: &'static str) {
        let plan = version.plan.clone();
        self.feed.push(Change { version: Some(version.id.clone()), plan, ..Change::of(change, who, id) });
        let file = self.get_mut(id);
        file.etags.push(format!("$etag{n}"));
        file.versions.push(version);
    }

    /// Why a file cannot be added there.
    pub fn add_refusals(&self, who: &str, kind: Kind, parent: Option<&str>, name: Option<&str>) -> Refused {
        let mut refusals = self.place_refusals(who, parent, None);
        let types = self.limits.types.as_ref().filter(|_| who == "limited" && kind != Kind::Folder);
        if types.is_some_and(|types| !types.contains(&kind)) {
            refusals.push("agent_limited");
        }
        if name.is_some_and(|name| self.has_name(who, parent, name, "")) {
            refusals.push("name_exists");
        }
        refusals
    }

    /// Whether another active file of the folder has this name.
    fn has_name(&self, who: &str, parent: Option<&str>, name: &str, except: &str) -> bool {
        let is_same = |file: &&File| file.parent.as_deref() == parent && file.name == name && file.id != except;
        self.files.iter().filter(is_same).any(|file| !file.is_trashed && self.is_within(who, &file.id))
    }

    /// What the checks of a command on a file have found, in any order.
    pub fn file_refusals(&self, who: &str, file: &File, etag: &str, is_trashed: bool) -> Refused {
        let mut refusals = Vec::new();
        if file.is_trashed != is_trashed {
            refusals.push(if is_trashed { "file_not_trashed" } else { "file_trashed" });
        }
        if file.etag() != etag {
            refusals.push("etag_mismatch");
        }
        let is_root = |folders: &Vec<String>| folders.contains(&file.id);
        let limits = &self.limits;
        if who == "limited"
            && file.kind == Kind::Folder
            && (limits.types.is_some() || limits.folders.as_ref().is_some_and(is_root))
        {
            refusals.push("agent_limited");
        }
        refusals
    }
}

/// What a new file is.
pub struct NewFile {
    pub kind: Kind,
    pub name: String,
    pub parent: Option<String>,
    pub content: Option<Content>,
    pub change: &'static str,
}

/// Nothing, if there is no reason to refuse.
pub fn unless(refusals: Refused) -> Result<(), Refused> {
    if refusals.is_empty() { Ok(()) } else { Err(refusals) }
}

/// Where the page of a file sends what it does with it.
pub fn change_form(id: &str) -> String {
    format!("/f/{id}/change")
}

type Made = Option<Command<Cloud>>;

pub fn create(turn: &mut Turn<'_>, operation: &'static str, kind: Kind) -> Made {
    let (who, parent, n) = (turn.member(), turn.parent(), turn.n.to_owned());
    // Some names are there twice, so that `If-None-Match` has something to refuse.
    let name = if turn.dice.percent(15) { "Twice".to_owned() } else { format!("File {n}") };
    let must_be_new = turn.dice.percent(30);
    let content = (kind != Kind::Folder).then(|| first(kind, &n));
    let mut body = json!({"name": name});
    if let Some(content) = &content {
        body["content"] = sent(kind, content);
    }
    if let Some(parent) = &parent {
        body["parent_id"] = json!(parent);
    }
    let path = if kind == Kind::Folder { "/v1/folders".to_owned() } else { format!("/v1/{}", kind.collection()) };
    let mut command = Command::post(operation, who, path, body);
    if must_be_new {
        command = command.header("if-none-match", "*");
    } else if kind == Kind::Folder {
        let mut arguments = json!({"type": "folder", "name": name});
        if let Some(parent) = &parent {
            arguments["parent_id"] = json!(parent);
        }
        let fields = [("kind", "folder"), ("in", parent.as_deref().unwrap_or_default()), ("name", &name)];
        command = command.tool("create_file", arguments).form("/w/new".to_owned(), &fields);
    }
    Some(command.does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        let unique = must_be_new.then_some(name.as_str());
        unless(cloud.add_refusals(who, kind, parent.as_deref(), unique))?;
        let (name, parent, content) = (name.clone(), parent.clone(), content.clone());
        Ok(cloud.add(who, &n, NewFile { kind, name, parent, content, change: "file.created" }))
    }))
}

pub fn import_text(turn: &mut Turn<'_>) -> Made {
    let (who, parent, n) = (turn.member(), turn.parent(), turn.n.to_owned());
    let name = format!("Import {n}");
    let mut body = json!({"name": name, "format": "text", "text": format!("Imported {n}.")});
    if let Some(parent) = &parent {
        body["parent_id"] = json!(parent);
    }
    let (text, folder) = (format!("Imported {n}."), parent.as_deref().unwrap_or_default());
    let mut arguments = json!({"type": "note", "name": name, "text": text});
    if let Some(parent) = &parent {
        arguments["parent_id"] = json!(parent);
    }
    let fields = [("kind", "note"), ("in", folder), ("name", &name), ("text", &text)];
    let command = Command::post("import_text", who, "/v1/imports", body).form("/w/new".to_owned(), &fields);
    Some(command.tool("create_file", arguments).does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        unless(cloud.add_refusals(who, Kind::Note, parent.as_deref(), None))?;
        let content = Some(Content::Unknown(format!("$xcontent{n}")));
        let (name, parent) = (name.clone(), parent.clone());
        Ok(cloud.add(who, &n, NewFile { kind: Kind::Note, name, parent, content, change: "file.created" }))
    }))
}

pub fn rename(turn: &mut Turn<'_>) -> Made {
    let (who, file, n) = (turn.anyone(), turn.file()?, turn.n.to_owned());
    let (etag, id) = (turn.etag_of(&file), file.id);
    let name = format!("Renamed {n}");
    let command = Command::post("rename_file", who, format!("/v1/files/{id}/rename"), json!({"name": name}))
        .if_match(&etag)
        .tool("move_or_rename", json!({"file_id": id, "name": name}))
        .form(change_form(&id), &[("action", "rename"), ("etag", &etag), ("name", &name)]);
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let mut refusals = cloud.file_refusals(who, file, &etag, false);
        refusals.extend(cloud.protection_refusals(who, &id));
        unless(refusals)?;
        let file = cloud.get_mut(&id);
        file.name.clone_from(&name);
        file.revise(format!("$etag{n}"));
        cloud.feed.push(Change::of("file.renamed", who, &id));
        Ok(cloud.file_answer(who, &id))
    }))
}

pub fn move_to(turn: &mut Turn<'_>) -> Made {
    let (who, file, parent, n) = (turn.anyone(), turn.file()?, turn.parent(), turn.n.to_owned());
    let (etag, id) = (turn.etag_of(&file), file.id);
    // As the form says it: the same key with `null` would be another request.
    let body = json!({"parent_id": parent.as_deref().unwrap_or("root")});
    let mut command = Command::post("move_file", who, format!("/v1/files/{id}/move"), body);
    if let Some(parent) = &parent {
        command = command.tool("move_or_rename", json!({"file_id": id, "parent_id": parent}));
    }
    let fields = [("action", "move"), ("etag", &*etag), ("in", parent.as_deref().unwrap_or_default())];
    let command = command.form(format!("/f/{id}/move"), &fields);
    Some(command.if_match(&etag).does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let moved = (file.kind == Kind::Folder).then_some(id.as_str());
        let mut refusals = cloud.file_refusals(who, file, &etag, false);
        refusals.extend(cloud.place_refusals(who, parent.as_deref(), moved));
        refusals.extend(cloud.protection_refusals(who, &id));
        unless(refusals)?;
        let file = cloud.get_mut(&id);
        file.parent.clone_from(&parent);
        file.revise(format!("$etag{n}"));
        cloud.feed.push(Change::of("file.moved", who, &id));
        Ok(cloud.file_answer(who, &id))
    }))
}

pub fn copy(turn: &mut Turn<'_>) -> Made {
    let (who, file, n) = (turn.anyone(), turn.file()?, turn.n.to_owned());
    let (id, name) = (file.id, format!("Copy {n}"));
    // Without a place, into the folder of the file.
    let place = if turn.dice.percent(50) { Some(turn.parent()) } else { None };
    let mut body = json!({"name": name});
    let mut fields = vec![("action", "copy"), ("name", name.as_str())];
    if let Some(place) = &place {
        let place = place.as_deref().unwrap_or("root");
        body["parent_id"] = json!(place);
        fields.push(("in", place));
    }
    let mut arguments = body.clone();
    arguments["file_id"] = json!(id);
    let mut command =
        Command::post("copy_file", who, format!("/v1/files/{id}/copy"), body).tool("copy_file", arguments);
    if place.is_some() {
        command = command.form(format!("/f/{id}/move"), &fields);
    }
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?.clone();
        let parent = place.clone().unwrap_or_else(|| file.parent.clone());
        let mut refusals = cloud.add_refusals(who, file.kind, parent.as_deref(), None);
        if file.kind == Kind::Folder {
            refusals.push("invalid_field");
        }
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        unless(refusals)?;
        let (kind, name, content) = (file.kind, name.clone(), Some(file.content().clone()));
        Ok(cloud.add(who, &n, NewFile { kind, name, parent, content, change: "file.created" }))
    }))
}

pub fn trash(turn: &mut Turn<'_>) -> Made {
    let (who, file, n) = (turn.anyone(), turn.file()?, turn.n.to_owned());
    let etag = turn.etag_of(&file);
    Some(trashed(who, file.id, etag, n))
}

pub fn trashed(who: &'static str, id: String, etag: String, n: String) -> Command<Cloud> {
    let command = Command::post("trash_file", who, format!("/v1/files/{id}/trash"), json!({}))
        .if_match(&etag)
        .tool("trash_or_restore", json!({"file_id": id, "action": "trash"}))
        .form(change_form(&id), &[("action", "trash"), ("etag", &etag)]);
    command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let mut refusals = cloud.file_refusals(who, file, &etag, false);
        refusals.extend(cloud.protection_refusals(who, &id));
        unless(refusals)?;
        let file = cloud.get_mut(&id);
        file.is_trashed = true;
        file.revise(format!("$etag{n}"));
        cloud.feed.push(Change::of("file.trashed", who, &id));
        Ok(cloud.file_answer(who, &id))
    })
}

pub fn restore(turn: &mut Turn<'_>) -> Made {
    let (who, file, n) = (turn.anyone(), turn.trashed()?, turn.n.to_owned());
    let (etag, id) = (turn.etag_of(&file), file.id);
    let given = if turn.dice.percent(30) { Some(turn.parent()) } else { None };
    let body = given.as_ref().map_or_else(|| json!({}), |parent| json!({"parent_id": parent}));
    let mut command = Command::post("restore_file", who, format!("/v1/files/{id}/restore"), body).if_match(&etag);
    if given.is_none() {
        command = command
            .tool("trash_or_restore", json!({"file_id": id, "action": "restore"}))
            .form(change_form(&id), &[("action", "restore"), ("etag", &etag)]);
    }
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let old = file.parent.clone().filter(|parent| cloud.get(parent).is_some());
        let parent = given.clone().unwrap_or(old);
        let moved = (file.kind == Kind::Folder).then_some(id.as_str());
        let mut refusals = cloud.file_refusals(who, file, &etag, true);
        refusals.extend(cloud.place_refusals(who, parent.as_deref(), moved));
        unless(refusals)?;
        let file = cloud.get_mut(&id);
        (file.parent, file.is_trashed) = (parent, false);
        file.revise(format!("$etag{n}"));
        cloud.feed.push(Change::of("file.restored", who, &id));
        Ok(cloud.file_answer(who, &id))
    }))
}

pub fn purge(turn: &mut Turn<'_>) -> Made {
    let who = turn.anyone();
    let file = if turn.dice.percent(80) { turn.trashed()? } else { turn.file()? };
    let etag = turn.etag_of(&file);
    let fields = [("action", "purge"), ("etag", &etag), ("name", &file.name)];
    Some(purged(who, file.id.clone(), etag.clone()).form(change_form(&file.id), &fields))
}

pub fn purged(who: &'static str, id: String, etag: String) -> Command<Cloud> {
    let command = Command::post("purge_file", who, format!("/v1/files/{id}/purge"), json!({})).if_match(&etag);
    command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let mut refusals = cloud.file_refusals(who, file, &etag, true);
        if cloud.needs_approval(who) || cloud.may_need_approval(who) {
            refusals.push("approval_required");
        }
        unless(refusals)?;
        cloud.feed.push(Change::of("file.purged", who, &id));
        cloud.forget(&id);
        Ok(json!({}))
    })
}

impl Cloud {
    /// Removes a file with all that is about it. What was trashed on its own in a folder moves to the top.
    fn forget(&mut self, id: &str) {
        let inside: Vec<(String, bool)> = self
            .files
            .iter()
            .filter(|file| file.parent.as_deref() == Some(id))
            .map(|file| (file.id.clone(), file.is_trashed))
            .collect();
        for (file, is_trashed) in inside {
            if is_trashed {
                let file = self.get_mut(&file);
                file.parent = None;
                file.revise(format!("{}_up", file.etag()));
            } else {
                self.forget(&file);
            }
        }
        self.files.retain(|file| file.id != id);
        self.plans.retain(|plan| plan.file != id);
        self.comments.retain(|comment| comment.file != id);
    }
}

pub fn protect(turn: &mut Turn<'_>) -> Made {
    let (who, file) = (turn.anyone(), turn.file()?);
    let is_whole = turn.dice.percent(30);
    let (protected, id) = (if is_whole { json!([{}]) } else { json!([]) }, file.id);
    let body = json!({"protected": protected});
    let command = Command::put("protect_file", who, format!("/v1/files/{id}/protection"), body);
    Some(command.does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Write)?;
        if super::actors::is_agent(who) {
            return Err(vec!["person_required"]);
        }
        let file = cloud.read(who, &id)?;
        let mut refusals = Vec::new();
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        if is_whole && !file.is_native() {
            refusals.push("anchor_not_found");
        }
        unless(refusals)?;
        cloud.get_mut(&id).protected = protected.as_array().cloned().unwrap_or_default();
        Ok(json!({"protected": protected}))
    }))
}

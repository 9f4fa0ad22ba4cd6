//! Earlier versions of files: they are brought back, and the ids of parts that are gone are never used again.

use serde_json::json;
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Scope, actor},
    contents::Content,
    files::{change_form, unless},
    tree::{File, Kind, Version},
};

pub fn restore_version(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file, n) = (turn.anyone(), turn.file()?, turn.n.to_owned());
    let (etag, id) = (turn.etag_of(&file), file.id.clone());
    let version = turn.dice.pick(&file.versions, |version| &version.id)?.id.clone();
    let path = format!("/v1/files/{id}/versions/{version}/restore");
    let command = Command::post("restore_version", who, path, json!({}))
        .if_match(&etag)
        .tool("restore_version", json!({"file_id": id, "version_id": version}))
        .form(change_form(&id), &[("action", "restore-version"), ("etag", &etag), ("version", &version)]);
    // The service decides whether it is risky.
    Some(command.certain().does(move |cloud: &mut Cloud, seen| {
        let file = cloud.open(who, Scope::Write, &id)?;
        let mut refusals = cloud.file_refusals(who, file, &etag, false);
        refusals.extend(cloud.version_refusals(who, seen));
        unless(refusals)?;
        let earlier = file.versions.iter().find(|earlier| earlier.id == version).ok_or_else(|| vec!["not_found"])?;
        let earlier = earlier.id.clone();
        cloud.retire_back(&id, &earlier);
        cloud.bring_back(who, &id, &n, &earlier);
        Ok(cloud.file_answer(who, &id))
    }))
}

impl Cloud {
    /// Notes the parts that the next content of a file does not have: their ids are never used again.
    pub fn retire(&mut self, id: &str, next: &Content) {
        let file = self.get(id).expect("a file");
        // Cells and lines have no ids of their own.
        if !matches!(file.kind, Kind::Document | Kind::Publication | Kind::Presentation) {
            return;
        }
        let gone: Vec<_> = file.content().parts().iter().map(|(part, _)| part.clone()).collect();
        let gone = gone.into_iter().filter(|part| next.text(part).is_none());
        self.retired.extend(gone.map(|part| (id.to_owned(), part)));
    }

    pub fn retire_back(&mut self, id: &str, earlier: &str) {
        let versions = &self.get(id).expect("a file").versions;
        let content = versions.iter().find(|version| version.id == earlier).expect("a version").content.clone();
        self.retire(id, &content);
    }

    /// Whether the content would bring back a part that the file has no more.
    pub fn has_retired(&self, file: &File, content: &Content) -> bool {
        let mut added = content.parts().iter().filter(|(part, _)| file.content().text(part).is_none());
        added.any(|(part, _)| self.retired.contains(&(file.id.clone(), part.clone())))
    }

    /// Makes a version with the content of an earlier one.
    pub fn bring_back(&mut self, who: &str, id: &str, n: &str, earlier: &str) {
        let file = self.get(id).expect("a file");
        let content = file.versions.iter().find(|version| version.id == earlier).expect("a version").content.clone();
        let version = Version {
            id: format!("$ver{n}"),
            content,
            by: actor(who).to_owned(),
            plan: None,
            restored_from: Some(earlier.to_owned()),
        };
        self.add_version(who, id, n, version, "version.restored");
    }
}

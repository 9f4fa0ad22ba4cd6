//! Random histories: after each step, searches find what a scan of all texts finds.
//!
//! `SEARCH_STEPS=10000` makes a long history, `SEARCH_SEED` another one.

use cloud_svc::{
    WorkspaceId,
    files::content_search::index::{check, rebuild},
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text, variable};

use super::{
    all, encoded, indexed,
    model::{Asked, Content, File, Model},
    stage,
};
use crate::{samples, uploads};

const WORDS: &[&str] = &[
    "budget",
    "Budgets",
    "bud",
    "plan",
    "planet",
    "PLANS",
    "may",
    "Mayor",
    "re",
    "a",
    "Straße",
    "strassen",
    "café",
    "会議",
    "会議室",
    "メモ",
    "議",
    "2026",
    "20",
    "airplane",
];
/// More files than this are purged: a comparison costs as much as there are files.
const MANY: usize = 60;
const TAGS: &[&str] = &["board", "boards", "Café"];

#[shared_testing::test]
async fn searches_find_what_a_scan_finds() {
    let (steps, seed) = (variable("SEARCH_STEPS", 300), variable("SEARCH_SEED", 29));
    let stage = stage().await;
    let mut history = History {
        ada: stage.caller("ada").claim("exp", stage.now().seconds() + 86_400),
        stage: &stage,
        random: StdRng::seed_from_u64(seed),
        model: Model::default(),
        step: 0,
    };
    for step in 1..=usize::try_from(steps).expect("a count") {
        history.step = step;
        let what = history.go().await;
        for _ in 0..2 {
            history.compare(what).await;
        }
    }
    indexed(&stage).await;
    let differences = check::check(&stage.context, WorkspaceId::from_number(1)).await.expect("a comparison");
    assert!(differences.is_empty(), "{differences:?}");
}

struct History<'s> {
    stage: &'s Stage,
    ada: Caller,
    random: StdRng,
    model: Model,
    step: usize,
}

impl History<'_> {
    fn word(&mut self) -> &'static str {
        WORDS.choose(&mut self.random).expect("a word")
    }

    fn text(&mut self) -> String {
        let count = self.random.random_range(1..6);
        let separators = [" ", " ", ", ", "-"];
        (0..count).map(|_| format!("{}{}", self.word(), separators.choose(&mut self.random).expect("one"))).collect()
    }

    /// A file that the condition allows.
    fn some(&mut self, allows: impl Fn(&Model, usize) -> bool) -> Option<usize> {
        let files: Vec<_> = (0..self.model.files.len()).filter(|index| allows(&self.model, *index)).collect();
        files.choose(&mut self.random).copied()
    }

    fn folder(&mut self) -> Option<usize> {
        self.some(|model, index| model.files[index].kind == "folder" && model.is_visible(index))
    }

    async fn go(&mut self) -> &'static str {
        let is_there = |model: &Model, index: usize| !model.files[index].is_gone;
        if (0..self.model.files.len()).filter(|index| is_there(&self.model, *index)).count() > MANY {
            let index = self.some(is_there).expect("a file");
            if !self.model.files[index].is_trashed && self.model.is_visible(index) {
                self.trash(index).await;
            }
            return if self.model.files[index].is_trashed { self.purge(index).await } else { "nothing" };
        }
        let visible = |model: &Model, index: usize| model.is_visible(index);
        match self.random.random_range(0..20) {
            0..5 => self.create().await,
            5 => self.upload().await,
            6 => self.promote().await,
            7..10 => match self
                .some(|model, index| model.is_visible(index) && matches!(model.files[index].kind, "document" | "note"))
            {
                Some(index) => self.edit(index).await,
                None => "nothing",
            },
            10 => match self.some(|model, index| model.is_visible(index) && model.files[index].versions.len() > 1) {
                Some(index) => self.restore_version(index).await,
                None => "nothing",
            },
            11 => match self.some(visible) {
                Some(index) => self.rename(index).await,
                None => "nothing",
            },
            12..14 => match self.some(visible) {
                Some(index) => self.comment(index).await,
                None => "nothing",
            },
            14 => match self.some(|model, index| model.is_visible(index) && !model.files[index].comments.is_empty()) {
                Some(index) => self.change_comment(index).await,
                None => "nothing",
            },
            15 => match self.some(visible) {
                Some(index) => self.trash(index).await,
                None => "nothing",
            },
            16 => match self.some(|model, index| {
                let File { is_trashed, is_gone, parent, .. } = &model.files[index];
                *is_trashed && !is_gone && parent.is_none_or(|parent| model.is_visible(parent))
            }) {
                Some(index) => self.restore(index).await,
                None => "nothing",
            },
            17 => match self.some(|model, index| model.files[index].is_trashed && !model.files[index].is_gone) {
                Some(index) if self.random.random_bool(0.5) => self.purge(index).await,
                _ => "nothing",
            },
            18 => {
                indexed(self.stage).await;
                "index"
            }
            _ => {
                if self.random.random_bool(0.1) {
                    self.stage.clock.advance(std::time::Duration::from_secs(1));
                    let done = rebuild::rebuild(&self.stage.context, WorkspaceId::from_number(1)).await;
                    done.expect("a rebuilt index");
                    return "rebuild";
                }
                "nothing"
            }
        }
    }

    fn add(&mut self, id: String, kind: &'static str, name: String, content: Content, parent: Option<usize>) {
        let file = File { id, kind, name, content, parent, written: self.step, ..File::default() };
        self.model.files.push(file);
    }

    async fn note_version(&mut self, index: usize) {
        let file = &self.model.files[index];
        let record = samples::record(&self.ada, &file.id).await;
        let version = record["file"]["current_version_id"].text().to_owned();
        let file = &mut self.model.files[index];
        file.versions.push((version, file.content.clone()));
        file.written = self.step;
    }

    async fn create(&mut self) -> &'static str {
        let (name, one, two) = (format!("{}.", self.text()), self.text(), self.text());
        let parent = if self.random.random_bool(0.5) { self.folder() } else { None };
        let tags = if self.random.random_bool(0.3) {
            vec![TAGS[self.random.random_range(0..TAGS.len())].to_owned()]
        } else {
            Vec::new()
        };
        let both = vec![one.clone(), two.clone()];
        let (kind, content, texts) = match self.random.random_range(0..4) {
            0 => ("folder", None, Vec::new()),
            1 => {
                let block = |id: &str, text: &str| {
                    // The second half in bold: a style must not cut a word in two.
                    let at = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
                    json!({"id": id, "type": "paragraph", "segments": [{"text": &text[..at]}, {"text": &text[at..], "bold": true}]})
                };
                ("document", Some(json!({"kind": "docs", "blocks": [block("b1", &one), block("b2", &two)]})), both)
            }
            2 => ("note", Some(json!({"title": one.trim(), "content": two, "tags": tags})), both),
            _ => {
                let sheets = json!([{"name": "Data", "cells": [[one, two]]}]);
                (
                    "spreadsheet",
                    Some(json!({"kind": "sheets", "sheets": sheets})),
                    [both, vec!["Data".to_owned()]].concat(),
                )
            }
        };
        let tags = if kind == "note" { tags } else { Vec::new() };
        let mut body = json!({"name": name});
        if let Some(content) = content {
            body["content"] = content;
        }
        if let Some(parent) = parent {
            body["parent_id"] = json!(self.model.files[parent].id);
        }
        let created = self.ada.post(format!("/v1/{kind}s")).fresh_key().json(body).await.status(200);
        self.add(samples::id(&created), kind, name, Content { texts, tags }, parent);
        if kind != "folder" {
            self.note_version(self.model.files.len() - 1).await;
        }
        "create"
    }

    async fn upload(&mut self) -> &'static str {
        let text = self.text();
        let id = uploads::named(&self.ada, "upload", text.as_bytes()).await;
        self.add(id, "upload", "upload".to_owned(), Content { texts: vec![text], tags: Vec::new() }, None);
        "upload"
    }

    async fn promote(&mut self) -> &'static str {
        let text = self.text();
        let draft = json!({"name": "draft", "type": "note", "content": {"title": "draft", "content": text}});
        // Promoted drafts count for a week, and a grant may have fifty.
        let ada = self.ada.clone().claim("grant_id", format!("grant-{}", self.step));
        let kept = ada.post("/v1/scratch").fresh_key().json(draft).await.status(200);
        self.compare("draft").await;
        let path = format!("/v1/scratch/{}/promote", kept["draft"]["id"].text());
        let promoted = ada.post(path).fresh_key().json(json!({})).await.status(200);
        let content = Content { texts: vec!["draft".to_owned(), text], tags: Vec::new() };
        self.add(samples::id(&promoted), "note", "draft".to_owned(), content, None);
        self.note_version(self.model.files.len() - 1).await;
        "promote"
    }

    async fn edit(&mut self, index: usize) -> &'static str {
        let (file, text) = (self.model.files[index].clone(), self.text());
        let operation = match file.kind {
            "document" => json!({"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": text}]}}),
            _ => json!({"op": "append_text", "text": format!("\n{text}")}),
        };
        let plan = samples::propose(&self.ada, &file.id, json!([operation])).await.await.status(200)["plan"].clone();
        self.compare("plan").await;
        samples::apply(&self.ada, &plan).await.await.status(200);
        let texts = &mut self.model.files[index].content.texts;
        match texts.last_mut() {
            // One text: a phrase goes on in the next line.
            Some(last) if file.kind == "note" => last.push_str(&format!("\n{text}")),
            _ => texts.push(text),
        }
        self.note_version(index).await;
        "edit"
    }

    async fn restore_version(&mut self, index: usize) -> &'static str {
        let file = self.model.files[index].clone();
        let (version, content) = file.versions.choose(&mut self.random).expect("a version").clone();
        samples::command(&self.ada, &file.id, &format!("versions/{version}/restore"), json!({}))
            .await
            .await
            .status(200);
        self.model.files[index].content = content;
        self.note_version(index).await;
        "restore a version"
    }

    async fn rename(&mut self, index: usize) -> &'static str {
        let name = format!("{}.", self.text());
        let id = self.model.files[index].id.clone();
        samples::command(&self.ada, &id, "rename", json!({"name": name})).await.await.status(200);
        let file = &mut self.model.files[index];
        (file.name, file.written) = (name, self.step);
        "rename"
    }

    async fn comment(&mut self, index: usize) -> &'static str {
        let text = self.text();
        let comment = samples::comment(&self.ada, &self.model.files[index].id, &text).await;
        let file = &mut self.model.files[index];
        file.comments.push((comment, text));
        file.written = self.step;
        "comment"
    }

    async fn change_comment(&mut self, index: usize) -> &'static str {
        let at = self.random.random_range(0..self.model.files[index].comments.len());
        let (comment, text) = (self.model.files[index].comments[at].0.clone(), self.text());
        let is_delete = self.random.random_bool(0.5);
        let body = if is_delete { json!({}) } else { json!({"text": text}) };
        let verb = if is_delete { "delete" } else { "edit" };
        let answer = samples::on_comment(&self.ada, &comment, verb, body).await.status(200);
        let step = self.step;
        let file = &mut self.model.files[index];
        if is_delete {
            file.comments.remove(at);
            file.written = step;
        } else if file.comments[at].1 != text {
            file.comments[at] = (answer["comment"].clone(), text);
            file.written = step;
        }
        "change a comment"
    }

    async fn trash(&mut self, index: usize) -> &'static str {
        samples::command(&self.ada, &self.model.files[index].id, "trash", json!({})).await.await.status(200);
        self.model.files[index].is_trashed = true;
        "trash"
    }

    async fn restore(&mut self, index: usize) -> &'static str {
        samples::command(&self.ada, &self.model.files[index].id, "restore", json!({})).await.await.status(200);
        self.model.files[index].is_trashed = false;
        "restore"
    }

    async fn purge(&mut self, index: usize) -> &'static str {
        samples::command(&self.ada, &self.model.files[index].id, "purge", json!({})).await.await.status(200);
        self.model.purge(index);
        "purge"
    }

    fn asked(&mut self) -> Vec<Asked> {
        let count = self.random.random_range(1..3);
        let mut asked = Vec::new();
        for _ in 0..count {
            let word = self.word();
            asked.push(match self.random.random_range(0..8) {
                0 => Asked::Phrase(vec![word.to_owned(), self.word().to_owned()]),
                1 if !asked.iter().any(|asked| matches!(asked, Asked::Tag(_))) => {
                    Asked::Tag(TAGS[self.random.random_range(0..TAGS.len())].to_owned())
                }
                2 | 3 => {
                    let (from, length) = (self.random.random_range(0..3), self.random.random_range(2..6));
                    let part: String = word.chars().skip(from).take(length).collect();
                    Asked::Word(if part.is_empty() { word.to_owned() } else { part })
                }
                _ => Asked::Word(word.to_owned()),
            });
        }
        asked
    }

    async fn compare(&mut self, what: &str) {
        let asked = self.asked();
        let mut text = String::new();
        let mut query = String::new();
        for each in &asked {
            match each {
                Asked::Word(word) => text.push_str(&format!("{word} ")),
                Asked::Phrase(words) => text.push_str(&format!("\"{}\" ", words.join(" "))),
                Asked::Tag(tag) => query = format!("tag={}&", encoded(tag)),
            }
        }
        if !text.is_empty() {
            query.push_str(&format!("text={}", encoded(&text)));
        }
        let below = if self.random.random_bool(0.2) { self.folder() } else { None };
        if let Some(folder) = below {
            query.push_str(&format!("&parent_id={}", self.model.files[folder].id));
        }
        let limit = *[1, 2, 3, 100].choose(&mut self.random).expect("a limit");
        let found = all(&self.ada, query.trim_end_matches('&'), limit).await;
        let ids: Vec<_> = found.iter().map(|item| item["file"]["id"].text().to_owned()).collect();
        assert_eq!(ids, self.model.find(&asked, below), "step {}, after {what}: {asked:?}", self.step);
        for item in &found {
            self.check_matches(item);
        }
    }

    /// Each excerpt is a part of a text of the file.
    fn check_matches(&self, item: &Value) {
        let file = self.model.files.iter().find(|file| item["file"]["id"] == json!(file.id)).expect("a file");
        let matches = item["matches"].as_array().expect("matches");
        assert!((1..=3).contains(&matches.len()), "{item}");
        for found in matches {
            let excerpt = found["excerpt"].text();
            let is_there = Model::texts(file).iter().any(|text| text.contains(excerpt.trim()))
                || file.content.texts.join("\n").replace('\n', " ").contains(excerpt.trim());
            assert!(is_there, "step {}: {found} in {file:?}", self.step);
        }
    }
}

//! Drafts, which belong to a grant.

use serde_json::{Value, json};
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, Scope, actor},
    contents::{Content, first, sent},
    files::{NewFile, unless},
    tree::{Kind, NATIVE, Version},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub id: String,
    pub who: &'static str,
    pub name: String,
    pub kind: Kind,
    pub content: Content,
    /// The file that it became.
    pub file: Option<String>,
}

impl Draft {
    fn record(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "type": self.kind.word(), "file_id": self.file,
            "state": if self.file.is_some() { "promoted" } else { "draft" },
            "content": self.content.pattern(self.kind), "content_is_untrusted": true,
        })
    }
}

impl Cloud {
    fn draft(&self, who: &str, id: &str) -> Result<&Draft, Refused> {
        self.drafts.iter().find(|draft| draft.id == id && draft.who == who).ok_or_else(|| vec!["not_found"])
    }

    /// A place of a draft that `who` may write.
    fn own_draft(&mut self, who: &str, id: &str) -> Result<&mut Draft, Refused> {
        self.may(who, Scope::Write)?;
        self.draft(who, id)?;
        Ok(self.drafts.iter_mut().find(|draft| draft.id == id).expect("a draft"))
    }

    fn keep_draft(
        &mut self,
        who: &'static str,
        n: &str,
        name: &str,
        kind: Kind,
        content: Content,
    ) -> Result<Value, Refused> {
        self.may(who, Scope::Write)?;
        if self.drafts.iter().filter(|draft| draft.who == who).count() >= 50 {
            return Err(vec!["scratch_full"]);
        }
        let (id, name) = (format!("$draft{n}"), name.to_owned());
        self.drafts.push(Draft { id: id.clone(), who, name, kind, content, file: None });
        Ok(json!({"draft": self.draft(who, &id)?.record()}))
    }

    /// Gives a draft another name, and another content if there is one.
    fn change_draft(&mut self, who: &str, id: &str, name: &str, content: Option<Content>) -> Result<Value, Refused> {
        let draft = self.own_draft(who, id)?;
        if draft.file.is_some() {
            return Err(vec!["draft_promoted"]);
        }
        name.clone_into(&mut draft.name);
        if let Some(content) = content {
            draft.content = content;
        }
        Ok(json!({"draft": draft.record()}))
    }
}

/// A draft, and mostly its owner.
fn any(turn: &mut Turn<'_>) -> Option<(&'static str, Draft)> {
    let other = turn.member();
    let draft = turn.dice.pick(&turn.cloud.drafts, |draft| &draft.id)?.clone();
    Some((if turn.dice.percent(75) { draft.who } else { other }, draft))
}

pub fn create(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let n = turn.n.to_owned();
    let by_ada = turn.cloud.drafts.iter().filter(|draft| draft.who == "ada" && draft.id.starts_with("$draft"));
    let again = if turn.dice.percent(15) { turn.dice.pick(by_ada, |draft| &draft.id).cloned() } else { None };
    // The same request and key by another grant of the same person makes another draft.
    let (who, kind, of) = match &again {
        Some(draft) => ("ada_again", draft.kind, draft.id.trim_start_matches("$draft").to_owned()),
        None => (turn.member(), turn.dice.of_these(&NATIVE), n.clone()),
    };
    let (name, content) = (format!("Draft {of}"), first(kind, &of));
    let body = json!({"name": name, "type": kind.word(), "content": sent(kind, &content)});
    let mut command = Command::post("create_scratch", who, "/v1/scratch", body);
    if again.is_some() {
        command.key = Some(format!("key-{of}"));
    }
    Some(command.does(move |cloud: &mut Cloud, _| cloud.keep_draft(who, &n, &name, kind, content.clone())))
}

/// Types of drafts that a tool saves, each with a text of that type.
const TEXTS: [(Kind, &str); 3] =
    [(Kind::Document, "# Draft\n\nof step "), (Kind::Spreadsheet, "Draft,of step "), (Kind::Note, "Draft of step ")];

/// As agents save a draft: by a text, of which the service makes the content.
pub fn save(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n, (kind, text)) = (turn.member(), turn.n.to_owned(), turn.dice.of_these(&TEXTS));
    let name = format!("Draft {n}");
    let arguments = json!({"type": kind.word(), "name": name, "text": format!("{text}{n}")});
    let command = Command::post("create_scratch", who, "/v1/scratch", arguments.clone());
    Some(command.only_tool("save_draft", arguments).does(move |cloud: &mut Cloud, _| {
        cloud.keep_draft(who, &n, &name, kind, Content::Unknown(format!("$xcontent{n}")))
    }))
}

/// The same for a draft that there is: it gets another name and another content.
pub fn save_again(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let ((who, draft), n) = (any(turn)?, turn.n.to_owned());
    let (_, text) = TEXTS.iter().find(|(kind, _)| *kind == draft.kind)?;
    let (name, id) = (format!("Draft {n}"), draft.id);
    let text = format!("{text}{n}");
    let arguments = json!({"draft_id": id, "type": draft.kind.word(), "name": name, "text": text});
    let command =
        Command::post("update_scratch", who, format!("/v1/scratch/{id}/update"), json!({"name": name, "text": text}));
    Some(command.only_tool("save_draft", arguments).does(move |cloud: &mut Cloud, _| {
        cloud.change_draft(who, &id, &name, Some(Content::Unknown(format!("$xcontent{n}"))))
    }))
}

pub fn update(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, draft) = any(turn)?;
    let (name, id) = (format!("Draft {}", turn.n), draft.id);
    let command = Command::post("update_scratch", who, format!("/v1/scratch/{id}/update"), json!({"name": name}));
    Some(command.does(move |cloud: &mut Cloud, _| cloud.change_draft(who, &id, &name, None)))
}

pub fn discard(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, draft) = any(turn)?;
    Some(discarded(who, draft.id))
}

pub fn discarded(who: &'static str, id: String) -> Command<Cloud> {
    let command = Command::post("discard_scratch", who, format!("/v1/scratch/{id}/discard"), json!({}))
        .tool("discard_draft", json!({"draft_id": id}));
    command.does(move |cloud: &mut Cloud, _| {
        cloud.own_draft(who, &id)?;
        cloud.drafts.retain(|draft| draft.id != id);
        Ok::<_, Refused>(json!({}))
    })
}

pub fn promote(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, draft) = any(turn)?;
    let n = turn.n.to_owned();
    let target = if turn.dice.percent(35) { turn.file() } else { None };
    let etag = target.as_ref().map(|file| turn.etag_of(file));
    let parent = if target.is_none() { turn.parent() } else { None };
    let (id, target) = (draft.id, target.map(|file| file.id));
    let mut body = json!({});
    if let Some(target) = &target {
        body["file_id"] = json!(target);
    }
    if let Some(parent) = &parent {
        body["parent_id"] = json!(parent);
    }
    let mut command = Command::post("promote_scratch", who, format!("/v1/scratch/{id}/promote"), body);
    if let Some(etag) = &etag {
        command = command.if_match(etag);
    }
    let goes_by_tool = target.is_none() || turn.dice.percent(50);
    if goes_by_tool {
        let mut arguments = command.body.clone().unwrap_or_default();
        arguments["draft_id"] = json!(id);
        command = command.tool("promote_draft", arguments);
    }
    // The service decides whether such a version is risky.
    let is_judged = turn.cloud.may_need_approval(who) || goes_by_tool && target.is_some();
    let command = if is_judged { command.certain() } else { command };
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let draft = cloud.own_draft(who, &id)?.clone();
        // A second promotion answers with the first file.
        if let Some(file) = &draft.file {
            let file = cloud.get(file).filter(|file| cloud.sees(who, &file.id));
            return Ok(json!({"draft": draft.record(), "file": file.map(|file| cloud.file_record(who, file))}));
        }
        let file = match (&target, &etag) {
            (Some(target), Some(etag)) => {
                let file = cloud.read(who, target)?;
                let mut refusals = cloud.file_refusals(who, file, etag, false);
                if file.kind != draft.kind || cloud.has_retired(file, &draft.content) {
                    refusals.push("invalid_field");
                }
                refusals.extend(cloud.version_refusals(who, seen));
                unless(refusals)?;
                let version = Version {
                    id: format!("$ver{n}"),
                    content: draft.content.clone(),
                    by: actor(who).to_owned(),
                    plan: None,
                    restored_from: None,
                };
                cloud.retire(target, &draft.content);
                cloud.add_version(who, target, &n, version, "draft.promoted");
                target.clone()
            }
            _ => {
                unless(cloud.add_refusals(who, draft.kind, parent.as_deref(), None))?;
                let (name, content, parent) = (draft.name.clone(), Some(draft.content.clone()), parent.clone());
                cloud.add(who, &n, NewFile { kind: draft.kind, name, parent, content, change: "draft.promoted" });
                format!("$file{n}")
            }
        };
        cloud.own_draft(who, &id)?.file = Some(file.clone());
        let draft = cloud.draft(who, &id)?.record();
        Ok(json!({"draft": draft, "file": cloud.file_answer(who, &file)["file"]}))
    }))
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, draft) = any(turn)?;
    let id = draft.id;
    let command = Command::get("get_scratch", who, format!("/v1/scratch/{id}"));
    Some(
        command
            .tool("list_drafts", json!({"draft_id": id}))
            .does(move |cloud: &mut Cloud, _| Ok::<_, Refused>(json!({"draft": cloud.draft(who, &id)?.record()}))),
    )
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(listed(who))
}

pub fn listed(who: &'static str) -> Command<Cloud> {
    let command = Command::get("list_scratch", who, "/v1/scratch").tool("list_drafts", json!({}));
    command.does(move |cloud: &mut Cloud, seen| {
        let own = cloud.drafts.iter().filter(|draft| draft.who == who);
        let own: Vec<&str> = own.map(|draft| draft.id.as_str()).collect();
        // Drafts of one second have no order among them.
        Ok::<_, Refused>(json!({"drafts": seen.listed("drafts", &own, own.len())}))
    })
}

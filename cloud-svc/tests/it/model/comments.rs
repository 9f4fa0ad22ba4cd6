//! Comments on files.

use serde_json::{Value, json};
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, Scope, actor, record},
    feed::Change,
    files::unless,
    reads::page,
    tree::{File, Kind},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub id: String,
    pub file: String,
    pub text: String,
    pub block: Option<String>,
    pub by: &'static str,
    pub is_resolved: bool,
    /// Of all states; the last one is the current one.
    pub etags: Vec<String>,
    pub parent: Option<String>,
}

impl Comment {
    fn etag(&self) -> &str {
        self.etags.last().expect("a comment has an etag")
    }

    pub fn record(&self) -> Value {
        json!({
            "id": self.id, "file_id": self.file, "text": self.text, "etag": self.etag(),
            "status": if self.is_resolved { "resolved" } else { "open" }, "actor": record(self.by),
            "anchor": self.block.as_ref().map_or_else(|| json!({}), |block| json!({"block_id": block})),
        })
    }

    fn answer(&self) -> Value {
        json!({"comment": self.record(), "parent_comment_id": self.parent})
    }

    /// Whether it calls the agent `robot`, and somebody else wrote it.
    fn calls_robot(&self) -> bool {
        self.text.starts_with("@robot ") && self.by != "robot"
    }

    fn is_orphaned(&self, file: &File) -> bool {
        self.block.as_ref().is_some_and(|block| file.content().text(block).is_none())
    }
}

impl Cloud {
    fn on(&self, file: &str) -> impl DoubleEndedIterator<Item = &Comment> {
        self.comments.iter().filter(move |comment| comment.file == file)
    }

    fn comment(&self, file: &str, id: &str) -> Result<&Comment, Refused> {
        self.on(file).find(|comment| comment.id == id).ok_or_else(|| vec!["not_found"])
    }

    /// The comment of a command, which may be of its author only.
    fn open_comment(&self, who: &str, scope: Scope, (file, id): (&str, &str), etag: &str) -> Result<&Comment, Refused> {
        let of = self.open(who, scope, file)?;
        let comment = self.comment(file, id)?;
        let mut refusals = Vec::new();
        if of.is_trashed {
            refusals.push("file_trashed");
        }
        if comment.etag() != etag {
            refusals.push("etag_mismatch");
        }
        if scope == Scope::Propose && actor(who) != actor(comment.by) {
            refusals.push("not_comment_author");
        }
        unless(refusals)?;
        Ok(comment)
    }

    /// Changes a comment, and says so in the feed.
    fn change_comment(
        &mut self,
        who: &str,
        id: &str,
        etag: String,
        kind: &'static str,
        how: impl FnOnce(&mut Comment),
    ) {
        let comment = self.comments.iter_mut().find(|comment| comment.id == id).expect("a comment");
        how(comment);
        comment.etags.push(etag);
        let file = comment.file.clone();
        self.feed.push(Change { comment: Some(id.to_owned()), ..Change::of(kind, who, &file) });
    }
}

pub fn create(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file, n) = (turn.anyone(), turn.file()?, turn.n.to_owned());
    let id = file.id.clone();
    let of = |comment: &&super::comments::Comment| comment.file == id;
    let reply =
        if turn.dice.percent(20) { turn.dice.pick(turn.cloud.comments.iter().filter(of), |c| &c.id) } else { None };
    let parent = reply.map(|comment| comment.id.clone());
    let anchors = parent.is_none() && file.kind == Kind::Document && turn.dice.percent(50);
    let block =
        if anchors { turn.dice.pick(file.content().parts(), |part| &part.0).map(|part| part.0.clone()) } else { None };
    let text = if turn.dice.percent(25) { format!("@robot please {n}") } else { format!("Comment {n}") };
    let (mut body, mut arguments) = (json!({"text": text}), json!({"file_id": id, "text": text}));
    if let Some(block) = &block {
        (body["anchor"], arguments["block_id"]) = (json!({"block_id": block}), json!(block));
    }
    if let Some(parent) = &parent {
        (body["parent_comment_id"], arguments["parent_comment_id"]) = (json!(parent), json!(parent));
    }
    let mut command = Command::post("create_comment", who, format!("/v1/files/{id}/comments"), body);
    // The form is for comments on the whole file.
    if block.is_none() {
        let fields = [("action", "write"), ("comment", parent.as_deref().unwrap_or_default()), ("text", &text)];
        command = command.form(format!("/f/{id}/comments"), &fields);
    }
    Some(command.tool("add_comment", arguments).does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Propose, &id)?;
        let mut refusals = Vec::new();
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        if block.as_ref().is_some_and(|block| file.content().text(block).is_none()) {
            refusals.push("anchor_not_found");
        }
        // A reply has no replies of its own.
        if let Some(parent) = &parent
            && !cloud.comment(&id, parent).is_ok_and(|comment| comment.parent.is_none())
        {
            refusals.push("invalid_field");
        }
        unless(refusals)?;
        let comment = Comment {
            id: format!("$cmt{n}"),
            file: id.clone(),
            text: text.clone(),
            block: block.clone(),
            by: who,
            is_resolved: false,
            etags: vec![format!("$cetag{n}")],
            parent: parent.clone(),
        };
        let answer = comment.answer();
        let of = |kind| Change { comment: Some(comment.id.clone()), ..Change::of(kind, who, &id) };
        cloud.feed.push(of("comment.created"));
        if comment.calls_robot() {
            cloud.feed.push(of("agent.mentioned"));
        }
        cloud.comments.push(comment);
        Ok(answer)
    }))
}

#[derive(Clone, Copy, PartialEq)]
pub enum Verb {
    Edit,
    Resolve,
    Reopen,
    Settle,
    Delete,
}

pub fn change(turn: &mut Turn<'_>, operation: &'static str, verb: Verb) -> Option<Command<Cloud>> {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let comment = turn.dice.pick(&turn.cloud.comments, |comment| &comment.id)?.clone();
    // Mostly by the author: others are refused.
    let who = if who != "stranger" && turn.dice.percent(60) { comment.by } else { who };
    let etag = if turn.dice.percent(85) { comment.etag().to_owned() } else { turn.dice.pick_text(&comment.etags)? };
    let is_own = actor(who) == actor(comment.by);
    let (file, id) = (comment.file, comment.id);
    let text = format!("Edited {n}");
    let becomes_resolved = if verb == Verb::Settle { turn.dice.percent(50) } else { verb == Verb::Resolve };
    let (word, body) = match verb {
        Verb::Edit => ("edit", json!({"text": text})),
        Verb::Resolve => ("resolve", json!({})),
        Verb::Reopen => ("reopen", json!({})),
        Verb::Settle => ("settle", json!({"status": if becomes_resolved { "resolved" } else { "open" }})),
        Verb::Delete => ("delete", json!({})),
    };
    let path = format!("/v1/files/{file}/comments/{id}/{word}");
    let mut command = Command::post(operation, who, path, body).if_match(&etag);
    let mut arguments = json!({"file_id": file, "comment_id": id, "action": word});
    if verb == Verb::Edit {
        arguments["text"] = json!(text);
    }
    // Where the comment is somebody else's, the tool settles it, which is another operation with keys of its own.
    if matches!(verb, Verb::Edit | Verb::Delete) || is_own && verb != Verb::Settle {
        command = command.tool("change_comment", arguments);
    }
    // For who may not write, the form does what an author does with a comment of their own.
    if verb == Verb::Settle && who != "reader" {
        let action = if becomes_resolved { "resolve" } else { "reopen" };
        let fields = [("action", action), ("comment", &*id), ("etag", &*etag)];
        command = command.form(format!("/f/{file}/comments"), &fields);
    }
    Some(command.does(move |cloud: &mut Cloud, _| {
        let scope = if verb == Verb::Settle { Scope::Write } else { Scope::Propose };
        let is_resolved = cloud.open_comment(who, scope, (&file, &id), &etag)?.is_resolved;
        let etag = format!("$cetag{n}");
        match verb {
            Verb::Edit => {
                cloud.change_comment(who, &id, etag, "comment.updated", |comment| comment.text.clone_from(&text))
            }
            Verb::Delete => {
                cloud.change_comment(who, &id, etag, "comment.deleted", |_| {});
                cloud.comments.retain(|comment| comment.id != id);
                cloud
                    .comments
                    .iter_mut()
                    .filter(|reply| reply.parent.as_ref() == Some(&id))
                    .for_each(|reply| reply.parent = None);
                return Ok(json!({}));
            }
            // A comment that has the status stays as it is.
            _ if is_resolved == becomes_resolved => {}
            _ => {
                let kind = if becomes_resolved { "comment.resolved" } else { "comment.reopened" };
                cloud.change_comment(who, &id, etag, kind, |comment| comment.is_resolved = becomes_resolved);
            }
        }
        Ok(cloud.comment(&file, &id)?.answer())
    }))
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file) = (turn.anyone(), turn.file()?);
    Some(list_of(who, file.id))
}

pub fn list_of(who: &'static str, id: String) -> Command<Cloud> {
    let command = Command::get("list_comments", who, format!("/v1/files/{id}/comments?limit=100"));
    command.tool("list_comments", json!({"file_id": id})).does(move |cloud: &mut Cloud, seen| {
        let file = cloud.read(who, &id)?;
        let newest: Vec<_> = cloud.on(&id).rev().take(page(seen.way)).collect();
        // Only of documents: other comments here have no anchors.
        let orphaned: Vec<_> =
            newest.iter().filter(|comment| comment.is_orphaned(file)).map(|comment| &comment.id).collect();
        let items: Vec<_> = newest.iter().map(|comment| comment.record()).collect();
        Ok::<_, Refused>(json!({"items": items, "orphaned": orphaned}))
    })
}

pub fn mentions(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    let command = Command::get("list_mentions", who, "/v1/mentions?limit=100").tool("my_mentions", json!({}));
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let is_seen = |comment: &&Comment| {
            let is_active = cloud.get(&comment.file).is_some_and(|file| !file.is_trashed);
            who == "robot" && comment.calls_robot() && is_active && cloud.sees(who, &comment.file)
        };
        let newest = cloud.comments.iter().rev().filter(is_seen).take(page(seen.way));
        let items: Vec<_> = newest.map(Comment::record).collect();
        Ok::<_, Refused>(json!({"items": items}))
    }))
}

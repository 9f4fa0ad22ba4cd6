//! The change feed: each command that has happened, once and in order.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Way};

use super::{
    Cloud, Turn,
    actors::{Refused, actor},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub kind: &'static str,
    /// The id of the actor.
    pub by: String,
    pub file: String,
    pub version: Option<String>,
    pub comment: Option<String>,
    pub plan: Option<String>,
}

impl Change {
    pub fn of(kind: &'static str, who: &str, file: &str) -> Self {
        let (by, file) = (actor(who).to_owned(), file.to_owned());
        Self { kind, by, file, version: None, comment: None, plan: None }
    }

    /// What it is about.
    fn names(&self, number: usize) -> Value {
        let mut names = json!({
            "sequence": number, "actor": {"id": self.by}, "file_id": self.file, "version_id": self.version,
        });
        if let Some(comment) = &self.comment {
            names["comment_id"] = json!(comment);
        }
        if let Some(plan) = &self.plan {
            names["plan_id"] = json!(plan);
        }
        names
    }

    /// What a webhook sends of it.
    pub fn event(&self, number: usize) -> Value {
        json!({"type": self.kind, "data": self.names(number)})
    }
}

impl Cloud {
    fn item(&self, who: &str, index: usize, change: &Change) -> Value {
        let file = self.get(&change.file);
        let mut item = change.names(index + 1);
        item["type"] = json!(change.kind);
        item["removed"] = json!(file.is_none());
        item["file"] = json!(file.map(|file| self.file_record(who, file)));
        item
    }

    /// What `who` sees of the feed from a place on.
    fn items(&self, who: &str, from: usize) -> Vec<Value> {
        let is_narrow = who == "limited" && (self.limits.folders.is_some() || self.limits.types.is_some());
        let is_seen = |change: &Change| who != "stranger" && (!is_narrow || self.is_within(who, &change.file));
        let after = self.feed.iter().enumerate().skip(from).filter(|(_, change)| is_seen(change));
        after.map(|(index, change)| self.item(who, index, change)).collect()
    }
}

/// A tool asks for no more than one result can show.
const OF_A_TOOL: u64 = 20;

fn most(way: Way, limit: u64) -> usize {
    let limit = if way == Way::Mcp { limit.min(OF_A_TOOL) } else { limit };
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// From a cursor that an earlier read has told, or from the beginning.
pub fn changes(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    if who == "stranger" {
        return None;
    }
    // A narrow reader passes over what it does not see, so its cursors are at other places.
    let known = turn.cloud.cursors.iter().filter(|_| who != "limited");
    let start = turn.dice.pick(known, |(cursor, _)| cursor).cloned();
    Some(read(who, start, 1 + turn.dice.below(100), format!("$xcursor{n}")))
}

pub fn read(who: &'static str, start: Option<(String, usize)>, limit: u64, next: String) -> Command<Cloud> {
    let mut arguments = json!({"limit": limit.min(OF_A_TOOL)});
    if let Some((cursor, _)) = &start {
        arguments["cursor"] = json!(cursor);
    }
    let (cursor, from) = start.map_or((String::new(), 0), |(cursor, from)| (format!("&cursor={cursor}"), from));
    let command = Command::get("list_changes", who, format!("/v1/changes?limit={limit}{cursor}"));
    command.tool("list_changes", arguments).does(move |cloud: &mut Cloud, seen| {
        let mut items = cloud.items(who, from);
        let limit = most(seen.way, limit);
        let has_more = items.len() > limit;
        items.truncate(limit);
        if who != "limited" {
            let at = (next.clone(), from + items.len());
            cloud.cursors.push(at);
        }
        let mut body = json!({"items": items});
        if who != "limited" {
            (body["next_cursor"], body["has_more"]) = (json!(next), json!(has_more));
        }
        Ok::<_, Refused>(body)
    })
}

pub fn recent(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, limit) = (turn.anyone(), 1 + turn.dice.below(100));
    Some(recent_of(who, limit))
}

pub fn recent_of(who: &'static str, limit: u64) -> Command<Cloud> {
    let command = Command::get("list_recent_changes", who, format!("/v1/changes/recent?limit={limit}"));
    command.tool("recent_changes", json!({"limit": limit.min(OF_A_TOOL)})).does(move |cloud: &mut Cloud, seen| {
        let newest = cloud.items(who, 0).into_iter().rev().take(most(seen.way, limit));
        Ok::<_, Refused>(json!({"items": newest.collect::<Vec<_>>()}))
    })
}

pub fn cursor(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    Some(Command::get("get_change_cursor", who, "/v1/changes/cursor").does(move |cloud: &mut Cloud, _| {
        cloud.cursors.push((format!("$xcursor{n}"), cloud.feed.len()));
        Ok::<_, Refused>(json!({"change_sequence": cloud.feed.len(), "cursor": format!("$xcursor{n}")}))
    }))
}

//! What there is to know about the service, the workspace and one's own commands.

use serde_json::json;
use shared_testing::histories::Command;

use super::{
    Cloud, Turn,
    actors::{Refused, record},
    agents, quota,
};

/// Reads that always answer the same.
pub fn constant(turn: &mut Turn<'_>, operation: &'static str, path: &'static str) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(Command::get(operation, who, path).does(move |_: &mut Cloud, _| Ok::<_, Refused>(json!({}))))
}

pub fn workspaces(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(if turn.dice.percent(25) { agents::guest() } else { workspaces_of(who, false) })
}

/// The numbers of the workspace. Once everything is purged, nothing is used.
pub fn workspaces_of(who: &'static str, is_over: bool) -> Command<Cloud> {
    Command::get("list_workspaces", who, "/v1/workspaces").does(move |cloud: &mut Cloud, seen| {
        let mut workspace = json!({"id": if who == "stranger" { "ws_2" } else { "ws_1" }});
        if who != "stranger" {
            workspace["change_sequence"] = json!(cloud.feed.len());
            workspace["storage_reserved_bytes"] = json!(cloud.reserved());
        }
        if who != "stranger" && cloud.has_quota {
            workspace["storage_quota_bytes"] = json!(quota::BYTES);
            if !quota::is_kept(seen) {
                return Err(vec!["no more than the quota"]);
            }
        }
        if is_over {
            workspace["storage_used_bytes"] = json!(0);
        }
        Ok::<_, Refused>(json!({"workspaces": [workspace], "actor": record(who)}))
    })
}

/// Whether a command has happened: what a client asks that got no answer.
pub fn look_up(command: &Command<Cloud>) -> Option<Command<Cloud>> {
    let (key, who, scope) = (command.key.clone()?, command.who, command.scope.clone());
    let asks = Command::get("read_command", who, format!("/v1/idempotency/{key}"));
    Some(asks.does(move |_: &mut Cloud, seen| Ok::<_, Refused>(seen.commands_of_key(&scope, &key, 200))))
}

/// The same for a key that nobody has used.
pub fn unknown(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    let asks = Command::get("read_command", who, format!("/v1/idempotency/unused-{n}"));
    Some(asks.does(move |_: &mut Cloud, _| Ok::<_, Refused>(json!({"commands": []}))))
}

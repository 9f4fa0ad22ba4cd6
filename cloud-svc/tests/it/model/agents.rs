//! The limits of an agent, and the rules of the workspace.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Expected};

use super::{
    Cloud, Turn,
    actors::{Limits, Refused, Scope, is_agent},
    tree::Kind,
};

const GRANT: &str = "grant-of-limited";
const PATH: &str = "/v1/agents/grant-of-limited/limits";

impl Limits {
    fn record(&self) -> Value {
        let types = self.types.as_ref().map(|types| types.iter().map(|kind| kind.word()).collect::<Vec<_>>());
        // The folders of limits are sorted by their ids.
        let folders = self.folders.as_ref().map(|folders| vec!["*"; folders.len()]);
        json!({"may": self.may, "folders": folders, "types": types.map(|types| vec!["*"; types.len()])})
    }
}

fn person(cloud: &Cloud, who: &str) -> Result<(), Refused> {
    if who == "reader" {
        return Err(vec!["insufficient_scope"]);
    }
    if is_agent(who) {
        // What a limited agent may not do at all is not looked at.
        return Err(cloud.may(who, Scope::Approve).err().unwrap_or_else(|| vec!["person_required"]));
    }
    if who == "stranger" { Err(vec!["not_found"]) } else { Ok(()) }
}

pub fn set(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    let folders = turn.cloud.files.iter().filter(|file| file.kind == Kind::Folder);
    let folder = turn.dice.pick(folders, |file| &file.id).map(|file| file.id.clone());
    let limits = Limits {
        folders: folder.filter(|_| turn.dice.percent(50)).map(|folder| vec![folder]),
        types: turn.dice.percent(20).then(|| vec![Kind::Document, Kind::Note]),
        may: turn.dice.of_these(&["read", "propose", "apply", "apply", "apply"]),
    };
    Some(limited(who, limits))
}

/// No limits.
pub fn lifted(who: &'static str) -> Command<Cloud> {
    limited(who, Limits::default())
}

fn limited(who: &'static str, limits: Limits) -> Command<Cloud> {
    let mut body = json!({"may": limits.may});
    let mut fields = vec![("grant", GRANT), ("may", limits.may), ("rooms", "all"), ("kinds", "all")];
    if let Some(folders) = &limits.folders {
        body["folders"] = json!(folders);
        fields[2].1 = "some";
        fields.extend(["folder-0", "folder-1"].into_iter().zip(folders.iter().map(String::as_str)));
    }
    if let Some(types) = &limits.types {
        body["types"] = types.iter().map(|kind| json!(kind.word())).collect();
        fields[3].1 = "some";
        fields.extend(["kind-0", "kind-1"].into_iter().zip(types.iter().map(|kind| kind.word())));
    }
    Command::put("set_agent_limits", who, PATH, body).form("/w/agents/limits".to_owned(), &fields).does(
        move |cloud: &mut Cloud, _| {
            person(cloud, who)?;
            if limits.folders.iter().flatten().any(|folder| !cloud.sees(who, folder)) {
                return Err(vec!["invalid_field"]);
            }
            cloud.limits = limits.clone();
            Ok(json!({"limits": limits.record()}))
        },
    )
}

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(Command::get("get_agent_limits", who, PATH).does(move |cloud: &mut Cloud, _| {
        if is_agent(who) {
            return Err(vec!["person_required"]);
        }
        person(cloud, who)?;
        Ok(json!({"limits": {"may": cloud.limits.may}}))
    }))
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    Some(Command::get("list_agents", who, "/v1/agents").does(move |cloud: &mut Cloud, _| {
        if is_agent(who) {
            return Err(vec!["person_required"]);
        }
        if who == "stranger" {
            return Ok(json!({"items": []}));
        }
        person(cloud, who)?;
        // In the order of the ids of their grants.
        let agent = |id: &str| json!({"actor": {"id": id}});
        Ok(json!({"items": [agent("guest"), agent("limited"), agent("robot")]}))
    }))
}

/// Ends the access of the guest, for good.
pub fn revoke(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    let command = Command::post("revoke_agent", who, "/v1/agents/grant-of-guest/revoke", json!({}));
    let command = command.form("/w/agents/revoke".to_owned(), &[("grant", "grant-of-guest")]);
    Some(command.does(move |cloud: &mut Cloud, _| {
        person(cloud, who)?;
        cloud.is_guest_gone = true;
        Ok(json!({"agent": {"grant_id": "grant-of-guest", "actor": {"id": "guest"}, "is_active": false}}))
    }))
}

/// What the guest sees of the workspace.
pub fn guest() -> Command<Cloud> {
    Command::get("list_workspaces", "guest", "/v1/workspaces").does(move |cloud: &mut Cloud, _| {
        let seen = Expected::success(json!({"actor": {"id": "guest"}}));
        // Another process may let it in for a quarter of a second.
        if cloud.is_guest_gone { seen.or_refused("invalid_token") } else { seen }
    })
}

pub fn set_rules(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.member();
    let relied = turn.dice.percent(50);
    let command = Command::put("set_risk_rules", who, "/v1/risk-rules", json!({"relied_formulas": relied}));
    Some(command.does(move |cloud: &mut Cloud, _| {
        person(cloud, who)?;
        cloud.relied_formulas = relied;
        Ok(json!({"rules": {"relied_formulas": relied}}))
    }))
}

pub fn get_rules(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.member();
    Some(Command::get("get_risk_rules", who, "/v1/risk-rules").does(move |cloud: &mut Cloud, _| {
        Ok::<_, Refused>(json!({"rules": {"relied_formulas": cloud.relied_formulas}}))
    }))
}

//! Who acts, and what each may do.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared_testing::{
    Caller, ServiceProcess,
    histories::{Seen, Way},
};

use super::{Cloud, endpoint, tree::Kind};

/// Why a command is refused. Which of several reasons is named first is not promised.
pub type Refused = Vec<&'static str>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Read,
    Propose,
    Write,
    Approve,
    Webhooks,
}

/// Everybody, each as often as they are to act.
pub const ALL: [&str; 20] = [
    "ada",
    "ada",
    "ada",
    "ada",
    "ada",
    "ada",
    "bob",
    "bob",
    "bob",
    "bob",
    "bob",
    "robot",
    "robot",
    "robot",
    "limited",
    "limited",
    "limited",
    "ada_again",
    "reader",
    "stranger",
];

/// The policy of the workspace for what agents write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgentWrites {
    #[default]
    Direct,
    ReviewRisky,
    Review,
}

impl AgentWrites {
    pub fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::ReviewRisky => "review_risky",
            Self::Review => "review",
        }
    }
}

/// What a person lets the agent `limited` see and do.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// None: all files.
    pub folders: Option<Vec<String>>,
    pub types: Option<Vec<Kind>>,
    pub may: &'static str,
}

impl Default for Limits {
    fn default() -> Self {
        Self { folders: None, types: None, may: "apply" }
    }
}

/// The id of the actor: one person may have two grants.
pub fn actor(who: &str) -> &str {
    if who == "ada_again" { "ada" } else { who }
}

pub fn is_agent(who: &str) -> bool {
    matches!(who, "robot" | "limited" | "guest")
}

/// Whether `who` uses pages: agents do not, and who has no right sees no form.
pub fn has_pages(who: &str) -> bool {
    matches!(who, "ada" | "ada_again" | "bob" | "reader")
}

pub fn record(who: &str) -> Value {
    json!({"type": if is_agent(who) { "agent" } else { "user" }, "id": actor(who)})
}

pub fn cast(process: &ServiceProcess) -> BTreeMap<&'static str, Caller> {
    let mut all = people_and_agents(process);
    all.insert("endpoint", endpoint::caller());
    all
}

pub fn people_and_agents(process: &ServiceProcess) -> BTreeMap<&'static str, Caller> {
    let agent = |id: &str| json!({"type": "agent", "id": id, "display_name": id});
    let tomorrow = shared_runtime::Clock::System.now().seconds() + 86_400;
    let all = [
        ("ada", process.caller("ada")),
        ("bob", process.caller("bob")),
        ("ada_again", process.caller("ada").claim("grant_id", "another-grant-of-ada")),
        ("robot", process.caller("robot").claim("actor", agent("robot"))),
        ("limited", process.caller("limited").claim("actor", agent("limited"))),
        // Its access is ended, so it does nothing but look.
        ("guest", process.caller("guest").claim("actor", agent("guest"))),
        ("reader", process.caller("reader").scope("cloud.read")),
        ("stranger", process.caller("stranger").workspace(2)),
    ];
    all.into_iter().map(|(name, caller)| (name, caller.claim("exp", tomorrow))).collect()
}

impl Cloud {
    /// Whether the grant and its limits let `who` send such a command at all.
    pub fn may(&self, who: &str, scope: Scope) -> Result<(), Refused> {
        if who == "reader" && scope != Scope::Read {
            return Err(vec!["insufficient_scope"]);
        }
        match (who, self.limits.may, scope) {
            // Reading is not a command.
            (_, _, Scope::Read) => Ok(()),
            ("limited", "read", _) => Err(vec!["agent_limited"]),
            ("limited", "propose", scope) if scope != Scope::Propose => Err(vec!["agent_limited"]),
            _ => Ok(()),
        }
    }

    /// Whether a person must approve what `who` writes, whatever it is.
    pub fn needs_approval(&self, who: &str) -> bool {
        is_agent(who) && self.agent_writes == AgentWrites::Review
    }

    /// Whether the service decides by the contents if a person must approve, which the model does not compare.
    pub fn may_need_approval(&self, who: &str) -> bool {
        is_agent(who) && self.agent_writes == AgentWrites::ReviewRisky
    }

    /// What prevents a new version that no plan makes.
    pub fn version_refusals(&self, who: &str, seen: Seen<'_>) -> Refused {
        let is_refused = seen.is_refused("approval_required");
        // Through a tool, nobody can be asked about what is risky.
        let may_need = self.may_need_approval(who) || seen.way == Way::Mcp;
        let needs = self.needs_approval(who) || may_need && is_refused;
        if needs { vec!["approval_required"] } else { Refused::new() }
    }
}

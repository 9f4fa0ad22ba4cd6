//! Random histories of all operations, by several actors, while the service is killed and answers are lost. A model in
//! memory says which answers are possible. It knows what the documents promise, and nothing of the code.
//!
//! `HISTORY_MINUTES=10` looks longer, `HISTORY_SEED=7` elsewhere, `HISTORY_FAILOVERS=1` while PostgreSQL fails over.
//! A difference is printed as the shortest history that has it, in lines for a shell.

mod actors;
mod agents;
mod comments;
mod contents;
mod drafts;
mod ending;
mod endpoint;
mod feed;
mod files;
mod hashes;
mod information;
mod plan_reads;
mod plan_steps;
mod plans;
mod proposal_steps;
mod proposals;
mod quota;
mod reads;
mod table;
mod tree;
mod uploads;
mod versions;
mod webhooks;

use std::{collections::BTreeSet, sync::OnceLock};

use cloud_svc::service;
use shared_testing::{
    PostgresPair,
    histories::{self, Command, Dice, Ground, Model},
    servers,
};

use self::{
    actors::{AgentWrites, Limits},
    table::{GENERATORS, Generator, coverage},
    tree::{File, Kind},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
const SETTINGS: &[(&str, &str)] = &[
    ("RUST_LOG", "off"),
    ("RATE_LIMITS", "read=1000000,write=1000000"),
    // The endpoint of webhooks.
    ("OUTBOUND_ALLOW", "127.0.0.1/32"),
];
/// Commands of one history: plans must not expire meanwhile.
const LENGTH: usize = 400;

/// The workspace `ws_1`, as far as the model knows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    agent_writes: AgentWrites,
    /// Whether it has little storage.
    has_quota: bool,
    limits: Limits,
    /// Whether the access of the agent `guest` is ended.
    is_guest_gone: bool,
    relied_formulas: bool,
    /// In the order of their ids.
    files: Vec<File>,
    plans: Vec<plans::Plan>,
    proposals: Vec<proposals::Proposal>,
    comments: Vec<comments::Comment>,
    drafts: Vec<drafts::Draft>,
    uploads: Vec<uploads::Upload>,
    webhooks: Vec<webhooks::Webhook>,
    /// Where the URLs of its webhooks begin.
    endpoint: String,
    feed: Vec<feed::Change>,
    /// Decisions and their plans.
    receipts: Vec<(&'static str, String)>,
    /// Cursors of the feed and their places.
    cursors: Vec<(String, usize)>,
    /// Download links with their files and bytes.
    links: Vec<(String, String, Vec<u8>)>,
    /// Ids of parts that files no longer have.
    retired: BTreeSet<(String, String)>,
}

/// What a generator chooses from.
pub struct Turn<'a> {
    cloud: &'a Cloud,
    dice: &'a mut Dice,
    /// The number of the step, for names and symbols.
    n: &'a str,
}

impl Turn<'_> {
    fn anyone(&mut self) -> &'static str {
        self.dice.of_these(&actors::ALL)
    }

    /// Anyone of the workspace.
    fn member(&mut self) -> &'static str {
        let who = self.anyone();
        if who == "stranger" { "ada" } else { who }
    }

    /// Any file, mostly one that can be reached.
    fn file(&mut self) -> Option<File> {
        let active = self.cloud.files.iter().filter(|file| !file.is_trashed && self.cloud.is_reachable(&file.id));
        let active = if self.dice.percent(85) { self.dice.pick(active, |file| &file.id) } else { None };
        active.or_else(|| self.dice.pick(&self.cloud.files, |file| &file.id)).cloned()
    }

    fn native(&mut self) -> Option<File> {
        let native = self.cloud.files.iter().filter(|file| file.is_native());
        // Few files, so that plans meet one another.
        let active = native.clone().filter(|file| !file.is_trashed && self.cloud.is_reachable(&file.id)).take(6);
        let active = if self.dice.percent(85) { self.dice.pick(active, |file| &file.id) } else { None };
        active.or_else(|| self.dice.pick(native, |file| &file.id)).cloned()
    }

    /// An uploaded file, mostly.
    fn uploaded(&mut self) -> Option<File> {
        let uploaded = self.cloud.files.iter().filter(|file| file.kind == Kind::Upload && !file.is_trashed);
        let uploaded = if self.dice.percent(80) { self.dice.pick(uploaded, |file| &file.id) } else { None };
        uploaded.cloned().or_else(|| self.file())
    }

    fn trashed(&mut self) -> Option<File> {
        self.dice.pick(self.cloud.files.iter().filter(|file| file.is_trashed), |file| &file.id).cloned()
    }

    /// The top level, a folder, or sometimes a file, which cannot be a parent.
    fn parent(&mut self) -> Option<String> {
        let folders = self.cloud.files.iter().filter(|file| file.kind == Kind::Folder);
        match self.dice.below(10) {
            0..5 => None,
            9 => self.dice.pick(&self.cloud.files, |file| &file.id).map(|file| file.id.clone()),
            _ => self.dice.pick(folders, |file| &file.id).map(|file| file.id.clone()),
        }
    }

    /// The current etag, mostly, or one of before.
    fn etag_of(&mut self, file: &File) -> String {
        let old = if self.dice.percent(12) { self.dice.pick_text(&file.etags) } else { None };
        old.unwrap_or_else(|| file.etag().to_owned())
    }
}

/// Operations whose answers belong to a grant.
fn of_grant() -> &'static BTreeSet<&'static str> {
    static FOUND: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let routes = service().routes();
        routes.contracts().filter(|contract| contract.is_of_grant).map(|contract| contract.id).collect()
    })
}

impl Model for Cloud {
    fn command(&self, dice: &mut Dice, number: &str) -> Option<Command<Self>> {
        let all = GENERATORS.iter().map(|(_, weight, make)| (*weight, *make));
        let make = |dice: &mut Dice, make: Generator| {
            let mut command = make(&mut Turn { cloud: self, dice, n: number })?;
            command.form = command.form.filter(|_| actors::has_pages(command.who));
            Some(command)
        };
        let mut command = histories::choose(dice, all, make)?;
        // Two grants of one person have the same keys, but for what belongs to the grant.
        if !of_grant().contains(command.operation) {
            command.scope = actors::actor(command.who).to_owned();
        }
        Some(if self.has_quota { quota::limited(command) } else { command })
    }

    fn ending(&self, phase: u32) -> Option<Vec<Command<Self>>> {
        self.ending_of(phase)
    }

    fn tells(&self) -> Command<Self> {
        feed::recent_of("ada", 100)
    }

    fn look_up(&self, command: &Command<Self>) -> Option<Command<Self>> {
        information::look_up(command)
    }
}

async fn ground(seed: u64) -> (Ground, Cloud) {
    prepared(Ground::new(PROGRAM, service(), SETTINGS, actors::cast).await, seed).await
}

async fn prepared(ground: Ground, seed: u64) -> (Ground, Cloud) {
    // The list of agents has only those that the service has seen.
    for (name, caller) in actors::people_and_agents(ground.process()) {
        assert_eq!(caller.get("/v1/workspaces").await.status, 200, "{name}");
    }
    let agent_writes = match seed % 3 {
        0 => AgentWrites::ReviewRisky,
        1 => AgentWrites::Direct,
        _ => AgentWrites::Review,
    };
    let set = |words: &[&str]| {
        let set = ground.process().command(words).output().expect("the command runs");
        assert!(set.status.success(), "{set:?}");
    };
    set(&["workspace", "set-policy", "--agent-writes", agent_writes.word(), "ws_1"]);
    // One history of three, with each of the policies.
    let has_quota = seed / 3 % 3 == 1;
    if has_quota {
        set(&["workspace", "set-quota", "ws_1", &quota::BYTES.to_string()]);
    }
    (ground, Cloud { agent_writes, has_quota, endpoint: endpoint::folder(), ..Cloud::default() })
}

#[shared_testing::test]
async fn no_history_has_an_answer_that_the_model_does_not_know() {
    histories::look(&coverage(), (8, LENGTH), ground).await;
}

// A failover is rare in the other histories of `./test`, and takes seconds.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn no_failover_of_postgresql_loses_or_repeats_a_command() {
    servers::needed();
    let ground = async |seed| {
        let pair = Some(PostgresPair::start());
        prepared(Ground::on(pair, PROGRAM, service(), SETTINGS, actors::cast).await, seed).await
    };
    let report = histories::look(&coverage(), (8, LENGTH), ground).await;
    assert!(report.failovers > 1, "{} failovers in {} commands", report.failovers, report.commands);
}

#[test]
fn every_operation_and_tool_is_in_the_histories() {
    histories::compare(&service(), &coverage());
}

//! Edit plans: their steps, and who may take them.

use std::iter::successors;

use serde_json::{Value, json};
use shared_testing::histories::{Seen, Way};

use super::{
    Cloud,
    actors::{Refused, Scope, actor, is_agent},
    contents::{Content, Edit},
    feed::Change,
    tree::{File, Kind, Version},
};

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub id: String,
    pub file: String,
    pub author: String,
    /// Who amended it.
    pub co_authors: Vec<String>,
    pub state: &'static str,
    pub base_etag: String,
    pub base_version: String,
    pub base_revision: usize,
    pub edits: Vec<Edit>,
    /// Equal for plans with the same edits, as far as the service joins them.
    pub sent: String,
    pub result: Content,
    pub is_risky: bool,
    pub has_review: bool,
    /// The reviewer who approved it.
    pub approved_by: Option<String>,
    pub proposal: Option<String>,
    /// The plan of which it is a part, or an amendment or a revision of a part.
    pub part_of: Option<String>,
    /// The edits of that plan for which it stands.
    pub covers: Vec<Edit>,
    pub rebased_from: Option<String>,
    pub applied: Option<String>,
}

pub const OPEN: [&str; 4] = ["proposed", "in_review", "approved", "returned"];

impl Plan {
    pub fn is_open(&self) -> bool {
        OPEN.contains(&self.state)
    }

    pub fn is_by(&self, who: &str) -> bool {
        self.author == actor(who) || self.co_authors.iter().any(|other| other == actor(who))
    }

    /// Why a step that needs an open plan is refused.
    pub fn closed(&self) -> Refused {
        match self.state {
            "applied" => vec!["plan_already_applied"],
            "discarded" => vec!["plan_discarded"],
            "rejected" => vec!["plan_rejected"],
            _ => Vec::new(),
        }
    }

    pub fn record(&self, file: &File) -> Value {
        json!({
            "id": self.id, "file_id": self.file, "state": self.state, "base_etag": self.base_etag,
            "base_version_id": self.base_version, "stale": self.base_etag != file.etag(),
            "actor": {"id": self.author}, "co_authors": self.co_authors.iter().map(|id| json!({"id": id})).collect::<Vec<_>>(),
            "proposal_id": self.proposal, "applied_version_id": self.applied,
        })
    }
}

/// The step, its scope, and whether its author, somebody else, or anybody takes it.
#[derive(Clone, Copy, PartialEq)]
pub enum Who {
    Anybody,
    Author,
    Other,
    OtherPerson,
}

impl Cloud {
    pub fn plan(&self, file: &str, id: &str) -> Result<&Plan, Refused> {
        self.plans.iter().find(|plan| plan.id == id && plan.file == file).ok_or_else(|| vec!["not_found"])
    }

    pub fn plan_mut(&mut self, id: &str) -> &mut Plan {
        self.plans.iter_mut().find(|plan| plan.id == id).expect("a plan that was found")
    }

    /// The open plan of this author with the same edits for the present state of the file, if it is one of these.
    pub fn same(&self, file: &File, author: &str, sent: &str, is_one: impl Fn(&Plan) -> bool) -> Option<&Plan> {
        let is_same = |plan: &&Plan| plan.file == file.id && plan.author == author && plan.sent == sent && is_one(plan);
        self.plans.iter().filter(is_same).find(|plan| plan.base_etag == file.etag() && plan.is_open())
    }

    /// The edits that the applied parts of a plan have not made, and the key by which a rebase finds them again.
    pub fn left_of(&self, old: &Plan) -> (Vec<Edit>, String) {
        let before = |plan: &&Plan| self.plans.iter().find(|older| Some(&older.id) == plan.rebased_from.as_ref());
        let line: Vec<&Plan> = successors(Some(old), before).collect();
        let is_of_line = |whole: &String| line.iter().any(|plan| plan.id == *whole);
        let is_done = |part: &&Plan| part.state == "applied" && part.part_of.as_ref().is_some_and(is_of_line);
        let done: Vec<&Edit> = self.plans.iter().filter(is_done).flat_map(|part| &part.covers).collect();
        let left: Vec<Edit> = old.edits.iter().filter(|edit| !done.contains(edit)).cloned().collect();
        let sent = if left == old.edits { old.sent.clone() } else { format!("{} {left:?}", old.sent) };
        (left, sent)
    }

    pub fn plan_answer(&self, id: &str) -> Value {
        let plan = self.plans.iter().find(|plan| plan.id == id).expect("a plan");
        json!({"plan": plan.record(self.get(&plan.file).expect("the file of a plan"))})
    }

    pub fn joined(&self, same: &str) -> Value {
        let mut answer = self.plan_answer(same);
        answer["joined"] = json!(true);
        answer
    }

    pub fn say(&mut self, kind: &'static str, who: &str, plan: &Plan) {
        self.feed.push(Change { plan: Some(plan.id.clone()), ..Change::of(kind, who, &plan.file) });
    }

    /// The plan, and what prevents a step, except for the state.
    pub fn step(&self, who: &str, scope: Scope, (file, id): (&str, &str), of: Who) -> Result<(Plan, Refused), Refused> {
        let file = self.open(who, scope, file)?;
        let plan = self.plan(&file.id, id)?.clone();
        let mut refusals = Vec::new();
        match of {
            Who::Author if !plan.is_by(who) => refusals.push("not_plan_author"),
            Who::Other | Who::OtherPerson if plan.is_by(who) => refusals.push("self_approval"),
            Who::OtherPerson if is_agent(who) => refusals.push("person_required"),
            _ => {}
        }
        if plan.proposal.is_some() {
            refusals.push("plan_state");
        }
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        Ok((plan, refusals))
    }

    /// A plan for the present state of the file.
    pub fn proposed(&self, who: &str, n: &str, file: &File, edits: Vec<Edit>, sent: String) -> Result<Plan, Refused> {
        let result = file.content().edited(&edits, &format!("$xcontent{n}"));
        let Some(result) = result else { return Err(vec!["block_not_found", "invalid_field"]) };
        Ok(Plan {
            id: format!("$plan{n}"),
            file: file.id.clone(),
            author: actor(who).to_owned(),
            co_authors: Vec::new(),
            state: "proposed",
            base_etag: file.etag().to_owned(),
            base_version: file.version().expect("a native file").id.clone(),
            base_revision: file.revision,
            is_risky: edits.iter().any(Edit::is_risky) || !file.protected.is_empty(),
            edits,
            sent,
            result,
            has_review: false,
            approved_by: None,
            proposal: None,
            part_of: None,
            covers: Vec::new(),
            rebased_from: None,
            applied: None,
        })
    }

    pub fn keep(&mut self, plan: Plan) -> Value {
        let id = plan.id.clone();
        self.plans.push(plan);
        let mut answer = self.plan_answer(&id);
        answer["joined"] = json!(false);
        answer
    }

    /// Discards a plan that another takes the place of.
    pub fn supersede(&mut self, who: &str, plan: &Plan) {
        self.plan_mut(&plan.id).state = "discarded";
        self.receipts.push(("discarded", plan.id.clone()));
        self.say("plan.discarded", who, plan);
    }

    /// The edits of a plan for the present state of its file. `seen` decides what the content types decide.
    pub fn rebased(&self, n: &str, old: &Plan, seen: Seen<'_>) -> Result<Plan, Refused> {
        let file = self.get(&old.file).expect("the file of a plan");
        let base = &file.versions.iter().find(|version| version.id == old.base_version).expect("the base").content;
        let now = file.content();
        // A part that was applied has made its edits already, so they are left out.
        let (left, sent) = self.left_of(old);
        let is_known = matches!((base, now), (Content::Parts(_), Content::Parts(_))) && left == old.edits;
        let is_plain = base == now || matches!(file.kind, Kind::Document | Kind::Spreadsheet);
        let made = self.proposed(&old.author, n, file, left, sent);
        let has_conflict = old.edits.iter().any(|edit| base.text(edit.part()) != now.text(edit.part()));
        let unknown = Content::Unknown(format!("$xcontent{n}"));
        let refused = vec!["plan_conflict", "plan_already_applied"];
        // It was applied once, and its parts are gone since: their ids are never used again.
        let is_retired = made.as_ref().is_ok_and(|plan| self.has_retired(file, &plan.result));
        let made = match (is_known, has_conflict || is_retired) {
            (true, true) => return Err(refused),
            (true, false) if is_plain => made.map_err(|_| refused)?,
            _ if seen.answer.is_some_and(|answer| answer["error"].is_object()) => return Err(refused),
            _ => Plan { result: unknown, ..made.map_err(|_| refused)? },
        };
        let (co_authors, proposal, part_of) = (old.co_authors.clone(), old.proposal.clone(), old.part_of.clone());
        let (covers, rebased_from) = (old.covers.clone(), Some(old.id.clone()));
        Ok(Plan { co_authors, proposal, part_of, covers, rebased_from, ..made })
    }

    /// Whether an approval may last through a rebase: only if people who are not its authors have written new content, and
    /// nothing else has changed.
    pub fn may_keep_approval(&self, old: &Plan) -> bool {
        let file = self.get(&old.file).expect("the file of a plan");
        let base = file.versions.iter().position(|version| version.id == old.base_version).expect("the base");
        let is_foreign =
            |version: &Version| !is_agent(&version.by) && !old.is_by(&version.by) && version.restored_from.is_none();
        file.revision == old.base_revision && file.versions[base + 1..].iter().all(is_foreign)
    }

    /// What prevents writing what a plan shows.
    pub fn apply_refusals(&self, who: &str, plan: &Plan) -> Refused {
        let file = self.get(&plan.file).expect("the file of a plan");
        let mut refusals = plan.closed();
        if plan.state == "returned" {
            refusals.push("plan_state");
        }
        if file.is_trashed {
            refusals.push("file_trashed");
        }
        if plan.base_etag != file.etag() {
            refusals.push("plan_stale");
        }
        // What is protected by now counts, and what was when it was proposed.
        let is_risky = plan.is_risky || !file.protected.is_empty();
        let must_be_approved = self.needs_approval(who) || self.may_need_approval(who) && is_risky;
        if plan.state == "in_review" || must_be_approved && plan.state != "approved" {
            refusals.push("approval_required");
        }
        refusals
    }

    /// Whether a tool would need a person's word to apply a plan: the client of the histories cannot ask one.
    pub fn word_refusals(&self, seen: Seen<'_>, plan: &Plan) -> Refused {
        let is_protected = self.get(&plan.file).is_some_and(|file| !file.protected.is_empty());
        let is_asked = seen.way == Way::Mcp && plan.state == "proposed" && (plan.is_risky || is_protected);
        if is_asked { vec!["approval_required"] } else { Refused::new() }
    }

    /// Writes what a plan shows.
    pub fn carry_out(&mut self, who: &str, n: &str, plan: &Plan) {
        let version = Version {
            id: format!("$ver{n}"),
            content: plan.result.clone(),
            by: actor(who).to_owned(),
            plan: Some(plan.id.clone()),
            restored_from: None,
        };
        self.retire(&plan.file, &plan.result);
        self.add_version(who, &plan.file, n, version, "file.updated");
        self.receipts.push(("applied", plan.id.clone()));
        let plan = self.plan_mut(&plan.id);
        (plan.state, plan.applied) = ("applied", Some(format!("$ver{n}")));
    }

    pub fn is_stale(&self, plan: &Plan) -> bool {
        self.get(&plan.file).is_none_or(|file| file.etag() != plan.base_etag)
    }
}

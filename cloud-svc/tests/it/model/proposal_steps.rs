//! Commands about proposals.

use serde_json::json;
use shared_testing::histories::{Command, Seen};

use super::{
    Cloud, Turn,
    actors::{Scope, actor, is_agent},
    files::unless,
    hashes::Hashes,
    plans::Plan,
    proposals::{OPEN, Proposal, any},
};

pub fn create(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.member(), turn.n.to_owned());
    let own = |plan: &&Plan| plan.state == "proposed" && plan.author == actor(who) && plan.proposal.is_none();
    let first = turn.dice.pick(turn.cloud.plans.iter().filter(own), |plan| &plan.id)?.clone();
    let other = |plan: &&Plan| own(plan) && plan.file != first.file;
    let second = turn.dice.pick(turn.cloud.plans.iter().filter(other), |plan| &plan.id).cloned();
    let plans: Vec<Plan> = std::iter::once(first).chain(second).collect();
    let named: Vec<_> = plans.iter().map(|plan| json!({"file_id": plan.file, "plan_id": plan.id})).collect();
    let title = format!("Proposal {n}");
    let body = json!({"title": title, "plans": named});
    let command = Command::post("create_proposal", who, "/v1/proposals", body.clone());
    Some(command.tool("propose_together", body).does(move |cloud: &mut Cloud, _| {
        cloud.may(who, Scope::Propose)?;
        let mut refusals = Vec::new();
        for plan in &plans {
            match cloud.plan(&plan.file, &plan.id) {
                Ok(plan) => refusals.extend(cloud.cannot_join(who, plan)),
                Err(missing) => refusals.extend(missing),
            }
        }
        unless(refusals)?;
        let id = format!("$prop{n}");
        for plan in &plans {
            cloud.plan_mut(&plan.id).proposal = Some(id.clone());
        }
        let (title, size) = (title.clone(), plans.len());
        let (state, hashes) = ("proposed", Hashes::default());
        cloud.proposals.push(Proposal { id: id.clone(), title, author: who, state, size, hashes });
        cloud.hash_plans(&id, &n);
        Ok(cloud.proposal_answer(who, &id))
    }))
}

/// Where the page of a proposal sends what is decided about it.
fn form(id: &str) -> String {
    format!("/w/proposals/{id}")
}

/// Takes a plan out, and puts another in.
pub fn change(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let proposal = any(turn, &["proposed"])?;
    let who = if turn.dice.percent(70) { proposal.author } else { turn.anyone() };
    let own = |plan: &&Plan| plan.state == "proposed" && plan.author == actor(who) && plan.proposal.is_none();
    let added = turn.dice.pick(turn.cloud.plans.iter().filter(own), |plan| &plan.id).cloned();
    let n = turn.n.to_owned();
    let members = turn.cloud.members(&proposal.id);
    let removed = if turn.dice.percent(50) { turn.dice.pick(&members, |plan| &plan.id).cloned() } else { None };
    let id = proposal.id;
    let named: Vec<_> = added.iter().map(|plan| json!({"file_id": plan.file, "plan_id": plan.id})).collect();
    let gone: Vec<_> = removed.iter().map(|plan| json!(plan.id)).collect();
    let body = json!({"add": named, "remove": gone});
    let command = Command::post("change_proposal", who, format!("/v1/proposals/{id}/plans"), body);
    Some(command.does(move |cloud: &mut Cloud, _| {
        let together = cloud.together(who, Scope::Propose, &id, &["proposed"]);
        if added.is_none() && removed.is_none() {
            // The body is read before the proposal is looked up.
            let refused = together.as_ref().err().filter(|refused| refused.contains(&"insufficient_scope"));
            return Err(refused.cloned().unwrap_or_else(|| vec!["invalid_field"]));
        }
        let (proposal, members, mut refusals) = together?;
        if actor(who) != actor(proposal.author) {
            refusals.push("not_plan_author");
        }
        let is_removed = |plan: &&Plan| removed.as_ref().is_some_and(|removed| removed.id == plan.id);
        let mut kept: Vec<Plan> = members.iter().filter(|plan| !is_removed(plan)).cloned().collect();
        if removed.is_some() && kept.len() == members.len() {
            refusals.push("invalid_field");
        }
        if let Some(added) = &added {
            match cloud.plan(&added.file, &added.id) {
                Ok(plan) => {
                    refusals.extend(cloud.cannot_join(who, plan));
                    kept.push(plan.clone());
                }
                Err(missing) => refusals.extend(missing),
            }
        }
        let has_twice = kept.iter().any(|plan| kept.iter().filter(|other| other.file == plan.file).count() > 1);
        if kept.is_empty() || has_twice {
            refusals.push("invalid_field");
        }
        unless(refusals)?;
        for plan in removed.iter().chain(&cloud.hidden(&id, &members)) {
            cloud.plan_mut(&plan.id).proposal = None;
        }
        for plan in &kept {
            cloud.plan_mut(&plan.id).proposal = Some(id.clone());
        }
        cloud.proposal_mut(&id).size = kept.len();
        cloud.hash_plans(&id, &n);
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn request_review(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let proposal = any(turn, &["proposed"])?;
    let who = if turn.dice.percent(80) { proposal.author } else { turn.anyone() };
    let id = proposal.id;
    let path = format!("/v1/proposals/{id}/request-review");
    let command = Command::post("request_proposal_review", who, path, json!({}))
        .tool("request_proposal_review", json!({"proposal_id": id}));
    Some(command.form(form(&id), &[("action", "request-review")]).does(move |cloud: &mut Cloud, _| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Propose, &id, &["proposed"])?;
        refusals.extend(cloud.not_whole(&proposal, &members));
        if members.iter().any(|plan| !plan.is_by(who)) {
            refusals.push("not_plan_author");
        }
        if members.iter().any(|plan| cloud.is_stale(plan)) {
            refusals.push("plan_stale");
        }
        unless(refusals)?;
        for plan in &members {
            let own = cloud.plan_mut(&plan.id);
            (own.state, own.has_review) = ("in_review", true);
            cloud.say("plan.review_requested", who, plan);
        }
        cloud.proposal_mut(&id).state = "in_review";
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn judge(turn: &mut Turn<'_>, operation: &'static str, verb: &'static str) -> Option<Command<Cloud>> {
    let approves = verb == "approve";
    let wanted: &[&str] = if approves { &["in_review"] } else { &["in_review", "approved"] };
    let proposal = any(turn, wanted)?;
    let who = if turn.dice.percent(70) { turn.dice.of_these(&["ada", "bob"]) } else { turn.anyone() };
    let (seen, id) = (proposal.hashes.seen(turn.dice), proposal.id);
    let body = if approves { json!({"proposal_sha256": seen}) } else { json!({"reason": "No."}) };
    let command = Command::post(operation, who, format!("/v1/proposals/{id}/{verb}"), body)
        .form(form(&id), &[("action", verb), ("proposal_sha256", &seen), ("reason", "No.")]);
    Some(command.does(move |cloud: &mut Cloud, _| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Approve, &id, wanted)?;
        refusals.extend(cloud.not_whole(&proposal, &members));
        if !approves && members.len() != proposal.size {
            // What is left after a purge can be rejected.
            refusals.retain(|refusal| *refusal != "proposal_state" || !wanted.contains(&proposal.state));
        }
        if approves {
            refusals.extend(proposal.hashes.refusals(&seen));
        }
        let hidden = if approves { Vec::new() } else { cloud.hidden(&id, &members) };
        let all = [members.clone(), hidden].concat();
        if all.iter().any(|plan| plan.is_by(who)) {
            refusals.push("self_approval");
        }
        if is_agent(who) && (approves || all.iter().any(|plan| plan.state == "approved")) {
            refusals.push("person_required");
        }
        if approves && members.iter().any(|plan| cloud.is_stale(plan)) {
            refusals.push("plan_stale");
        }
        unless(refusals)?;
        let (state, kind) = if approves { ("approved", "plan.approved") } else { ("rejected", "plan.rejected") };
        for plan in &all {
            let own = cloud.plan_mut(&plan.id);
            own.state = state;
            own.approved_by = approves.then(|| actor(who).to_owned());
            cloud.receipts.push((state, plan.id.clone()));
            cloud.say(kind, who, plan);
        }
        cloud.proposal_mut(&id).state = state;
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn discard(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let proposal = any(turn, &OPEN)?;
    let who = if turn.dice.percent(80) { proposal.author } else { turn.anyone() };
    let id = proposal.id;
    let command = Command::post("discard_proposal", who, format!("/v1/proposals/{id}/discard"), json!({}))
        .tool("discard_proposal", json!({"proposal_id": id}));
    Some(command.form(form(&id), &[("action", "discard")]).does(move |cloud: &mut Cloud, _| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Propose, &id, &OPEN)?;
        if actor(who) != actor(proposal.author) {
            refusals.push("not_plan_author");
        }
        unless(refusals)?;
        for plan in members.iter().chain(&cloud.hidden(&id, &members)) {
            cloud.supersede(who, plan);
        }
        cloud.proposal_mut(&id).state = "discarded";
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn rebase(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let proposal = any(turn, &OPEN)?;
    let (hash, id) = (proposal.hashes.seen(turn.dice), proposal.id);
    let body = json!({"proposal_sha256": hash});
    let command = Command::post("rebase_proposal", who, format!("/v1/proposals/{id}/rebase"), body)
        .tool("rebase_proposal", json!({"proposal_id": id, "proposal_sha256": hash}));
    Some(command.certain().does(move |cloud: &mut Cloud, seen: Seen<'_>| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Propose, &id, &OPEN)?;
        refusals.extend(cloud.not_whole(&proposal, &members));
        refusals.extend(proposal.hashes.refusals(&hash));
        unless(refusals)?;
        let mut is_changed = false;
        for (index, old) in members.iter().enumerate() {
            if !cloud.is_stale(old) {
                continue;
            }
            is_changed = true;
            let made = cloud.rebased(&format!("{n}_{index}"), old, seen)?;
            if !old.has_review {
                cloud.supersede(who, old);
            }
            cloud.plan_mut(&old.id).proposal = None;
            let made = Plan { has_review: old.has_review, ..made };
            let made = match old.has_review {
                true => {
                    let made = Plan { state: "in_review", ..made };
                    cloud.say("plan.review_requested", who, &made);
                    cloud.supersede(who, old);
                    made
                }
                false => made,
            };
            cloud.plans.push(made);
        }
        cloud.hash_plans(&id, &n);
        if is_changed && proposal.state != "proposed" {
            for plan in cloud.members(&id) {
                if plan.state == "approved" {
                    cloud.plan_mut(&plan.id).state = "in_review";
                    cloud.say("plan.review_requested", who, &plan);
                }
            }
            cloud.proposal_mut(&id).state = "in_review";
        }
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn apply(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let proposal = any(turn, &["proposed", "approved", "in_review"])?;
    let (seen, id) = (proposal.hashes.seen(turn.dice), proposal.id);
    let body = json!({"proposal_sha256": seen});
    let command = Command::post("apply_proposal", who, format!("/v1/proposals/{id}/apply"), body)
        .tool("apply_proposal", json!({"proposal_id": id, "proposal_sha256": seen}))
        .form(form(&id), &[("action", "apply"), ("proposal_sha256", &seen)]);
    Some(command.does(move |cloud: &mut Cloud, asked: Seen<'_>| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Write, &id, &OPEN)?;
        refusals.extend(cloud.not_whole(&proposal, &members));
        refusals.extend(proposal.hashes.refusals(&seen));
        for plan in &members {
            refusals.extend(cloud.apply_refusals(who, plan));
            refusals.extend(cloud.word_refusals(asked, plan));
        }
        unless(refusals)?;
        for (index, plan) in members.iter().enumerate() {
            cloud.carry_out(who, &format!("{n}_{index}"), plan);
        }
        cloud.proposal_mut(&id).state = "applied";
        Ok(cloud.proposal_answer(who, &id))
    }))
}

pub fn undo(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let id = any(turn, &["applied"])?.id;
    let command = Command::post("undo_proposal", who, format!("/v1/proposals/{id}/undo"), json!({}));
    let command = if turn.cloud.may_need_approval(who) { command.certain() } else { command };
    Some(command.does(move |cloud: &mut Cloud, seen| {
        let (proposal, members, mut refusals) = cloud.together(who, Scope::Write, &id, &["applied"])?;
        refusals.extend(cloud.not_whole(&proposal, &members));
        let is_current = |plan: &&Plan| {
            let current = cloud.get(&plan.file).and_then(super::tree::File::version);
            current.map(|version| &version.id) == plan.applied.as_ref()
        };
        if !members.iter().all(|plan| is_current(&plan)) {
            refusals.push("plan_stale");
        }
        refusals.extend(cloud.version_refusals(who, seen));
        unless(refusals)?;
        for (index, plan) in members.iter().enumerate() {
            cloud.retire_back(&plan.file, &plan.base_version);
            cloud.bring_back(who, &plan.file, &format!("{n}_{index}"), &plan.base_version);
        }
        cloud.proposal_mut(&id).state = "undone";
        Ok(cloud.proposal_answer(who, &id))
    }))
}

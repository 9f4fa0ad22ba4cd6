//! Commands about edit plans.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Seen, Way};

use super::{
    Cloud, Turn,
    actors::{AgentWrites, Refused, Scope, actor},
    contents::{Content, Edit, flat_operation, operation},
    files::unless,
    plans::{OPEN, Plan, Who},
    tree::{File, Kind},
};

/// A file that plans edit, and edits of it that no other plan makes.
fn edits(turn: &mut Turn<'_>, file: &File, n: &str) -> Vec<Edit> {
    let text = format!("text {n}");
    let known = turn.dice.pick(file.content().parts(), |part| &part.0).map(|part| part.0.clone());
    // As if the author had an old state before him.
    let old = if file.kind == Kind::Spreadsheet { "A1" } else { "b1" };
    let replaced = known.unwrap_or_else(|| old.to_owned());
    let append = |prefix: &str| Edit::Append(format!("{prefix}{n}"), text.clone());
    // More of them where they are what the policy is about.
    let is_risky = turn.cloud.agent_writes == AgentWrites::ReviewRisky && turn.dice.percent(30);
    match (file.kind, turn.dice.below(10)) {
        (Kind::Document, _) if is_risky => vec![append("l")],
        (Kind::Document, 0) => vec![append("l")],
        (Kind::Document, 1) if file.content().parts().len() > 5 => vec![Edit::Delete(replaced)],
        (Kind::Document, 2) => vec![append("b"), Edit::Append(format!("c{n}"), text.clone())],
        (Kind::Spreadsheet, _) => vec![Edit::Replace(replaced, text)],
        (Kind::Note, 0..3) => vec![Edit::Replace("title".to_owned(), text)],
        (Kind::Note, _) => vec![append("b")],
        (_, 3..6) if !matches!(file.content(), Content::Unknown(_)) => vec![Edit::Replace(replaced, text)],
        _ => vec![append("b")],
    }
}

fn operations(kind: Kind, edits: &[Edit]) -> Value {
    edits.iter().map(|edit| operation(kind, edit)).collect()
}

/// The same for a tool.
fn flat(kind: Kind, edits: &[Edit]) -> Value {
    edits.iter().map(|edit| flat_operation(kind, edit)).collect()
}

pub fn propose(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file, n) = (turn.anyone(), turn.native()?, turn.n.to_owned());
    let edits = edits(turn, &file, &n);
    let (etag, id) = (turn.etag_of(&file), file.id);
    let body = json!({"operations": operations(file.kind, &edits)});
    let command = Command::post("propose_file_edit", who, format!("/v1/files/{id}/edit-plans"), body)
        .if_match(&etag)
        .tool(file.kind.edit_tool(), json!({"file_id": id, "operations": flat(file.kind, &edits)}));
    Some(command.does(move |cloud: &mut Cloud, _| {
        let file = cloud.open(who, Scope::Propose, &id)?;
        let mut refusals = cloud.file_refusals(who, file, &etag, false);
        let made = cloud.proposed(who, &n, file, edits.clone(), n.clone());
        refusals.extend(made.as_ref().err().cloned().unwrap_or_default());
        unless(refusals)?;
        Ok(cloud.keep(made?))
    }))
}

/// A plan that something can be done with, mostly.
pub fn any(turn: &mut Turn<'_>, wanted: &[&str]) -> Option<Plan> {
    let recent = turn.cloud.plans.iter().rev().take(25);
    let fitting = recent.clone().filter(|plan| wanted.contains(&plan.state));
    let fitting = if turn.dice.percent(85) { turn.dice.pick(fitting, |plan| &plan.id) } else { None };
    fitting.or_else(|| turn.dice.pick(recent, |plan| &plan.id)).cloned()
}

pub fn path(plan: &Plan, verb: &str) -> String {
    format!("/v1/files/{}/edit-plans/{}/{verb}", plan.file, plan.id)
}

/// Where the page of a plan sends what is decided about it.
fn form(plan: &Plan) -> String {
    format!("/f/{}/plans/{}", plan.file, plan.id)
}

fn arguments(plan: &Plan) -> Value {
    json!({"file_id": plan.file, "plan_id": plan.id})
}

/// The author mostly, or anybody.
fn author(turn: &mut Turn<'_>, plan: &Plan) -> &'static str {
    let other = turn.anyone();
    let known = ["ada", "bob", "robot", "limited"].into_iter().find(|who| *who == plan.author);
    if turn.dice.percent(75) { known.unwrap_or(other) } else { other }
}

pub fn request_review(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &["proposed"])?;
    let (who, file, id) = (author(turn, &plan), plan.file.clone(), plan.id.clone());
    let command = Command::post("request_plan_review", who, path(&plan, "request-review"), json!({}));
    let command = command.form(form(&plan), &[("action", "request-review")]);
    Some(command.tool("request_review", arguments(&plan)).does(move |cloud: &mut Cloud, _| {
        let (plan, mut refusals) = cloud.step(who, Scope::Propose, (&file, &id), Who::Author)?;
        refusals.extend(plan.closed());
        if plan.is_open() && plan.state != "proposed" {
            refusals.push("plan_state");
        }
        if cloud.is_stale(&plan) {
            refusals.push("plan_stale");
        }
        unless(refusals)?;
        let own = cloud.plan_mut(&id);
        (own.state, own.has_review) = ("in_review", true);
        cloud.say("plan.review_requested", who, &plan);
        Ok(cloud.plan_answer(&id))
    }))
}

pub fn judge(turn: &mut Turn<'_>, operation: &'static str, verb: &'static str) -> Option<Command<Cloud>> {
    let wanted: &[&str] = if verb == "approve" { &["in_review"] } else { &["in_review", "approved"] };
    let plan = any(turn, wanted)?;
    let who = if turn.dice.percent(70) { turn.dice.of_these(&["ada", "bob"]) } else { turn.anyone() };
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let body = if verb == "approve" { json!({}) } else { json!({"reason": "No."}) };
    let command = Command::post(operation, who, path(&plan, verb), body);
    let named = || json!({"file_id": plan.file, "plan_id": plan.id, "reason": "No."});
    // Agents approve nothing.
    let command = match verb {
        "return" => command.tool("return_plan", named()),
        "reject" => command.tool("reject_plan", named()),
        _ => command,
    };
    Some(command.form(form(&plan), &[("action", verb), ("reason", "No.")]).does(move |cloud: &mut Cloud, _| {
        // Taking back an approval needs the same right as giving it.
        let is_approved = cloud.plan(&file, &id).is_ok_and(|plan| plan.state == "approved");
        let of = if verb == "approve" || is_approved { Who::OtherPerson } else { Who::Other };
        let (plan, mut refusals) = cloud.step(who, Scope::Approve, (&file, &id), of)?;
        refusals.extend(plan.closed());
        if plan.is_open() && !wanted.contains(&plan.state) {
            refusals.push("plan_state");
        }
        if verb == "approve" && plan.base_etag != cloud.get(&file).expect("a file").etag() {
            refusals.push("plan_stale");
        }
        unless(refusals)?;
        let (state, kind) = match verb {
            "approve" => ("approved", "plan.approved"),
            "return" => ("returned", "plan.returned"),
            _ => ("rejected", "plan.rejected"),
        };
        let own = cloud.plan_mut(&id);
        own.state = state;
        own.approved_by = (verb == "approve").then(|| actor(who).to_owned());
        cloud.receipts.push((state, id.clone()));
        cloud.say(kind, who, &plan);
        Ok(cloud.plan_answer(&id))
    }))
}

pub fn discard(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &OPEN)?;
    let (who, file, id) = (author(turn, &plan), plan.file.clone(), plan.id.clone());
    let command = Command::post("discard_edit_plan", who, path(&plan, "discard"), json!({}))
        .tool("discard_plan", arguments(&plan))
        .form(form(&plan), &[("action", "discard")]);
    Some(command.does(move |cloud: &mut Cloud, _| {
        let (plan, mut refusals) = cloud.step(who, Scope::Propose, (&file, &id), Who::Author)?;
        // Also of a file in the trash.
        refusals.retain(|refusal| *refusal != "file_trashed");
        refusals.extend(plan.closed());
        unless(refusals)?;
        cloud.supersede(who, &plan);
        Ok(cloud.plan_answer(&id))
    }))
}

pub fn apply(turn: &mut Turn<'_>, operation: &'static str, kind: Kind) -> Option<Command<Cloud>> {
    let of_kind = |plan: &&Plan| turn.cloud.get(&plan.file).is_some_and(|file| file.kind == kind);
    let recent: Vec<_> = turn.cloud.plans.iter().rev().filter(of_kind).take(12).collect();
    let open = recent.iter().filter(|plan| matches!(plan.state, "proposed" | "approved")).copied();
    let open = if turn.dice.percent(80) { turn.dice.pick(open, |plan| &plan.id) } else { None };
    let plan = open.or_else(|| turn.dice.pick(recent, |plan| &plan.id))?.clone();
    let of = turn.cloud.get(&plan.file)?.clone();
    let (other, etag, n) = (turn.anyone(), turn.etag_of(&of), turn.n.to_owned());
    // Somebody whom the policy stops.
    let who = if plan.is_risky && turn.dice.percent(30) { "robot" } else { other };
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let path = format!("/v1/{}/{file}/edit-plans/{id}/apply", kind.collection());
    let command = Command::post(operation, who, path, json!({}))
        .if_match(&etag)
        .tool("apply_plan", arguments(&plan))
        .form(form(&plan), &[("action", "apply"), ("etag", &etag)]);
    Some(command.does(move |cloud: &mut Cloud, seen: Seen<'_>| {
        if seen.way == Way::Mcp {
            // The tool reads the plan before it runs the command, and needs the scope before both.
            if who == "reader" {
                cloud.may(who, Scope::Write)?;
            }
            cloud.read(who, &file)?;
            cloud.plan(&file, &id)?;
        }
        // A client that cannot ask a person may not apply what one should look at. The tool asks first.
        let asks = cloud.plan(&file, &id).map_or_else(|_| Refused::new(), |plan| cloud.word_refusals(seen, plan));
        let of = cloud.open(who, Scope::Write, &file).map_err(|refused| [refused, asks.clone()].concat())?;
        let plan = cloud.plan(&file, &id)?.clone();
        let mut refusals = [cloud.apply_refusals(who, &plan), asks].concat();
        if of.etag() != etag {
            refusals.push("etag_mismatch");
        }
        if plan.proposal.is_some() {
            refusals.push("plan_state");
        }
        unless(refusals)?;
        cloud.carry_out(who, &n, &plan);
        let mut answer = cloud.plan_answer(&id);
        answer["file"] = cloud.file_answer(who, &file)["file"].clone();
        answer["undo"] = json!({"if_match": format!("$etag{n}")});
        Ok(answer)
    }))
}

pub fn rebase(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let stale: Vec<_> = turn.cloud.plans.iter().filter(|plan| plan.is_open() && turn.cloud.is_stale(plan)).collect();
    let approved: Vec<_> = stale.iter().copied().filter(|plan| plan.state == "approved").collect();
    let plan = match turn.dice.below(20) {
        0..7 if !approved.is_empty() => turn.dice.pick(approved, |plan| &plan.id)?.clone(),
        0..14 => turn.dice.pick(stale, |plan| &plan.id)?.clone(),
        _ => any(turn, &OPEN)?,
    };
    let of = turn.cloud.get(&plan.file)?.clone();
    let (who, etag, n) = (turn.anyone(), turn.etag_of(&of), turn.n.to_owned());
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let command = Command::post("rebase_edit_plan", who, path(&plan, "rebase"), json!({})).if_match(&etag);
    // What its answer decides must not get lost.
    Some(command.tool("rebase_plan", arguments(&plan)).certain().does(move |cloud: &mut Cloud, seen: Seen<'_>| {
        let (old, mut refusals) = cloud.step(who, Scope::Propose, (&file, &id), Who::Anybody)?;
        let of = cloud.get(&file).expect("a file").clone();
        let (_, sent) = cloud.left_of(&old);
        let is_one = |same: &Plan| same.id == id || same.rebased_from.as_ref() == Some(&id);
        let same = cloud.same(&of, &old.author, &sent, is_one).map(|same| same.id.clone());
        if old.state != "discarded" || same.is_none() {
            refusals.extend(old.closed());
        }
        if old.state == "returned" {
            refusals.push("plan_state");
        }
        if of.etag() != etag {
            refusals.push("etag_mismatch");
        }
        unless(refusals)?;
        if let Some(same) = same {
            return Ok(cloud.joined(&same));
        }
        let made = cloud.rebased(&n, &old, seen)?;
        let mut made = Plan { has_review: old.has_review, ..made };
        if old.has_review {
            let keeps = old.state == "approved" && cloud.may_keep_approval(&old);
            let is_kept = keeps && seen.answer.is_some_and(|answer| answer["plan"]["state"] == "approved");
            if is_kept {
                (made.state, made.approved_by) = ("approved", old.approved_by.clone());
            } else {
                made.state = "in_review";
                cloud.say("plan.review_requested", who, &made);
            }
            cloud.supersede(who, &old);
        }
        Ok(cloud.keep(made))
    }))
}

pub fn revise(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &OPEN)?;
    let of = turn.cloud.get(&plan.file)?.clone();
    let n = turn.n.to_owned();
    let (who, etag, edits) = (author(turn, &plan), turn.etag_of(&of), edits(turn, &of, &n));
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let body = json!({"operations": operations(of.kind, &edits)});
    let arguments = json!({"file_id": file, "revises": id, "operations": flat(of.kind, &edits)});
    let command = Command::post("revise_edit_plan", who, path(&plan, "revise"), body).if_match(&etag);
    Some(command.tool(of.kind.edit_tool(), arguments).does(move |cloud: &mut Cloud, _| {
        let (old, mut refusals) = cloud.step(who, Scope::Propose, (&file, &id), Who::Author)?;
        let of = cloud.get(&file).expect("a file").clone();
        refusals.extend(old.closed());
        if of.etag() != etag {
            refusals.push("etag_mismatch");
        }
        let made = cloud.proposed(who, &n, &of, edits.clone(), n.clone());
        refusals.extend(made.as_ref().err().cloned().unwrap_or_default());
        unless(refusals)?;
        let (part_of, covers) = (old.part_of.clone(), old.covers.clone());
        let state = if old.has_review { "in_review" } else { "proposed" };
        let made = Plan { state, has_review: old.has_review, part_of, covers, ..made? };
        // It is by the one who wrote it; the authors before are co-authors.
        let mut co_authors = old.co_authors.clone();
        if made.author != old.author {
            co_authors.retain(|other| *other != made.author);
            co_authors.push(old.author.clone());
        }
        let made = Plan { co_authors, ..made };
        if old.has_review {
            cloud.say("plan.review_requested", who, &made);
        }
        cloud.supersede(who, &old);
        Ok(cloud.keep(made))
    }))
}

/// Why a plan is not for the present file. One that was sent back is revised, and not rebased.
fn too_old(cloud: &Cloud, plan: &Plan) -> Refused {
    match (cloud.is_stale(plan), plan.state) {
        (false, _) => Refused::new(),
        (true, "returned") => vec!["plan_state"],
        (true, _) => vec!["plan_stale"],
    }
}

pub fn amend(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &OPEN)?;
    let of = turn.cloud.get(&plan.file).filter(|file| file.kind != Kind::Spreadsheet)?.clone();
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let added = vec![Edit::Append(format!("b{n}"), format!("text {n}"))];
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let body = json!({"operations": operations(of.kind, &added)});
    Some(Command::post("amend_edit_plan", who, path(&plan, "amend"), body).does(move |cloud: &mut Cloud, _| {
        // It takes an approval back.
        let is_approved = cloud.plan(&file, &id).is_ok_and(|plan| plan.state == "approved");
        let of = if is_approved { Who::OtherPerson } else { Who::Other };
        let (old, mut refusals) = cloud.step(who, Scope::Write, (&file, &id), of)?;
        let of = cloud.get(&file).expect("a file").clone();
        refusals.extend(old.closed());
        if old.state == "returned" {
            refusals.push("plan_state");
        }
        refusals.extend(too_old(cloud, &old));
        let edits = [old.edits.clone(), added.clone()].concat();
        let made = cloud.proposed(who, &n, &of, edits, n.clone());
        refusals.extend(made.as_ref().err().cloned().unwrap_or_default());
        unless(refusals)?;
        let mut co_authors = old.co_authors.clone();
        co_authors.push(actor(who).to_owned());
        cloud.supersede(who, &old);
        let (author, part_of, covers) = (old.author.clone(), old.part_of.clone(), old.covers.clone());
        Ok(cloud.keep(Plan { author, co_authors, part_of, covers, ..made? }))
    }))
}

pub fn split(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let is_of_document = |plan: &&Plan| {
        turn.cloud.get(&plan.file).is_some_and(|file| file.kind == Kind::Document) && plan.edits.len() > 1
    };
    let plan = turn.dice.pick(turn.cloud.plans.iter().filter(is_of_document), |plan| &plan.id)?.clone();
    let (who, n) = (turn.anyone(), turn.n.to_owned());
    let (file, id) = (plan.file.clone(), plan.id.clone());
    let arguments = json!({"file_id": file, "plan_id": id, "changes": ["c1"]});
    let command = Command::post("split_edit_plan", who, path(&plan, "split"), json!({"changes": ["c1"]}));
    Some(command.tool("split_plan", arguments).does(move |cloud: &mut Cloud, _| {
        let (old, mut refusals) = cloud.step(who, Scope::Propose, (&file, &id), Who::Anybody)?;
        refusals.extend(old.closed());
        if old.state == "returned" {
            refusals.push("plan_state");
        }
        refusals.extend(too_old(cloud, &old));
        unless(refusals)?;
        let of = cloud.get(&file).expect("a file").clone();
        let edits = vec![old.edits[0].clone()];
        let sent = format!("{edits:?}");
        let is_part = |same: &Plan| same.part_of.as_ref() == Some(&id);
        if let Some(same) = cloud.same(&of, &old.author, &sent, is_part) {
            return Ok(cloud.joined(&same.id.clone()));
        }
        let state = if old.has_review { "in_review" } else { "proposed" };
        let made = cloud.proposed(who, &n, &of, edits.clone(), sent)?;
        let (author, co_authors) = (old.author.clone(), old.co_authors.clone());
        let part_of = Some(old.id.clone());
        let made = Plan { author, co_authors, state, has_review: old.has_review, part_of, covers: edits, ..made };
        if old.has_review {
            cloud.say("plan.review_requested", who, &made);
        }
        Ok(cloud.keep(made))
    }))
}

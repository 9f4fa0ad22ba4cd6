//! Reads of edit plans, and of the receipts of decisions about them.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Seen, Way};

use super::{
    Cloud, Turn,
    actors::Refused,
    plan_steps::{any, path},
    plans::{OPEN, Plan},
};

pub fn get(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &OPEN)?;
    let who = turn.anyone();
    // Waits for nothing here.
    let waiting = json!({"file_id": plan.file, "plan_id": plan.id, "wait_seconds": 0});
    let command = got(who, plan.file, plan.id);
    Some(if turn.dice.percent(40) { command.tool("await_decision", waiting) } else { command })
}

pub fn got(who: &'static str, file: String, id: String) -> Command<Cloud> {
    let command = Command::get("get_edit_plan", who, format!("/v1/files/{file}/edit-plans/{id}"));
    command.tool("get_plan", json!({"file_id": file, "plan_id": id})).does(move |cloud: &mut Cloud, _| {
        cloud.read(who, &file)?;
        cloud.plan(&file, &id)?;
        Ok::<_, Refused>(cloud.plan_answer(&id))
    })
}

pub fn list(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let (who, file) = (turn.anyone(), turn.file()?);
    let id = file.id;
    Some(Command::get("list_edit_plans", who, format!("/v1/files/{id}/edit-plans")).does(
        move |cloud: &mut Cloud, seen| {
            cloud.read(who, &id)?;
            let open: Vec<&Plan> = cloud.plans.iter().filter(|plan| plan.file == id && plan.is_open()).collect();
            Ok::<_, Refused>(page(&open, 20, seen))
        },
    ))
}

pub fn list_all(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let who = turn.anyone();
    let command = Command::get("list_workspace_plans", who, "/v1/edit-plans?limit=100");
    Some(command.tool("list_plans", json!({"limit": 10})).does(move |cloud: &mut Cloud, seen| {
        let is_listed = |plan: &&Plan| {
            let is_active = cloud.get(&plan.file).is_some_and(|file| !file.is_trashed);
            plan.is_open() && is_active && cloud.sees(who, &plan.file)
        };
        let open: Vec<&Plan> = cloud.plans.iter().filter(is_listed).collect();
        // The results of tools are short.
        Ok::<_, Refused>(page(&open, if seen.way == Way::Mcp { 10 } else { 100 }, seen))
    }))
}

/// The first page of these plans. Plans of one second have no order among them.
fn page(plans: &[&Plan], most: usize, seen: Seen<'_>) -> Value {
    let ids: Vec<&str> = plans.iter().map(|plan| plan.id.as_str()).collect();
    json!({"items": seen.listed("items", &ids, most), "has_more": ids.len() > most})
}

/// A plan compared with itself: nothing differs.
pub fn compare(turn: &mut Turn<'_>) -> Option<Command<Cloud>> {
    let plan = any(turn, &OPEN)?;
    let (who, file, id) = (turn.anyone(), plan.file.clone(), plan.id.clone());
    let path = path(&plan, &format!("compare?with={id}"));
    Some(Command::get("compare_edit_plans", who, path).does(move |cloud: &mut Cloud, _| {
        cloud.read(who, &file)?;
        cloud.plan(&file, &id)?;
        Ok::<_, Refused>(json!({"changes": []}))
    }))
}

/// The receipts of a plan, or of all.
pub fn receipts(turn: &mut Turn<'_>, of_plan: bool) -> Option<Command<Cloud>> {
    let who = turn.dice.of_these(&["ada", "bob", "reader", "robot"]);
    if !of_plan {
        return Some(all_receipts(who));
    }
    let plan = any(turn, &OPEN)?;
    let (file, id) = (plan.file.clone(), plan.id.clone());
    Some(Command::get("get_plan_receipt", who, path(&plan, "receipt")).does(move |cloud: &mut Cloud, _| {
        cloud.read(who, &file)?;
        cloud.plan(&file, &id)?;
        let own = cloud.receipts.iter().enumerate().filter(|(_, (_, plan))| *plan == id);
        Ok::<_, Refused>(json!({"receipts": own.map(receipt).collect::<Vec<_>>()}))
    }))
}

/// Each decision once, and in order.
pub fn all_receipts(who: &'static str) -> Command<Cloud> {
    Command::get("list_receipts", who, "/v1/receipts?limit=100").does(move |cloud: &mut Cloud, _| {
        let first = cloud.receipts.iter().enumerate().take(100).map(receipt);
        Ok::<_, Refused>(json!({"items": first.collect::<Vec<_>>()}))
    })
}

fn receipt((index, (decision, plan)): (usize, &(&'static str, String))) -> Value {
    json!({"statement": {"sequence": index + 1, "decision": decision, "plan_id": plan}})
}

//! Proposals: plans for several files that are decided together.

mod ends;
mod read;
mod seen;
mod together;

use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Text as _};

use crate::samples::{self, plan};

/// Documents with one paragraph each, and a plan for each that adds another.
async fn planned(caller: &Caller, count: usize) -> Vec<Value> {
    let mut plans = Vec::new();
    for number in 0..count {
        let id = samples::id(&samples::create(caller, &format!("File {number}")).await);
        plans.push(plan(caller, &id, "more").await);
    }
    plans
}

fn named(plans: &[Value]) -> Value {
    plans.iter().map(|plan| json!({"file_id": plan["file_id"], "plan_id": plan["id"]})).collect()
}

async fn propose(caller: &Caller, plans: &[Value]) -> Value {
    let body = json!({"title": "New prices", "reason": "They rose.", "plans": named(plans)});
    caller.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone()
}

/// A step of the proposal by somebody who has seen it like this.
fn act(caller: &Caller, proposal: &Value, verb: &str, mut body: Value) -> Request {
    if matches!(verb, "approve" | "apply" | "rebase") {
        body["proposal_sha256"] = proposal["proposal_sha256"].clone();
    }
    caller.post(format!("/v1/proposals/{}/{verb}", proposal["id"].text())).fresh_key().json(body)
}

async fn blocks(caller: &Caller, plan: &Value) -> usize {
    let document = caller.get(format!("/v1/documents/{}", plan["file_id"].text())).await.status(200);
    document["content"]["blocks"].as_array().expect("blocks").len()
}

async fn all_blocks(caller: &Caller, plans: &[Value]) -> Vec<usize> {
    let mut all = Vec::new();
    for plan in plans {
        all.push(blocks(caller, plan).await);
    }
    all
}

fn state(answer: &Response) -> &str {
    answer["proposal"]["state"].text()
}

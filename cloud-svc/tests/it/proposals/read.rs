//! `GET /v1/proposals/{proposal_id}`, and the list.

use std::collections::BTreeSet;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text as _, together};

use super::{act, planned, propose};
use crate::samples;

#[shared_testing::test]
async fn a_proposal_is_read_as_it_was_at_one_moment() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for _ in 0..5 {
        let plans = planned(&ada, 4).await;
        let proposal = propose(&ada, &plans).await;
        let path = format!("/v1/proposals/{}", proposal["id"].text());
        let mut requests = vec![act(&ada, &proposal, "apply", json!({}))];
        requests.extend((0..16).map(|_| ada.get(&path)));
        for answer in together(requests).await {
            let read = answer.status(200)["proposal"].clone();
            let plans = read["plans"].as_array().expect("plans");
            let states: BTreeSet<&str> = plans.iter().map(|plan| plan["state"].text()).collect();
            assert_eq!(states, BTreeSet::from([read["state"].text()]), "{read}");
        }
    }
}

#[shared_testing::test]
async fn proposals_of_one_instant_come_in_pages_each_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut proposed = Vec::new();
    for _ in 0..5 {
        let proposal = propose(&ada, &planned(&ada, 1).await).await;
        proposed.push(proposal["id"].text().to_owned());
    }
    proposed.sort_unstable_by(|one, other| other.cmp(one));
    let listed = samples::all(&ada, "/v1/proposals?limit=2").await;
    let listed: Vec<_> = listed.iter().map(|proposal| proposal["id"].text()).collect();
    assert_eq!(listed, proposed);
}

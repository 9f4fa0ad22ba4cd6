//! Each scope alone: what it does not allow is refused, over HTTP and by tools, and is not listed.

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;
use shared_runtime::{
    http::contract::{Contract, Required},
    mcp::Tool,
};

use super::tools::{listed, message};
use crate::{caller::Caller, operation_fixture::OperationFixture, stage::Stage};

/// Fewer calls than any limit allows in a minute.
const CALLS_OF_A_MINUTE: usize = 20;

pub(super) async fn each_alone(stage: &Stage, owner: &Caller, fixtures: &[OperationFixture]) {
    let routes = stage.routes();
    let required = |id: &str| routes.contracts().find(|contract| contract.id == id).and_then(Contract::required);
    let all = routes.contracts().filter_map(Contract::required);
    let scopes: BTreeSet<&str> =
        all.flat_map(|required| required.implied_by.iter().copied().chain([required.scope])).collect();
    let mut calls = 0;
    for scope in &scopes {
        let caller = owner.clone().scope(scope);
        for fixture in fixtures {
            if required(fixture.operation).is_none_or(|required| allows(scope, &required)) {
                continue;
            }
            calls += 1;
            if calls % CALLS_OF_A_MINUTE == 0 {
                stage.clock.advance(Duration::from_secs(60));
            }
            let refused = fixture.by(&caller).await;
            assert_eq!(refused.status, 403, "{} with {scope} alone: {refused}", fixture.operation);
            refused.refused(403, "insufficient_scope");
        }
        let tools = stage.service().described_tools().map_or(Vec::new(), |tools| tools.tools);
        let is_allowed = |tool: &&Tool| required(tool.operations[0]).is_none_or(|required| allows(scope, &required));
        let (allowed, denied): (Vec<_>, Vec<_>) = tools.iter().partition(is_allowed);
        if required("send_mcp_message").is_none_or(|required| allows(scope, &required)) && !tools.is_empty() {
            stage.clock.advance(Duration::from_secs(60));
            let names: BTreeSet<&str> = allowed.iter().map(|tool| tool.name).collect();
            assert_eq!(
                listed(&caller).await,
                names.iter().map(|name| (*name).to_owned()).collect(),
                "with {scope} alone"
            );
            for tool in denied {
                stage.clock.advance(Duration::from_secs(5));
                let called = json!({"name": tool.name, "arguments": {}});
                let refused = message(&caller, "tools/call", &called).await;
                assert_eq!(refused.status, 403, "{} with {scope} alone: {refused}", tool.name);
            }
        }
    }
    assert!(scopes.is_empty() || calls > 0, "no scope was ever too little");
}

fn allows(scope: &str, required: &Required) -> bool {
    scope == required.scope || required.implied_by.contains(&scope)
}

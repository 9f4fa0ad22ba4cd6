//! A database outage: two log lines, and a count for each failed request.

use std::time::Duration;

use serde_json::json;
use shared_testing::{Caller, Request, ServiceProcess, together};
use tokio::time::timeout;

use crate::metrics::value;

fn create(caller: &Caller) -> Request {
    let content = json!({"kind": "docs", "blocks": [{"type": "paragraph", "segments": [{"text": "Now."}]}]});
    caller.post("/v1/documents").fresh_key().json(json!({"name": "Plan", "content": content}))
}

#[shared_testing::test]
async fn a_thousand_requests_without_a_database_are_two_lines_and_a_thousand_failures() {
    let settings = [("RATE_LIMITS", "read=100000,write=100000")];
    let process = ServiceProcess::logging(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &settings).await;
    let ada = process.caller("ada");
    // Ten people, because one grant may have 128 requests in progress.
    let people: Vec<_> = (0..10).map(|number| process.caller(&format!("user-{number}"))).collect();
    for person in people.iter().chain([&ada]) {
        create(person).await.status(200);
    }
    let failures = async || value(&process.metrics().await, "http_failures_total", &["operation=\"create_document\""]);
    assert_eq!(failures().await, 0.0);

    process.lose_database();
    for _ in 0..2 {
        for response in together(people.iter().flat_map(|person| (0..50).map(|_| create(person)))).await {
            response.refused(503, "temporarily_unavailable");
        }
    }
    assert_eq!(failures().await, 1000.0);
    assert_eq!(value(&process.metrics().await, "database_away", &[]), 1.0);

    process.find_database();
    let is_back = async {
        while !process.log().contains("the database is available again") {
            create(&ada).await;
        }
    };
    timeout(Duration::from_secs(60), is_back).await.expect("the log says that the database is back");
    create(&ada).await.status(200);
    assert_eq!(value(&process.metrics().await, "database_away", &[]), 0.0);

    let log = process.log();
    let (_, reported) = log.split_once("\"serving\"").expect("it serves");
    let reported: Vec<_> = reported.lines().filter(|line| line.contains("the database")).collect();
    assert_eq!(reported.len(), 2, "{log}");
    assert!(reported[0].contains("\"ERROR\"") && reported[0].contains("\"cause\":\""), "{log}");
    assert!(reported[1].contains("\"INFO\"") && reported[1].contains("\"seconds\":"), "{log}");
}

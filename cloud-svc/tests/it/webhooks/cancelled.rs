//! Deliveries that are cancelled with their webhook, of which there may be more than one transaction writes.

use std::sync::{Mutex, mpsc};

use cloud_svc::{
    WorkspaceId,
    base::ids::WebhookId,
    news::webhooks::{deliveries::store::waiting, sweep},
};
use shared_model::Timestamp;

use super::*;

/// More than two transactions write.
const MANY: i64 = 1_200;
const HOUR: Duration = Duration::from_secs(3_600);

const PENDING: &str = "SELECT count(*) AS number FROM webhook_deliveries WHERE state = 'pending'";
const TO_WRITE: &str = "SELECT count(*) AS number FROM webhooks WHERE deliveries_cancelled_at IS NOT NULL";

/// Gives a webhook this many deliveries that are due at this time.
pub(super) async fn fill(stage: &Stage, id: &str, count: i64, due_at: Timestamp) {
    // Numbers of six digits: with the zeros before them they are ids of events.
    let (zeros, last, due_at) = ("0".repeat(26), 99_999 + count, due_at.micros());
    let rows = format!(
        "WITH RECURSIVE numbers (i) AS (SELECT 100000 UNION ALL SELECT i + 1 FROM numbers WHERE i < {last})
        INSERT INTO webhook_deliveries
            (webhook_id, event_id, type, sequence, body, state, attempts, last_error, created_at, due_at)
            SELECT '{id}', 'evt_{zeros}' || i, 'file.updated', i, '{{}}', 'pending', 0, '', 0, {due_at} FROM numbers"
    );
    samples::sql(stage, &rows).await;
}

/// The newest deliveries, a hundred at most, in this state.
pub(super) async fn in_state(caller: &Caller, id: &str, status: &str) -> Vec<Value> {
    let list = caller.get(format!("/v1/webhooks/{id}/deliveries?limit=100&status={status}")).await.status(200);
    list["items"].as_array().expect("items").clone()
}

async fn now_waiting(stage: &Stage) -> (i64, Option<Timestamp>) {
    stage.context.read(|conn| Ok(waiting(conn)?)).await.expect("a count")
}

#[shared_testing::test]
async fn deliveries_of_an_ended_webhook_are_cancelled_before_their_rows_say_so() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    for verb in ["disable", "revoke"] {
        let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
        let due_at = stage.now().plus(HOUR);
        fill(&stage, &id, MANY, due_at).await;
        assert_eq!(now_waiting(&stage).await, (MANY, Some(due_at)));
        assert_eq!(in_state(&ada, &id, "pending").await.len(), 100);

        command(&ada, &id, verb, json!({})).await.status(200);
        assert_eq!(samples::number(&stage, PENDING).await, MANY, "{verb}: one transaction would write too many rows");
        assert_eq!(now_waiting(&stage).await, (0, None));
        assert!(in_state(&ada, &id, "pending").await.is_empty());
        let shown = deliveries(&ada, &id).await;
        assert_eq!(in_state(&ada, &id, "cancelled").await, shown);
        for delivery in &shown {
            let seen = json!([delivery["status"], delivery["next_attempt_at"], delivery["finished_at"]]);
            assert_eq!(seen, json!(["cancelled", null, stage.now()]));
        }
        let delivered = in_state(&ada, &id, "delivered").await;
        assert_eq!(delivered.len(), 1, "the challenge was sent: {delivered:?}");

        let later = stage.now().plus(HOUR);
        sweep::CANCELLED.run(&stage.context.db, later).await.expect("a sweep");
        assert_eq!((samples::number(&stage, PENDING).await, samples::number(&stage, TO_WRITE).await), (0, 0));
        assert_eq!(deliveries(&ada, &id).await, shown, "{verb}: the rows say what was shown");
    }
}

#[shared_testing::test]
async fn what_waited_at_a_webhook_is_not_sent_after_it_is_enabled_again() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
    fill(&stage, &id, MANY, stage.now().plus(HOUR)).await;
    command(&ada, &id, "disable", json!({})).await.status(200);
    // They would be the first to be sent.
    stage.clock.advance(HOUR * 2);
    let ada = stage.caller("ada");
    command(&ada, &id, "enable", json!({})).await.status(200);
    until(async || webhook(&ada, &id).await["state"] == "active").await;
    settled(&stage).await;
    assert_eq!(receiver.types(), ["webhook.verification"; 2]);
    assert_eq!((samples::number(&stage, PENDING).await, samples::number(&stage, TO_WRITE).await), (0, 0));
    assert!(in_state(&ada, &id, "pending").await.is_empty());
    samples::create(&ada, "After").await;
    settled(&stage).await;
    assert_eq!(receiver.events().len(), 1);
}

#[shared_testing::test]
async fn only_the_challenge_of_a_webhook_that_is_enabled_again_is_pending() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let id = id(&active(&ada, &Receiver::start().url(), json!(["*"])).await);
    // As between the command and the work of the dispatcher, which finds nothing that is due.
    fill(&stage, &id, MANY, stage.now().plus(HOUR)).await;
    let enabled = format!(
        "UPDATE webhooks SET state = 'pending', challenge = 'c', deliveries_cancelled_at = {} WHERE id = '{id}'",
        stage.now().micros()
    );
    samples::sql(&stage, &enabled).await;
    let shown = deliveries(&ada, &id).await;
    let states: Vec<&str> = shown.iter().map(|delivery| delivery["status"].text()).collect();
    assert_eq!((states[0], states[1], states[99]), ("pending", "cancelled", "cancelled"));
    assert_eq!(in_state(&ada, &id, "pending").await, shown[..1]);
    assert_eq!(in_state(&ada, &id, "cancelled").await[..99], shown[1..]);
    sweep::CANCELLED.run(&stage.context.db, stage.now()).await.expect("a sweep");
    assert_eq!(samples::number(&stage, PENDING).await, 1);
    assert_eq!(deliveries(&ada, &id).await, shown);
    assert_eq!(now_waiting(&stage).await.0, 1);
}

#[shared_testing::test]
async fn an_attempt_from_before_says_nothing_of_a_webhook_that_is_enabled_again() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let (answer_now, told) = mpsc::channel::<()>();
    let told = Mutex::new(told);
    let server = HostileServer::http(move |stream, request| {
        if request.contains("challenge") {
            return respond(stream, request, 200);
        }
        // An error means that the test is over.
        let _ = told.lock().expect("one event").recv();
        stream.write_all(answer(410, "", "").as_bytes())
    });
    let id = id(&active(&ada, &format!("http://{}/", server.address), json!(["*"])).await);
    samples::create(&ada, "Plan").await;
    until(async || server.requests().len() == 2).await;
    // These are cancelled before the one that is being sent.
    fill(&stage, &id, MANY, stage.now().plus(Duration::from_secs(10))).await;
    for verb in ["disable", "enable"] {
        command(&ada, &id, verb, json!({})).await.status(200);
    }
    answer_now.send(()).expect("the endpoint waits");
    until(async || webhook(&ada, &id).await["state"] != "pending").await;
    let seen = webhook(&ada, &id).await;
    assert_eq!(json!([seen["state"], seen["failures"], seen["last_error"]]), json!(["active", 0, ""]));
}

#[shared_testing::test]
async fn many_due_deliveries_of_one_webhook_hide_no_other_webhook() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let mut ids: Vec<WebhookId> = Vec::new();
    for (count, hours) in [(MANY, 1_u32), (1, 2)] {
        let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
        fill(&stage, &id, count, stage.now().plus(HOUR * hours)).await;
        ids.push(id.parse().expect("an id"));
    }
    let found = async |hours: u32, wanted: Wanted| {
        let at = stage.now().plus(HOUR * hours);
        let found = stage.context.read(move |conn| Ok(store::due(conn, &wanted, at)?)).await.expect("webhooks");
        found.into_iter().map(|(webhook, _)| webhook).collect::<Vec<_>>()
    };
    let due = async |hours: u32, limit: i64| found(hours, Wanted { limit, ..Wanted::default() }).await;
    let many = ids[0];
    ids.sort_unstable();
    let [first, second] = ids[..] else { panic!("two webhooks") };
    assert_eq!((due(0, 2).await, due(1, 2).await, due(2, 2).await), (Vec::new(), vec![many], vec![first, second]));
    assert_eq!(due(2, 1).await, [first]);
    for (last, turns) in [(first, [second, first]), (second, [first, second])] {
        let wanted = Wanted { last: Some(last), limit: 2, ..Wanted::default() };
        assert_eq!(found(2, wanted).await, turns, "after {last}");
    }
    assert_eq!(found(2, Wanted { running: vec![first], limit: 2, ..Wanted::default() }).await, [second]);
    for (workspace, count) in [(1, 0), (2, 2)] {
        let wanted = Wanted { full: vec![WorkspaceId::from_number(workspace)], limit: 2, ..Wanted::default() };
        assert_eq!(found(2, wanted).await.len(), count, "workspace {workspace} is full");
    }
    command(&ada, many.as_str(), "disable", json!({})).await.status(200);
    assert_eq!(due(2, 2).await, [if many == first { second } else { first }]);
}

//! What endpoints receive, when, and how often.

use std::sync::atomic::AtomicBool;

use shared_testing::together;
use standardwebhooks::Webhook;

use super::*;
use crate::agents::{agent, limit};

const HOUR: u64 = 3600;

#[shared_testing::test]
async fn nothing_is_sent_before_the_challenge_is_answered() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let server =
        HostileServer::http(|stream, _| stream.write_all(answer(200, "", "{\"challenge\":\"no\"}").as_bytes()));
    let id = id(&create(&ada, &format!("http://{}/", server.address), json!(["*"])).await.status(200));
    samples::create(&ada, "Plan").await;
    settled(&stage).await;
    let seen = webhook(&ada, &id).await;
    assert_eq!(
        (&seen["state"], &seen["failures"], &seen["last_error"]),
        (&json!("pending"), &json!(1), &json!("challenge_mismatch"))
    );
    let mut attempts = 1;
    for pause in [72, 720, 4320, 103_680] {
        samples::create(&stage.caller("ada"), "More").await;
        stage.clock.advance(Duration::from_secs(pause));
        settled(&stage).await;
        attempts += 1;
        assert_eq!(server.connections(), attempts);
    }
    let ada = stage.caller("ada");
    assert_eq!(webhook(&ada, &id).await["state"], "disabled", "after the last attempt");
    assert!(server.requests().iter().all(|request| request.contains("\"type\":\"webhook.verification\"")));
    let disabled = ada.get("/v1/changes?types=webhook.disabled").await.status(200);
    assert_eq!((&disabled["items"][0]["webhook_id"], &disabled["items"][0]["removed"]), (&json!(id), &json!(false)));

    // By hand: the webhook is enabled, and the challenge is taken from the endpoint's log.
    command(&ada, &id, "enable", json!({})).await.status(200);
    settled(&stage).await;
    let request = server.requests().pop().expect("a challenge");
    let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").expect("a body").1).expect("JSON");
    let challenge = body["data"]["challenge"].text();
    assert_eq!(challenge.len(), 43);
    command(&ada, &id, "verify", json!({"challenge": "wrong"})).await.refused(409, "webhook_state");
    let verified = command(&ada, &id, "verify", json!({"challenge": challenge})).await.status(200);
    assert_eq!((&verified["webhook"]["state"], &verified["webhook"]["failures"]), (&json!("active"), &json!(0)));
    samples::create(&ada, "Sent").await;
    settled(&stage).await;
    let last = server.requests().pop().expect("an event");
    assert!(last.contains("\"type\":\"file.created\""), "{last}");
}

#[shared_testing::test]
async fn a_review_that_is_asked_for_and_decided_is_sent() {
    let stage = stage().await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let receiver = Receiver::start();
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    active(&ada, &receiver.url(), json!(["plan.review_requested", "plan.approved", "plan.rejected"])).await;
    let mut expected = Vec::new();
    for (text, verdict, body) in [("two", "approve", json!({})), ("three", "reject", json!({"reason": "No."}))] {
        let plan = samples::plan(&ada, &id, text).await;
        samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
        samples::step(&bob, &plan, verdict, body).await.status(200);
        let decided = if verdict == "approve" { "plan.approved" } else { "plan.rejected" };
        expected.extend(["plan.review_requested", decided].map(|kind| (kind.to_owned(), plan["id"].clone())));
    }
    settled(&stage).await;
    let mut events = receiver.events();
    // The order of delivery is not promised.
    events.sort_by_key(|(_, event)| event["data"]["sequence"].as_i64());
    let seen: Vec<_> =
        events.iter().map(|(_, event)| (event["type"].text().to_owned(), event["data"]["plan_id"].clone())).collect();
    assert_eq!(seen, expected);
    assert!(events.iter().all(|(_, event)| !event.to_string().contains("No.")), "reasons stay in the service");
}

#[shared_testing::test]
async fn each_change_is_sent_once_signed_and_without_names() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let (all, some) = (Receiver::start(), Receiver::start());
    samples::create(&ada, "Before").await;
    let created = active(&ada, &all.url(), json!(["*"])).await;
    active(&ada, &some.url(), json!(["plan.applied", "file.renamed"])).await;
    let file = samples::id(&samples::create(&ada, "A private name").await);
    let plan = samples::plan(&ada, &file, "A private text").await;
    samples::apply(&ada, &plan).await.await.status(200);
    samples::command(&ada, &file, "rename", json!({"name": "Another private name"})).await.await.status(200);
    settled(&stage).await;
    until(async || all.events().len() == 3 && some.events().len() == 2).await;

    let mut reported = all.events();
    reported.sort_by_key(|(_, body)| body["data"]["sequence"].as_i64());
    let types: Vec<_> = reported.iter().map(|(_, body)| body["type"].text()).collect();
    assert_eq!(types, ["file.created", "file.updated", "file.renamed"]);
    let secret = created["signing_secret"].text();
    for (request, (head, body)) in all.server.requests().iter().zip(all.heard()) {
        let mut headers = http::HeaderMap::new();
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            headers.insert(name, header(&head, name).parse().expect("a header"));
        }
        let sent = request.split_once("\r\n\r\n").expect("a body").1;
        Webhook::new(secret).expect("a secret").verify(sent.as_bytes(), &headers).expect("the signature holds");
        assert!(Webhook::new(secret).expect("a secret").verify(b"{}", &headers).is_err());
        assert!(sent.len() < 4096 && !sent.contains("private") && !sent.contains("Ada"), "{sent}");
        assert!(header(&head, "webhook-id").starts_with("evt_"), "{body}");
    }
    let record = samples::record(&ada, &file).await["file"].clone();
    let renamed = &reported[2].1;
    assert_eq!(
        renamed["data"],
        json!({"workspace_id": "ws_1", "sequence": 4, "file_id": file, "version_id": null, "etag": record["etag"],
               "actor": {"type": "user", "id": renamed["data"]["actor"]["id"]}})
    );
    let mut types = some.types();
    types.sort_unstable();
    assert_eq!(types, ["file.renamed", "plan.applied", "webhook.verification"]);
}

#[shared_testing::test]
async fn a_failed_delivery_is_attempted_ten_times_over_three_days_under_one_id() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
    receiver.answer(503);
    samples::create(&ada, "Plan").await;
    settled(&stage).await;
    for (attempts, pause) in (1..).zip([5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]) {
        assert_eq!(receiver.events().len(), attempts);
        let ada = stage.caller("ada");
        let delivery = &deliveries(&ada, &id).await[0];
        assert_eq!((&delivery["attempts"], &delivery["last_error"]), (&json!(attempts), &json!("http_503")));
        assert_eq!(webhook(&ada, &id).await["failures"], attempts);
        // The pause is at least four fifths of the nominal one.
        stage.clock.advance(Duration::from_secs(pause * 4 / 5 - 1));
        settled(&stage).await;
        assert_eq!(receiver.events().len(), attempts, "not yet");
        stage.clock.advance(Duration::from_secs(pause * 2 / 5 + 2));
        settled(&stage).await;
    }
    let ada = stage.caller("ada");
    let heard = receiver.events();
    assert_eq!(heard.len(), 10);
    let ids: Vec<_> = heard.iter().map(|(head, _)| header(head, "webhook-id")).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let stamps: Vec<i64> =
        heard.iter().map(|(head, _)| header(head, "webhook-timestamp").parse().expect("a second")).collect();
    assert!(stamps.is_sorted_by(|earlier, later| earlier < later), "each attempt has its own time: {stamps:?}");
    let delivery = &deliveries(&ada, &id).await[0];
    assert_eq!((&delivery["status"], &delivery["next_attempt_at"]), (&json!("failed"), &Value::Null));
    assert_eq!(webhook(&ada, &id).await["state"], "active", "less than five days");

    // A replayed event keeps its id.
    receiver.answer(200);
    let event = delivery["event_id"].text();
    assert_eq!(event, ids[0]);
    command(&ada, &id, "replay", json!({"event_ids": [event]})).await.status(200);
    settled(&stage).await;
    let heard = receiver.events();
    assert_eq!((heard.len(), header(&heard[10].0, "webhook-id")), (11, event));
    assert_eq!(webhook(&ada, &id).await["failures"], 0);
    let unknown = json!({"event_ids": [event, format!("evt_{}", "0".repeat(32))]});
    command(&ada, &id, "replay", unknown).await.refused(422, "invalid_field").problems_at(&["/event_ids/1"]);
}

#[shared_testing::test]
async fn five_days_of_failures_disable_a_webhook() {
    let stage = stage().await;
    let receiver = Receiver::start();
    let id = id(&active(&stage.caller("ada"), &receiver.url(), json!(["*"])).await);
    let fails_after = async |hours: u64| {
        stage.clock.advance(Duration::from_secs(hours * HOUR));
        samples::create(&stage.caller("ada"), "Plan").await;
        settled(&stage).await;
        webhook(&stage.caller("ada"), &id).await["state"].text().to_owned()
    };
    receiver.answer(500);
    assert_eq!(fails_after(0).await, "active");
    assert_eq!(fails_after(119).await, "active", "4 days and 23 hours");
    // One success restarts the five days.
    receiver.answer(204);
    assert_eq!(fails_after(0).await, "active");
    receiver.answer(500);
    assert_eq!(fails_after(30).await, "active");
    assert_eq!(fails_after(119).await, "active");
    assert_eq!(fails_after(1).await, "disabled");
    let ada = stage.caller("ada");
    let seen = webhook(&ada, &id).await;
    assert_eq!(seen["last_error"], "http_500");
    let reported = ada.get("/v1/changes?types=webhook.disabled").await.status(200);
    assert_eq!(
        (&reported["items"][0]["webhook_id"], &reported["items"][0]["actor"]["type"]),
        (&json!(id), &json!("service"))
    );
    assert!(deliveries(&ada, &id).await.iter().all(|delivery| delivery["status"] != "pending"));
}

#[shared_testing::test]
async fn a_webhook_that_is_enabled_again_is_not_disabled_by_its_first_failure() {
    let stage = stage().await;
    let is_up = Arc::new(AtomicBool::new(true));
    let answers = Arc::clone(&is_up);
    let server = HostileServer::http(move |stream, request| {
        if answers.load(Ordering::SeqCst) {
            return respond(stream, request, 200);
        }
        stream.write_all(answer(500, "", "").as_bytes())
    });
    let id = id(&active(&stage.caller("ada"), &format!("http://{}/", server.address), json!(["*"])).await);
    is_up.store(false, Ordering::SeqCst);
    for days in [0, 5] {
        stage.clock.advance(Duration::from_secs(days * 24 * HOUR));
        samples::create(&stage.caller("ada"), "Plan").await;
        settled(&stage).await;
    }
    let ada = stage.caller("ada");
    assert_eq!(webhook(&ada, &id).await["state"], "disabled");

    let health = |webhook: &Value| json!([webhook["state"], webhook["failures"], webhook["last_error"]]);
    let enabled = command(&ada, &id, "enable", json!({})).await.status(200);
    assert_eq!(health(&enabled["webhook"]), json!(["pending", 0, ""]));
    settled(&stage).await;
    assert_eq!(health(&webhook(&ada, &id).await), json!(["pending", 1, "http_500"]));
    is_up.store(true, Ordering::SeqCst);
    stage.clock.advance(Duration::from_secs(72));
    settled(&stage).await;
    assert_eq!(health(&webhook(&stage.caller("ada"), &id).await), json!(["active", 0, ""]));
}

#[shared_testing::test]
async fn gone_disables_at_once_and_redirects_are_not_followed() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let (gone, target) = (Receiver::start(), HostileServer::trap("127.0.0.1:0"));
    let elsewhere = format!("Location: http://{}/\r\n", target.address);
    let moved = HostileServer::http(move |stream, request| {
        if request.contains("challenge") {
            respond(stream, request, 200)
        } else {
            stream.write_all(answer(302, &elsewhere, "").as_bytes())
        }
    });
    let of_gone = id(&active(&ada, &gone.url(), json!(["*"])).await);
    let of_moved = id(&active(&ada, &format!("http://{}/", moved.address), json!(["file.created"])).await);
    gone.answer(410);
    samples::create(&ada, "Plan").await;
    settled(&stage).await;
    let seen = webhook(&ada, &of_gone).await;
    assert_eq!((&seen["state"], &seen["last_error"]), (&json!("disabled"), &json!("gone")));
    let seen = webhook(&ada, &of_moved).await;
    assert_eq!((&seen["state"], &seen["last_error"]), (&json!("active"), &json!("redirect")));
    assert_eq!(target.connections(), 0);
}

#[shared_testing::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let created = active(&ada, &receiver.url(), json!(["*"])).await;
    let id = id(&created);
    receiver.answer(500);
    command(&ada, &id, "ping", json!({})).await.status(200);
    settled(&stage).await;
    let rotated = command(&ada, &id, "rotate-secret", json!({})).await.status(200);
    let (old, new) = (created["signing_secret"].text(), rotated["signing_secret"].text());
    assert_ne!(old, new);
    receiver.answer(200);
    stage.clock.advance(Duration::from_secs(6));
    settled(&stage).await;
    let verify = |secret: &str| {
        let request = receiver.server.requests().pop().expect("a ping");
        let (head, body) = request.split_once("\r\n\r\n").expect("a body");
        let second = header(head, "webhook-timestamp").parse().expect("a second");
        let judge = Webhook::new(secret).expect("a secret");
        let signature = judge.sign(header(head, "webhook-id"), second, body.as_bytes()).expect("a signature");
        header(head, "webhook-signature").split(' ').any(|own| own == signature)
    };
    assert_eq!(receiver.types().last().map(String::as_str), Some("webhook.ping"));
    assert!(verify(old) && verify(new), "in the middle of the attempts");
    let again = command(&ada, &id, "rotate-secret", json!({})).await.refused(409, "webhook_state");
    assert!(again.body().contains("The previous secret signs until"), "{again}");

    stage.clock.advance(Duration::from_secs(86_400));
    command(&stage.caller("ada"), &id, "ping", json!({})).await.status(200);
    settled(&stage).await;
    assert!(!verify(old) && verify(new));
    command(&stage.caller("ada"), &id, "rotate-secret", json!({})).await.status(200);
}

#[shared_testing::test]
async fn a_replay_sends_the_same_events_under_the_same_ids() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    for number in 0..5 {
        samples::create(&ada, &format!("Before {number}")).await;
    }
    let id = id(&active(&ada, &receiver.url(), json!(["file.created"])).await);
    samples::create(&ada, "After").await;
    settled(&stage).await;
    assert_eq!(receiver.events().len(), 1, "events from before the challenge are not sent");
    command(&ada, &id, "replay", json!({"from_sequence": 3})).await.status(200);
    settled(&stage).await;
    let sequences = || {
        receiver.events().iter().map(|(_, body)| body["data"]["sequence"].as_i64().expect("one")).collect::<Vec<_>>()
    };
    let mut reported = sequences();
    assert_eq!(reported.remove(0), 6);
    reported.sort_unstable();
    assert_eq!(reported, [3, 4, 5, 6]);
    let heard = receiver.events();
    let of_six: Vec<_> = heard.iter().filter(|(_, body)| body["data"]["sequence"] == 6).collect();
    assert_eq!(header(&of_six[0].0, "webhook-id"), header(&of_six[1].0, "webhook-id"));
    command(&ada, &id, "replay", json!({})).await.refused(422, "invalid_field");
    let listed = ada.get(format!("/v1/webhooks/{id}/deliveries?status=delivered&limit=2")).await.status(200);
    assert_eq!((listed["items"].as_array().map(Vec::len), &listed["has_more"]), (Some(2), &json!(true)));
    let next = ada
        .get(format!("/v1/webhooks/{id}/deliveries?status=delivered&limit=2&cursor={}", listed["next_cursor"].text()));
    next.await.status(200);
}

#[shared_testing::test]
async fn one_endpoint_that_hangs_delays_no_other() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let stuck = stuck();
    let receivers: Vec<_> = (0..4).map(|_| Receiver::start()).collect();
    active(&ada, &format!("http://{}/", stuck.address), json!(["*"])).await;
    for receiver in &receivers {
        active(&ada, &receiver.url(), json!(["*"])).await;
    }
    for number in 0..40 {
        samples::folder(&ada, &format!("Folder {number}"), None).await;
    }
    until(async || receivers.iter().all(|receiver| receiver.events().len() == 40)).await;
    assert!(stuck.connections() > 1, "it hangs meanwhile");
}

#[shared_testing::test]
async fn many_endpoints_that_hang_delay_no_other_workspace() {
    // More than the tasks of a process, and the tasks that a workspace may have.
    const MANY: usize = 260;
    const OF_A_WORKSPACE: usize = 64;
    let stage = stage().await;
    let (bob, receiver, stuck) = (stage.caller("bob").workspace(2), Receiver::start(), stuck());
    active(&bob, &receiver.url(), json!(["*"])).await;
    let url = format!("http://{}/", stuck.address);
    let owners: Vec<_> = (0..MANY / 10).map(|number| stage.caller(&format!("owner-{number}"))).collect();
    // One grant has ten webhooks at most.
    let requests = owners.iter().cycle().take(MANY).map(|owner| create(owner, &url, json!(["*"])));
    for created in together(requests).await {
        created.status(200);
    }
    const ACTIVE: &str = "SELECT count(*) AS number FROM webhooks WHERE state = 'active'";
    until(async || samples::number(&stage, ACTIVE).await == MANY as i64 + 1).await;
    samples::folder(&stage.caller("ada"), "Nobody answers", None).await;
    until(async || stuck.requests().len() >= MANY + OF_A_WORKSPACE).await;
    samples::folder(&bob, "Folder", None).await;
    let is_told = until(async || !receiver.events().is_empty());
    tokio::time::timeout(Duration::from_secs(5), is_told).await.expect("the endpoints hang for longer");
}

#[shared_testing::test]
async fn a_webhook_of_an_agent_is_sent_what_its_limits_show() {
    let stage = stage().await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let room = samples::folder(&ada, "Room", None).await;
    limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    let receiver = Receiver::start();
    active(&robot, &receiver.url(), json!(["*"])).await;
    samples::create(&ada, "Outside").await;
    let inside = samples::document_in(&ada, "Inside", &room).await;
    settled(&stage).await;
    let events = receiver.events();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].1["data"]["file_id"], inside);
}

#[shared_testing::test]
async fn a_retry_tells_nothing_that_new_limits_hide() {
    let stage = stage().await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let room = samples::folder(&ada, "Room", None).await;
    let receiver = Receiver::start();
    let id = id(&active(&robot, &receiver.url(), json!(["*"])).await);
    receiver.answer(503);
    samples::create(&ada, "Outside").await;
    let inside = samples::document_in(&ada, "Inside", &room).await;
    settled(&stage).await;
    let before = receiver.events().len();
    limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    receiver.answer(200);
    stage.clock.advance(Duration::from_secs(10));
    settled(&stage).await;
    let events = receiver.events();
    assert_eq!(events.len(), before + 1, "{events:?}");
    assert_eq!(events[before].1["data"]["file_id"], inside);
    let states: Vec<_> = deliveries(&robot, &id).await.iter().map(|delivery| delivery["status"].clone()).collect();
    assert_eq!(states, ["delivered", "cancelled", "delivered"], "inside, outside, the challenge");
}

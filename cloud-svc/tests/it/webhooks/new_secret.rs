//! Webhooks after a change of SERVICE_SECRET, which encrypts their signing secrets.

use shared_testing::ServiceProcess;
use standardwebhooks::Webhook;

use super::{
    worst_day::{LOOPBACK, PROGRAM, READS},
    *,
};

const NEW_SECRET: (&str, &str) = ("SERVICE_SECRET", "fedcba9876543210fedcba9876543210");

/// What a change of SERVICE_SECRET does to the rows: nothing in them decrypts.
async fn make_unreadable(stage: &Stage) {
    for (table, column) in [("webhooks", "secret"), ("webhooks", "old_secret"), ("idempotency", "payload")] {
        let damage = format!("UPDATE {table} SET {column} = replace({column}, 'v1.', 'v1.AAAA')");
        samples::sql(stage, &damage).await;
    }
}

#[shared_testing::test]
async fn a_webhook_whose_secret_cannot_be_read_is_disabled_until_it_has_a_new_one() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let id = id(&active(&ada, &receiver.url(), json!(["file.created"])).await);
    // A rotation within the last day does not prevent the next one.
    command(&ada, &id, "rotate-secret", json!({})).await.status(200);
    make_unreadable(&stage).await;
    let seen = async || {
        settled(&stage).await;
        let seen = webhook(&ada, &id).await;
        json!([seen["state"], seen["failures"], seen["last_error"]])
    };
    for number in 0..3 {
        samples::create(&ada, &format!("Plan {number}")).await;
    }
    assert_eq!(seen().await, json!(["disabled", 1, "secret_unreadable"]));
    let told = ada.get("/v1/changes?types=webhook.disabled").await.status(200);
    assert_eq!(told["items"][0]["webhook_id"], id);
    // A challenge cannot be signed either.
    command(&ada, &id, "enable", json!({})).await.status(200);
    assert_eq!(seen().await, json!(["disabled", 1, "secret_unreadable"]));
    assert!(deliveries(&ada, &id).await.iter().all(|delivery| delivery["status"] != "pending"));
    assert_eq!(receiver.types(), ["webhook.verification"], "before the change");

    let rotated = command(&ada, &id, "rotate-secret", json!({})).await.status(200);
    assert_eq!(rotated["previous_secret_expires_at"], json!(stage.now()));
    command(&ada, &id, "enable", json!({})).await.status(200);
    assert_eq!(seen().await, json!(["active", 0, ""]));
    samples::create(&ada, "After").await;
    settled(&stage).await;
    assert_eq!(receiver.events().len(), 1);
    let request = receiver.server.requests().pop().expect("an event");
    let (head, body) = request.split_once("\r\n\r\n").expect("a body");
    let (event, second) = (header(head, "webhook-id"), header(head, "webhook-timestamp"));
    let signer = Webhook::new(rotated["signing_secret"].text()).expect("a secret");
    let signature = signer.sign(event, second.parse().expect("a second"), body.as_bytes()).expect("a signature");
    assert_eq!(header(head, "webhook-signature"), signature, "the new secret signs alone");
}

#[shared_testing::test]
async fn the_repeated_answer_of_a_command_whose_secret_cannot_be_read_is_refused() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let body = json!({"url": Receiver::start().url(), "events": ["*"]});
    let creation = ada.post("/v1/webhooks").key("creation").json(body);
    let id = id(&creation.clone().await.status(200));
    let rotation = ada.post(format!("/v1/webhooks/{id}/rotate-secret")).key("rotation").json(json!({}));
    rotation.clone().await.status(200);
    make_unreadable(&stage).await;
    for repeated in [creation, rotation] {
        let refused = repeated.await.refused(409, "webhook_state");
        assert!(refused.body().contains("rotate the secret"), "{refused}");
        let there = ada.get(refused.leads_to("refresh")).await.status(200);
        assert_eq!(there["webhook"]["id"], id);
    }
}

#[shared_testing::test]
async fn the_secret_of_a_service_changes_only_while_it_is_stopped() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), &[LOOPBACK, READS]).await;
    let receiver = Receiver::start();
    let id = id(&active(&cloud.caller("ada"), &receiver.url(), json!(["*"])).await);
    let change = |cloud: &ServiceProcess| {
        let mut command = cloud.command(&["migrate", "--new-secret"]);
        let output = command.envs([NEW_SECRET]).output().expect("the command runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = change(&cloud);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("stop"), "{said}");
    samples::create(&cloud.caller("ada"), "Under the old secret").await;
    cloud.signal("TERM");
    cloud.ended().await;
    let (code, said) = change(&cloud);
    assert_eq!(code, Some(0), "{said}");

    cloud.start(&[LOOPBACK, READS, NEW_SECRET]).await;
    let ada = cloud.caller("ada");
    samples::create(&ada, "Under the new secret").await;
    until(async || webhook(&ada, &id).await["state"] == "disabled").await;
    assert_eq!(webhook(&ada, &id).await["last_error"], "secret_unreadable");
    command(&ada, &id, "rotate-secret", json!({})).await.status(200);
    command(&ada, &id, "enable", json!({})).await.status(200);
    until(async || webhook(&ada, &id).await["state"] == "active").await;
}

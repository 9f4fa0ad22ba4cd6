//! How an owner manages webhooks.

use cloud_svc::news::webhooks::event_type::EventType;

use super::*;

#[shared_testing::test]
async fn only_its_grant_sees_a_webhook_and_its_secret_is_shown_once() {
    let stage = stage().await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let receiver = Receiver::start();
    let body = json!({"url": receiver.url(), "events": ["file.created", "*", "*"], "description": "Index"});
    let request = ada.post("/v1/webhooks").key("once").json(body);
    let created = request.clone().await.status(200);
    let id = id(&created);
    assert_eq!(created.header("location"), format!("{}/v1/webhooks/{id}", stage.base_url()));
    let secret = created["signing_secret"].text().to_owned();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let pending = json!({"id": id, "url": receiver.url(), "state": "pending", "failures": 0, "last_error": ""});
    assert_eq!(created["webhook"], pending);
    assert_eq!(created["settings"]["events"], json!(["file.created", "*"]));

    until(async || webhook(&ada, &id).await["state"] == "active").await;
    let replayed = request.await.status(200);
    assert_eq!((&replayed["replayed"], &replayed["signing_secret"]), (&json!(true), &json!(secret)));
    let listed = ada.get("/v1/webhooks").await.status(200);
    let active = json!({"id": id, "url": receiver.url(), "state": "active", "failures": 0, "last_error": ""});
    assert_eq!(listed["webhooks"], json!([active]));
    assert!(!listed.body().contains("whsec_"));

    // Neither the table nor the idempotency record has the secret in the clear.
    for column in [
        "SELECT count(*) AS number FROM webhooks WHERE secret LIKE 'v1.%' AND secret NOT LIKE '%whsec%'",
        "SELECT count(*) AS number FROM idempotency WHERE payload LIKE '%\"signing_secret\":\"v1.%'",
    ] {
        assert_eq!(samples::number(&stage, column).await, 1, "{column}");
    }

    assert_eq!(carol.get("/v1/webhooks").await.status(200)["webhooks"], json!([]));
    carol.get(format!("/v1/webhooks/{id}")).await.refused(404, "not_found");
    carol.get(format!("/v1/webhooks/{id}/deliveries")).await.refused(404, "not_found");
    for verb in ["update", "verify", "enable", "disable", "revoke", "rotate-secret", "ping"] {
        let body = if verb == "update" { json!({"description": ""}) } else { json!({}) };
        command(&carol, &id, verb, body).await.refused(404, "not_found");
    }
    let reader = stage.caller("ada").scope("cloud.read");
    reader.get("/v1/webhooks").await.status(200);
    command(&reader, &id, "revoke", json!({})).await.refused(403, "insufficient_scope");
}

#[shared_testing::test]
async fn the_lookup_of_a_command_shows_no_secret() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let body = json!({"url": Receiver::start().url(), "events": ["*"]});
    let created = ada.post("/v1/webhooks").key("creation").json(body).await.status(200);
    let rotation = ada.post(format!("/v1/webhooks/{}/rotate-secret", id(&created))).key("rotation").json(json!({}));
    let rotated = rotation.await.status(200);
    for (key, shown) in [("creation", created), ("rotation", rotated)] {
        assert!(shown["signing_secret"].text().starts_with("whsec_"), "{shown}");
        let found = ada.get(format!("/v1/idempotency/{key}")).await.status(200);
        let answer = &found["commands"][0]["answer"];
        assert_eq!(answer["webhook"], shown["webhook"]);
        assert_eq!(answer.get("signing_secret"), None, "{found}");
    }
}

#[shared_testing::test]
async fn a_webhook_goes_from_state_to_state() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
    let state = async |verb: &str, body: Value| {
        command(&ada, &id, verb, body).await.status(200)["webhook"]["state"].text().to_owned()
    };
    let refused = async |verb: &str, body: Value| {
        let refused = command(&ada, &id, verb, body).await.refused(409, "webhook_state");
        assert_eq!(refused["error"]["next_action"]["type"], "refresh");
    };
    refused("verify", json!({})).await;
    assert_eq!(state("enable", json!({})).await, "active");
    assert_eq!(state("disable", json!({})).await, "disabled");
    assert_eq!(state("disable", json!({})).await, "disabled");
    refused("ping", json!({})).await;
    refused("replay", json!({"from_sequence": 1})).await;
    assert_eq!(state("update", json!({"events": ["file.moved"], "description": "Moves"})).await, "disabled");
    assert_eq!(state("enable", json!({})).await, "pending");
    assert_eq!(state("disable", json!({})).await, "disabled", "a pending one too");
    assert_eq!(state("enable", json!({})).await, "pending");
    until(async || webhook(&ada, &id).await["state"] == "active").await;
    assert_eq!(receiver.types(), ["webhook.verification"; 3][..receiver.types().len().min(3)]);

    assert_eq!(state("revoke", json!({})).await, "revoked");
    assert_eq!(state("revoke", json!({})).await, "revoked");
    for (verb, body) in
        [("enable", json!({})), ("disable", json!({})), ("rotate-secret", json!({})), ("verify", json!({}))]
    {
        refused(verb, body).await;
    }
    assert_eq!(ada.get("/v1/webhooks").await.status(200)["webhooks"], json!([]));
    assert_eq!(webhook(&ada, &id).await["state"], "revoked");
    stage.clock.advance(Duration::from_secs(2_592_001));
    cloud_svc::news::webhooks::sweep::WEBHOOKS.run(&stage.context.db, stage.now()).await.expect("a sweep");
    stage.caller("ada").get(format!("/v1/webhooks/{id}")).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn a_grant_has_ten_webhooks() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let receiver = Receiver::start();
    let requests = (0..12).map(|_| create(&ada, &receiver.url(), json!(["*"])));
    let mut answers = shared_testing::together(requests).await;
    answers.sort_by_key(|answer| answer.json().get("error").is_some());
    let full = answers.drain(10..).map(|answer| answer.refused(409, "webhook_limit").leads_to("refresh"));
    let list = full.reduce(|_, last| last).expect("two are refused");
    let listed = ada.get(list).await.status(200)["webhooks"].clone();
    assert_eq!(listed.as_array().expect("ten").len(), 10);
    let first = listed[9]["id"].text().to_owned();
    command(&ada, &first, "revoke", json!({})).await.status(200);
    create(&ada, &receiver.url(), json!(["*"])).await.status(200);
}

#[shared_testing::test]
async fn only_named_public_hosts_are_called() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for url in [
        "http://hooks.example.com/",
        "https://hooks.example.com:8443/",
        "https://1.1.1.1/",
        "https://127.0.0.1/",
        "https://0x7f000001/",
        "https://2130706433/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://localhost/",
        "https://localhost./",
        "https://api.localhost/",
        "https://metadata.google.internal/",
        "https://printer.local/",
        "https://intranet/",
        "https://user@hooks.example.com/",
        "https://user:secret@hooks.example.com/",
        "https://hooks.example.com/#fragment",
        "https://hooks.example.com\\@127.0.0.1/",
        "ftp://hooks.example.com/",
        "file:///etc/passwd",
    ] {
        let refused = create(&ada, url, json!(["*"])).await.refused(422, "url_not_allowed");
        refused.problems_at(&["/url"]);
    }
    for url in ["", "hooks", "//hooks.example.com", "https://", "https://exa mple.com"] {
        create(&ada, url, json!(["*"])).await.refused(422, "invalid_field").problems_at(&["/url"]);
    }
    let bad = json!({"url": "https://hooks.example.com/", "events": ["file.lost"]});
    ada.post("/v1/webhooks").fresh_key().json(bad).await.refused(422, "invalid_field").problems_at(&["/events/0"]);
    create(&ada, "https://hooks.example.com/", json!([])).await.refused(422, "invalid_field").problems_at(&["/events"]);
    create(&ada, "https://hooks.example.com/in?a=b", json!(["*"])).await.status(200);
}

#[shared_testing::test]
async fn the_operator_allows_endpoints_by_host_and_port() {
    let receiver = Receiver::start();
    let opened = receiver.server.address.to_string();
    let stage = Stage::of(service()).settings(|settings| {
        settings.outbound_allow = vec![opened.parse().expect("host:port")];
        settings.rate_limits.0.push(("read".to_owned(), 1_000_000));
    });
    let stage = stage.await;
    let ada = stage.caller("ada");
    active(&ada, &receiver.url(), json!(["*"])).await;
    create(&ada, "http://127.0.0.1:1/", json!(["*"])).await.refused(422, "url_not_allowed");
}

#[shared_testing::test]
async fn a_webhook_ends_with_its_grant() {
    let stage = stage().await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol"));
    let (receiver, other) = (Receiver::start(), Receiver::start());
    let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
    active(&carol, &other.url(), json!(["*"])).await;
    let grant = ada.claim_text("grant_id");
    let revoke = format!("INSERT INTO revocations (number, grant_id, revoked_at) VALUES (1, '{grant}', 0)");
    samples::sql(&stage, &revoke).await;
    samples::create(&carol, "Plan").await;
    settled(&stage).await;
    until(async || !other.events().is_empty()).await;
    assert!(receiver.events().is_empty(), "{:?}", receiver.events());
    let revoked = "SELECT count(*) AS number FROM webhooks WHERE state = 'revoked'";
    assert_eq!(samples::number(&stage, revoked).await, 1, "{id}");

    // The other grant gets no more tokens.
    stage.clock.advance(Duration::from_secs(2 * 2_592_000));
    cloud_svc::news::webhooks::sweep::ENDED.run(&stage.context.db, stage.now()).await.expect("a sweep");
    assert_eq!(samples::number(&stage, revoked).await, 2);
}

#[shared_testing::test]
async fn a_webhook_may_name_every_event() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let words: Vec<_> = EventType::ALL.iter().map(|(word, _)| *word).collect();
    let created = create(&ada, "https://hooks.example.com/", json!(words)).await.status(200);
    assert_eq!(created["settings"]["events"], json!(words));
    // The page shows all of them, so it must take all of them.
    let (browser, path) = (stage.browser(&ada), format!("/w/webhooks/{}", id(&created)));
    let page = browser.get(&path).await.status(200);
    let fields: Vec<_> = words.iter().enumerate().skip(1).map(|(at, word)| (format!("event-{at}"), *word)).collect();
    let mut fields: Vec<_> = fields.iter().map(|(name, word)| (name.as_str(), *word)).collect();
    fields.extend([("action", "update"), ("description", "All by name")]);
    browser.submit(&page, &path, &fields).await.status(303);
    let kept = ada.get(path.replace("/w/", "/v1/")).await.status(200);
    assert_eq!(kept["settings"]["events"], json!(words[1..]));
}

//! The pages about webhooks.

use shared_testing::html;

use super::*;

const PATH: &str = "/w/webhooks";

#[shared_testing::test]
async fn a_person_makes_a_webhook_whose_secret_is_on_one_page_only() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let receiver = Receiver::start();
    let page = browser.get(PATH).await.status(200);
    html::assert_harmless(&page.body());
    assert!(page.body().contains("You have no webhooks."), "{page}");
    // What is refused stays in the form.
    let wrong = [("url", "ftp://x.example"), ("description", "<b>Index</b>"), ("event-2", "file.created")];
    let refused = browser.submit(&page, PATH, &wrong).await.status(422);
    html::assert_harmless(&refused.body());
    for part in ["Nothing was done.", "value=\"ftp://x.example\"", "&lt;b&gt;Index", "value=\"file.created\" checked"] {
        assert!(refused.body().contains(part), "{part} in {refused}");
    }
    let url = receiver.url();
    let fields =
        [("url", url.as_str()), ("description", "<b>Index</b>"), ("event-0", "*"), ("event-2", "file.created")];
    let secret = async || {
        let made = browser.submit(&page, PATH, &fields).await.status(200);
        html::assert_harmless(&made.body());
        let body = made.body();
        body[body.find("whsec_").expect("a secret")..][..50].to_owned()
    };
    assert_eq!(secret().await, secret().await, "sent twice, it is made once");
    let list = ada.get("/v1/webhooks").await.status(200);
    assert_eq!(list["webhooks"].as_array().expect("webhooks").len(), 1, "{list}");
    let id = list["webhooks"][0]["id"].text().to_owned();
    assert_eq!(ada.get(format!("/v1/webhooks/{id}")).await["settings"]["events"], json!(["*"]));
    let page = browser.get(PATH).await.status(200).body();
    assert!(html::links(&page).contains(&format!("{PATH}/{id}")) && !page.contains("whsec_"), "{page}");
    // Others see none of it.
    let carol = stage.browser(&stage.caller("carol"));
    carol.get(format!("{PATH}/{id}")).await.status(404);
    let reader = stage.browser(&ada.scope("cloud.read")).get(PATH).await.status(200);
    assert!(!reader.body().contains("New webhook"), "{reader}");
}

#[shared_testing::test]
async fn a_person_sees_deliveries_sends_one_again_and_ends_the_webhook() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let receiver = Receiver::start();
    let id = id(&active(&ada, &receiver.url(), json!(["*"])).await);
    let path = format!("{PATH}/{id}");
    samples::create(&ada, "Minutes").await;
    settled(&stage).await;
    let act = async |fields: &[(&str, &str)]| {
        let page = browser.get(&path).await.status(200);
        html::assert_harmless(&page.body());
        browser.submit(&page, &path, fields).await
    };
    let page = browser.get(&path).await.status(200).body();
    for part in ["A file is created", "Delivered", "Send again", "Send a test event", "Everything that happens"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let event = deliveries(&ada, &id).await[0]["event_id"].text().to_owned();
    act(&[("action", "replay"), ("event", &event)]).await.status(303);
    settled(&stage).await;
    let created = async || receiver.types().into_iter().filter(|kind| kind == "file.created").count();
    assert_eq!(created().await, 2);
    let failed = browser.get(format!("{path}?status=failed")).await.status(200).body();
    assert!(!failed.contains("Send again"), "{failed}");
    let rotated = act(&[("action", "rotate")]).await.status(200);
    assert!(rotated.body().contains("whsec_"), "{rotated}");
    let again = act(&[("action", "rotate")]).await.status(409);
    assert!(again.body().contains("The previous secret signs until"), "{again}");
    let refused = act(&[("action", "update"), ("description", "Moves")]).await.status(422).body();
    assert!(refused.contains("<details class=\"organize\" open") && refused.contains("value=\"Moves\""), "{refused}");
    act(&[("action", "update"), ("description", "Moves"), ("event-5", "file.moved")]).await.status(303);
    let settings = ada.get(format!("/v1/webhooks/{id}")).await["settings"].clone();
    assert_eq!((&settings["events"], &settings["description"]), (&json!(["file.moved"]), &json!("Moves")));
    act(&[("action", "disable")]).await.status(303);
    assert_eq!(webhook(&ada, &id).await["state"], "disabled");
    act(&[("action", "enable")]).await.status(303);
    until(async || webhook(&ada, &id).await["state"] == "active").await;
    act(&[("action", "ping")]).await.status(303);
    act(&[("action", "challenge")]).await.status(409);
    act(&[("action", "nonsense")]).await.status(400);
    act(&[("action", "revoke")]).await.status(303);
    let page = browser.get(&path).await.status(200).body();
    assert!(page.contains("Revoked") && !page.contains(&format!("action=\"{path}\"")), "{page}");
    browser.get(format!("{PATH}/nonsense")).await.status(404);
}

//! The pages about agents.

use cloud_svc::service;
use serde_json::json;
use shared_runtime::identity::REVOCATION_DELAY;
use shared_testing::{Stage, html};

use super::{agent, limit};
use crate::samples;

const PATH: &str = "/w/agents";
const LIMITS: &str = "/w/agents/limits";
const REVOKE: &str = "/w/agents/revoke";

#[shared_testing::test]
async fn a_person_sees_the_agents_and_limits_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let robot = agent(&stage, "robot", 1).await;
    // The name comes from the issuer, and the id of the grant too.
    let hostile = json!({"type": "agent", "id": "odd", "display_name": "Odd <b>"});
    stage.caller("odd").claim("actor", hostile).get("/v1/workspaces").await.status(200);
    let grant = robot.claim_text("grant_id");
    let room = samples::folder(&ada, "Room <i>", None).await;
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::plan(&robot, &file, "two").await;
    let page = browser.get(PATH).await.status(200).body();
    html::assert_harmless(&page);
    for part in ["robot", "Odd &lt;b&gt;", "Has access", "1 open plan", "all folders", "less than a minute ago"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let form = html::links(&page).into_iter().find(|link| *link == form_of(&grant)).expect("a link to the limits");
    let form = browser.get(form).await.status(200);
    html::assert_harmless(&form.body());
    assert!(form.body().contains("Room &lt;i&gt;"), "{form}");
    let send = async |fields: &[(&str, &str)]| {
        browser.submit(&form, LIMITS, &[&[("grant", grant.as_str())], fields].concat()).await
    };
    let limits = [
        ("may", "propose"),
        ("rooms", "some"),
        ("folder-0", &room),
        ("kinds", "some"),
        ("kind-3", "note"),
        ("bytes", "900"),
    ];
    for _ in 0..2 {
        assert_eq!(send(&limits).await.status(303).header("location"), PATH);
    }
    let set = ada.get(format!("/v1/agents/{grant}/limits")).await.status(200)["limits"].clone();
    assert_eq!(set["folders"], json!([room]));
    assert_eq!((&set["types"], &set["may"], &set["bytes_per_day"]), (&json!(["note"]), &json!("propose"), &json!(900)));
    robot.get(format!("/v1/files/{file}")).await.refused(404, "not_found");
    let page = browser.get(form_of(&grant)).await.status(200).body();
    assert!(page.contains(&format!("value=\"{room}\" checked")) && page.contains("value=\"900\""), "{page}");
    // Nothing of it widens by a slip.
    for slip in [
        &[("may", "read"), ("rooms", "some"), ("kinds", "all")][..],
        &[("may", "read"), ("rooms", "all"), ("kinds", "some")],
        &[("may", "read"), ("kinds", "all")],
        &[("rooms", "all"), ("kinds", "all")],
        &[("may", "read"), ("rooms", "all"), ("kinds", "all"), ("bytes", "much")],
    ] {
        // The key of a new form: the other one has done its work.
        let form = browser.get(form_of(&grant)).await.status(200);
        let refused = browser.submit(&form, LIMITS, &[&[("grant", grant.as_str())], slip].concat()).await;
        assert!([400, 422].contains(&refused.status), "{slip:?}: {refused}");
        html::assert_harmless(&refused.body());
    }
    // What was typed stays in the form.
    let slip = [("may", "read"), ("rooms", "some"), ("folder-0", &room), ("kinds", "some"), ("kind-1", "document")];
    let refused = send(&[&slip[..], &[("bytes", "1e6")]].concat()).await.status(400).body();
    for part in
        ["value=\"read\" checked", &format!("value=\"{room}\" checked"), "value=\"document\" checked", "value=\"1e6\""]
    {
        assert!(refused.contains(part), "{part} in {refused}");
    }
    assert_eq!(ada.get(format!("/v1/agents/{grant}/limits")).await["limits"]["folders"], json!([room]));
}

#[shared_testing::test]
async fn a_person_revokes_an_agent() {
    let stage = Stage::of(service()).await;
    let browser = stage.browser(&stage.caller("ada"));
    let robot = agent(&stage, "robot", 1).await;
    let grant = robot.claim_text("grant_id");
    let page = browser.get(PATH).await.status(200);
    for _ in 0..2 {
        let sent = browser.submit(&page, REVOKE, &[("grant", grant.as_str())]).await;
        assert_eq!(sent.status(303).header("location"), PATH);
    }
    stage.clock.advance(REVOCATION_DELAY);
    robot.get("/v1/workspaces").await.refused(401, "invalid_token");
    let page = browser.get(PATH).await.status(200).body();
    assert!(page.contains("Its access has ended") && page.contains("Revoked by"), "{page}");
    assert!(!page.contains(REVOKE), "there is nothing left to revoke: {page}");
}

#[shared_testing::test]
async fn a_folder_that_is_in_the_trash_stays_in_the_limits() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let robot = agent(&stage, "robot", 1).await;
    let room = samples::folder(&ada, "Room", None).await;
    limit(&ada, &robot, json!({"folders": [room], "may": "read"})).await.status(200);
    samples::command(&ada, &room, "trash", json!({})).await.await.status(200);
    let page = stage.browser(&ada).get(form_of(&robot.claim_text("grant_id"))).await.status(200).body();
    assert!(page.contains(&format!("value=\"{room}\" checked")), "{page}");
}

#[shared_testing::test]
async fn only_people_with_the_scope_see_the_pages() {
    let stage = Stage::of(service()).await;
    let robot = agent(&stage, "robot", 1).await;
    let grant = robot.claim_text("grant_id");
    stage.browser(&robot).get(PATH).await.status(403);
    let writer = stage.browser(&stage.caller("ada").scope("cloud.write"));
    writer.get(PATH).await.status(403);
    writer.get(form_of(&grant)).await.status(403);
    let home = writer.get("/w").await.status(200).body();
    assert!(!html::links(&home).contains(&PATH.to_owned()), "{home}");
    let ada = stage.browser(&stage.caller("ada"));
    assert!(html::links(&ada.get("/w").await.body()).contains(&PATH.to_owned()));
    ada.get(form_of("grant_none")).await.status(404);
}

fn form_of(grant: &str) -> String {
    format!("{LIMITS}?grant={grant}")
}

//! Pages for people: their rooms and exports.

use locker_svc::exports::revoke;
use shared_testing::html;

use crate::{
    exports::{bytes, export, stage},
    samples,
};

#[shared_testing::test]
async fn people_see_their_rooms_and_download_the_parts_of_their_exports() {
    let stage = stage().await;
    samples::import(&stage, &[samples::room("ada", 1, 2, "https://model.example/v1")]).await.expect("good lines");
    let content = bytes(40);
    let made = export(&stage, 1, &content, 2).await;
    let browser = stage.browser(&stage.caller("ada"));
    let rooms = browser.get("/rooms").await.status(200).body();
    html::assert_harmless(&rooms);
    let path = format!("/exports/{}", made.id);
    assert!(html::links(&rooms).contains(&path), "{rooms}");
    assert!(rooms.contains("In use") && rooms.contains("small") && rooms.contains("40 bytes"), "{rooms}");
    assert!(!rooms.contains("sk-a-very-secret-key") && !rooms.contains("model.example"), "{rooms}");
    let (mut next, mut found) = (Some(path.clone()), Vec::new());
    while let Some(page) = next {
        let page = browser.get(page).await.status(200).body();
        html::assert_harmless(&page);
        let links = html::links(&page);
        for part in links.iter().filter(|link| link.contains("/parts/")) {
            let link = browser.get(part).await.status(303);
            found.extend_from_slice(stage.anyone().get(link.header("location")).await.status(200).bytes());
        }
        next = links.into_iter().find(|link| link.contains("?cursor="));
    }
    assert_eq!(found, content);
    for (missing, status) in [("/parts/20", 404), ("/parts/x", 400), ("/parts/-1", 400)] {
        browser.get(format!("{path}{missing}")).await.status(status);
    }
    let bob = stage.browser(&stage.caller("bob"));
    assert!(!bob.get("/rooms").await.status(200).body().contains(&path));
    bob.get(&path).await.status(404);
    bob.get(format!("{path}/parts/0")).await.status(404);
    stage.anyone().get(&path).await.status(303);
}

#[shared_testing::test]
async fn a_room_that_only_a_subscription_has_named_is_not_shown() {
    let stage = stage().await;
    let browser = stage.browser(&stage.caller("ada"));
    let (room, no_room) = (samples::id("room", 1), "You have no room.");
    let before = browser.get("/rooms").await.status(200).body();
    assert!(before.contains(no_room) && !before.contains(&room), "{before}");
    samples::import(&stage, &[samples::room("ada", 1, 1, "https://model.example/v1")]).await.expect("a good line");
    let after = browser.get("/rooms").await.status(200).body();
    assert!(after.contains(&room) && !after.contains(no_room), "{after}");
}

#[shared_testing::test]
async fn the_page_of_an_export_that_has_ended_says_so() {
    let stage = stage().await;
    let made = export(&stage, 1, b"some bytes", 4).await;
    let id = made.id;
    assert_eq!(revoke(&stage.context, id).await.expect("revokes"), Some(true));
    let browser = stage.browser(&stage.caller("ada"));
    let page = browser.get(format!("/exports/{id}")).await.status(200).body();
    html::assert_harmless(&page);
    assert!(page.contains("The operator has revoked it.") && !page.contains("/parts/"), "{page}");
    browser.get(format!("/exports/{id}/parts/0")).await.status(404);
}

//! The files of a workspace: lists, folders, search, the trash, versions, comments.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text as _, html};

use crate::samples;

#[shared_testing::test]
async fn without_a_session_a_page_leads_to_the_sign_in() {
    let stage = Stage::of(service()).await;
    for path in ["/w", "/f/file_1", "/f/file_1/plans/plan_0123456789abcdef0123456789abcdef"] {
        let answer = stage.anyone().get(path).await.status(303);
        assert!(answer.header("location").starts_with("/sign-in?return_to=%2F"), "{answer}");
    }
}

#[shared_testing::test]
async fn files_are_found_by_folder_by_name_and_in_the_trash() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let outer = samples::folder(&ada, "Outer", None).await;
    let inner = samples::folder(&ada, "Inner", Some(&outer)).await;
    let file = samples::document_in(&ada, "Minutes", &inner).await;
    let top = browser.get("/w").await.status(200).body();
    assert!(html::links(&top).contains(&format!("/f/{outer}")), "{top}");
    let list = &top[top.find("<table").expect("a list")..];
    assert!(!list.contains("Minutes"), "{top}");
    assert!(top[..top.len() - list.len()].contains("Minutes"), "recent files are named wherever they are: {top}");
    let folder = browser.get(format!("/f/{inner}")).await.status(200).body();
    assert!(html::links(&folder).contains(&format!("/f/{file}")), "{folder}");
    let page = browser.get(format!("/f/{file}")).await.status(200).body();
    let way = ["/w".to_owned(), format!("/f/{outer}"), format!("/f/{inner}")];
    let links = html::links(&page);
    let found: Vec<_> = way.iter().map(|link| links.iter().rposition(|other| other == link)).collect();
    assert!(found.is_sorted() && found[0].is_some(), "{page}");
    let found = browser.get("/w?q=inut").await.status(200).body();
    assert!(html::links(&found).contains(&format!("/f/{file}")), "{found}");
    let nothing = browser.get("/w?q=nothing").await.status(200).body();
    assert!(nothing.contains("No name contains this.") && nothing.contains("No text has these words."));
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    let trash = browser.get("/w?state=trashed").await.status(200).body();
    assert!(html::links(&trash).contains(&format!("/f/{file}")), "{trash}");
    assert!(browser.get(format!("/f/{file}")).await.status(200).body().contains("In the trash."));
    browser.get("/w?state=gone").await.status(422);
    browser.get("/w?nonsense=1").await.status(400);
}

#[shared_testing::test]
async fn a_folder_is_searched_with_what_is_below_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let outer = samples::folder(&ada, "Outer", None).await;
    let inner = samples::folder(&ada, "Inner", Some(&outer)).await;
    let inside = format!("/f/{}", samples::document_in(&ada, "Minutes", &inner).await);
    let outside = format!("/f/{}", samples::id(&samples::document_of(&ada, &["minutes of others"]).await));
    let page = browser.get(format!("/f/{outer}")).await.status(200).body();
    assert!(page.contains(&format!("name=\"in\" value=\"{outer}\"")), "{page}");
    let search = async |term: &str, place: &str| browser.get(format!("/w?q={term}&in={place}")).await;
    for folder in [&outer, &inner] {
        let links = html::links(&search("minutes", folder).await.status(200).body());
        assert!(links.contains(&inside) && !links.contains(&outside), "{folder}: {links:?}");
    }
    let links = html::links(&browser.get("/w?q=minutes").await.status(200).body());
    assert!(links.contains(&inside) && links.contains(&outside), "{links:?}");
    let short = search("!", &outer).await.status(200).body();
    assert!(short.contains("at least three letters"), "{short}");
    search("minutes", "file_999999").await.status(404);
    search("minutes", "folder").await.status(404);
}

#[shared_testing::test]
async fn a_search_is_narrowed_by_tag_type_and_date() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let note = json!({"name": "Budget", "content": {"title": "Budget", "content": "words", "tags": ["board"]}});
    let note = format!("/f/{}", samples::id(&ada.post("/v1/notes").fresh_key().json(note).await.status(200)));
    let document = samples::document_of(&ada, &["The boards of the budget"]).await;
    let document = format!("/f/{}", samples::id(&document));
    let found = async |query: &str| {
        let page = browser.get(format!("/w?{query}")).await.status(200).body();
        html::assert_harmless(&page);
        let links = html::links(&page);
        [&note, &document].map(|file| links.contains(file))
    };
    assert_eq!(found("q=board").await, [true, true]);
    assert_eq!(found("q=budget&tag=board").await, [true, false]);
    assert_eq!(found("tag=board").await, [true, false]);
    assert_eq!(found("tag=boar").await, [false, false], "a tag is found as it is written");
    assert_eq!(found("q=budget&type=document").await, [false, true]);
    assert_eq!(found("q=budget&type=note").await, [true, false]);
    assert_eq!(found("q=budget&since=2020-02-29").await, [true, true]);
    assert_eq!(found("q=budget&since=2999-01-01").await, [false, false]);

    let page = browser.get("/w?q=budget&tag=board&type=note&since=2020-02-29").await.status(200).body();
    for kept in ["name=\"tag\" value=\"board\"", "value=\"note\" selected", "value=\"2020-02-29\"", "<details open"] {
        assert!(page.contains(kept), "{kept}: {page}");
    }
    // A type or a date alone finds nothing, and the page says what is missing.
    let missing = browser.get("/w?type=note").await.status(200).body();
    assert!(missing.contains("or a tag"), "{missing}");
    for wrong in ["q=budget&type=novel", "q=budget&since=yesterday"] {
        browser.get(format!("/w?{wrong}")).await.status(422);
    }
}

#[shared_testing::test]
async fn long_lists_have_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for index in 0..101 {
        samples::folder(&ada, &format!("Folder {index}"), None).await;
    }
    let browser = stage.browser(&ada);
    let first = browser.get("/w").await.status(200).body();
    assert!(!first.contains(">Folder 0<") && first.contains(">Folder 100<"), "{first}");
    let next = html::links(&first).into_iter().find(|link| link.starts_with("/w?cursor=")).expect("a next page");
    assert!(browser.get(next).await.status(200).body().contains(">Folder 0<"));
    browser.get("/w?cursor=x").await.status(400);
}

#[shared_testing::test]
async fn files_of_others_do_not_exist() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["ours alone"]).await);
    let plan = samples::plan(&ada, &file, "two").await;
    let path = format!("/f/{file}/plans/{}", plan["id"].text());
    let stranger = stage.browser(&stage.caller("eve").workspace(2));
    for path in [&format!("/f/{file}"), &path, "/f/file_999", "/f/nonsense", "/f/file_1/plans/plan_x"] {
        let answer = stranger.get(path).await.status(404);
        html::assert_harmless(&answer.body());
        assert!(!answer.body().contains("ours alone"), "{answer}");
    }
    let other = samples::id(&samples::document_of(&ada, &["other"]).await);
    stage.browser(&ada).get(path.replace(&file, &other)).await.status(404);
    let nobody = stage.browser(&ada.clone().scope("cloud.webhooks"));
    nobody.get("/w").await.status(403);
    nobody.get(format!("/f/{file}")).await.status(403);
}

#[shared_testing::test]
async fn an_old_version_can_be_read_and_says_so() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = samples::document_of(&ada, &["the first text"]).await;
    let (file, first) = (samples::id(&created), created["file"]["current_version_id"].text().to_owned());
    let plan = samples::plan(&ada, &file, "the second text").await;
    samples::apply(&ada, &plan).await.await.status(200);
    let browser = stage.browser(&ada);
    let now = browser.get(format!("/f/{file}")).await.status(200).body();
    assert!(now.contains("the second text") && !now.contains("An old version."), "{now}");
    let link = format!("/f/{file}?version={first}");
    assert!(html::links(&now).contains(&link), "{now}");
    assert!(html::links(&now).contains(&format!("/f/{file}/plans/{}", plan["id"].text())), "{now}");
    let old = browser.get(link).await.status(200).body();
    assert!(old.contains("An old version.") && !old.contains("the second text"), "{old}");
    browser.get(format!("/f/{file}?version=ver_999")).await.status(404);
    browser.get(format!("/f/{file}?version=%2F..%2F")).await.status(404);
}

#[shared_testing::test]
async fn comments_stand_beside_their_blocks_or_below() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["zero", "first block", "last block"]).await);
    let whole = samples::comment(&ada, &file, "about everything").await;
    samples::on_comment(&ada, &whole, "resolve", json!({})).await.status(200);
    let body = json!({"text": "about the first", "anchor": {"block_id": "b1"}});
    ada.post(format!("/v1/files/{file}/comments")).fresh_key().json(body).await.status(200);
    let page = stage.browser(&ada).get(format!("/f/{file}")).await.status(200).body();
    let order = ["first block", "about the first", "last block", "1 comment is beside", "Resolved", "about everything"];
    let places: Vec<_> = order.iter().map(|text| page.find(text)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {page}");
    assert_eq!(page.matches("about the first").count(), 1, "{page}");
}

//! Pages on which people make, rename, move and delete files.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Browser, FormFile, Response, Stage, Text as _, html};

use crate::samples;

const MADE: &str = "/w/new";

async fn make(browser: &Browser, fields: &[(&str, &str)]) -> Response {
    let kind = fields.iter().find(|(name, _)| *name == "kind").map_or("", |(_, kind)| kind);
    let page = browser.get(format!("{MADE}?kind={kind}")).await.status(200);
    html::assert_harmless(&page.body());
    browser.submit(&page, MADE, fields).await
}

/// Submits a form of a file's page, with the etag that the page has.
async fn change(browser: &Browser, page: &Response, file: &str, fields: &[(&str, &str)]) -> Response {
    let action = format!("/f/{file}/change");
    let etag = html::hidden(&page.body(), &action, "etag");
    browser.submit(page, &action, &[&[("etag", etag.as_str())], fields].concat()).await
}

async fn shown(browser: &Browser, file: &str) -> Response {
    let page = browser.get(format!("/f/{file}")).await.status(200);
    html::assert_harmless(&page.body());
    page
}

#[shared_testing::test]
async fn folders_notes_documents_and_spreadsheets_are_made() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let folder = make(&browser, &[("kind", "folder"), ("name", "Fair")]).await.status(303);
    let folder = folder.header("location").strip_prefix("/f/").expect("a file").to_owned();
    for (kind, text, is_shown) in [
        ("note", "Buy *bread*\r\n\r\nand coffee", "<em>bread</em>"),
        ("document", "# Minutes\r\n\r\nAgreed.", "Agreed."),
        ("spreadsheet", "Rent,900\r\nFood,250", "900"),
    ] {
        let fields = [("kind", kind), ("in", &folder), ("name", kind), ("text", text)];
        let made = make(&browser, &fields).await.status(303);
        let page = browser.get(made.header("location")).await.status(200).body();
        html::assert_harmless(&page);
        assert!(page.contains(is_shown), "{page}");
        assert!(html::links(&page).contains(&format!("/f/{folder}")), "{page}");
    }
    let list = browser.get(format!("/f/{folder}")).await.status(200).body();
    assert!(list.contains(">note<") && list.contains(">document<") && list.contains(">spreadsheet<"), "{list}");
    let plainer = [("kind", "document"), ("name", "Code"), ("text", "```\ncode\n```")];
    let said = make(&browser, &plainer).await.status(200);
    html::assert_harmless(&said.body());
    assert!(said.body().contains("simplified") && said.body().contains("Open it"), "{said}");
    browser.get("/w/new?kind=poem").await.status(400);
}

#[shared_testing::test]
async fn a_form_that_is_sent_twice_makes_one_file_and_a_refused_one_keeps_its_text() {
    let stage = Stage::of(service()).await;
    let browser = stage.browser(&stage.caller("ada"));
    let page = browser.get("/w/new?kind=note").await.status(200);
    let fields = [("kind", "note"), ("name", "Once"), ("text", "text")];
    let first = browser.submit(&page, MADE, &fields).await.status(303);
    let again = browser.submit(&page, MADE, &fields).await.status(303);
    assert_eq!(first.header("location"), again.header("location"));
    let other = browser.submit(&page, MADE, &[("kind", "note"), ("name", "Other"), ("text", "text")]).await.status(409);
    assert!(other.body().contains("already sent with other content"), "{other}");
    browser.submit(&other, MADE, &[("kind", "note"), ("name", "Other"), ("text", "text")]).await.status(303);
    let refused = make(&browser, &[("kind", "note"), ("name", "a/b"), ("text", "<b>long</b> thoughts")]).await;
    let body = refused.status(422).body();
    html::assert_harmless(&body);
    assert!(body.contains("Nothing was done.") && body.contains("&lt;b&gt;long&lt;/b&gt; thoughts"), "{body}");
    assert!(body.contains("value=\"a/b\""), "{body}");
    let forged = [("kind", "note"), ("name", "Forged"), ("text", ""), ("key", "page-x")];
    browser.post(MADE, &forged).await.status(403);
}

#[shared_testing::test]
async fn who_changes_the_kind_of_a_new_file_keeps_what_was_typed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let folder = samples::folder(&ada, "Fair", None).await;
    let mut page = browser.get(format!("{MADE}?kind=document&in={folder}")).await.status(200);
    let typed = [("in", folder.as_str()), ("name", "Food & co"), ("text", "\r\nBuy \"bread\"\r\n& <i>")];
    let (text, shown) = ("\nBuy \"bread\"\n& <i>", ">\n\nBuy &quot;bread&quot;\n&amp; &lt;i&gt;</textarea>");
    for kind in ["note", "folder", "spreadsheet", "upload", "note"] {
        page = browser.submit(&page, MADE, &[&typed[..], &[("to", kind)]].concat()).await.status(200);
        let body = page.body();
        html::assert_harmless(&body);
        let current = format!("value=\"{kind}\" formnovalidate role=\"link\" aria-current=\"page\"");
        assert!(body.contains(&current), "{current} in {body}");
        assert_eq!(html::hidden(&body, MADE, "in"), folder, "{kind}");
        assert_eq!(html::hidden(&body, MADE, "name"), "Food & co", "{kind}");
        // Where it has no field, it is shown, and kept for the next form.
        assert!(body.contains(shown), "{kind}: {body}");
        let has_text = !["folder", "upload"].contains(&kind);
        assert!(has_text || html::hidden(&body, MADE, "text") == text, "{kind}: {body}");
        assert_eq!(body.contains("it is not saved."), !has_text, "{kind}: {body}");
        // The key Enter presses the first button. The form of an upload has no text in which somebody could press it.
        let (first, change) = (body.find("<button class=\"hidden\""), body.find("name=\"to\"").expect("a button"));
        assert!(kind == "upload" || first.is_some_and(|first| first < change), "{kind}: {body}");
    }
    assert_eq!(stage.count("files"), 1, "nothing is made yet");
    let made = browser.submit(&page, MADE, &[&typed[..], &[("kind", "note")]].concat()).await.status(303);
    let made = browser.get(made.header("location")).await.status(200).body();
    assert!(made.contains("Buy") && html::links(&made).contains(&format!("/f/{folder}")), "{made}");
    browser.submit(&page, MADE, &[&typed[..], &[("to", "other")]].concat()).await.status(400);
    let german = browser.submit(&page, MADE, &[&typed[..], &[("to", "folder")]].concat());
    let german = german.header("accept-language", "de").await.status(200).body();
    assert!(german.contains("Neuer Ordner") && german.contains("Es ist nicht gespeichert."), "{german}");
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let csrf = html::hidden(&reader.get("/w").await.status(200).body(), "/sign-out", "csrf");
    reader.post(MADE, &[("csrf", csrf.as_str()), ("key", "page-x"), ("to", "note")]).await.status(403);
}

#[shared_testing::test]
async fn a_file_is_renamed_trashed_restored_and_deleted_for_good() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let page = shown(&browser, &file).await;
    change(&browser, &page, &file, &[("action", "rename"), ("name", "Minutes of May")]).await.status(303);
    assert_eq!(samples::record(&ada, &file).await["file"]["name"], "Minutes of May");
    let page = shown(&browser, &file).await;
    change(&browser, &page, &file, &[("action", "trash")]).await.status(303);
    let page = shown(&browser, &file).await;
    assert!(page.body().contains("In the trash."), "{page}");
    change(&browser, &page, &file, &[("action", "restore")]).await.status(303);
    assert_eq!(samples::record(&ada, &file).await["file"]["state"], "active");
    let page = shown(&browser, &file).await;
    change(&browser, &page, &file, &[("action", "trash")]).await.status(303);
    let page = shown(&browser, &file).await;
    let wrong = change(&browser, &page, &file, &[("action", "purge"), ("name", "minutes")]).await.status(422);
    assert!(wrong.body().contains("Nothing was done."), "{wrong}");
    let purge = [("action", "purge"), ("name", "Minutes of May")];
    let gone = change(&browser, &page, &file, &purge).await.status(303);
    assert_eq!(gone.header("location"), "/w?state=trashed");
    // Sent twice, it is one purge.
    change(&browser, &page, &file, &purge).await.status(303);
    browser.get(format!("/f/{file}")).await.status(404);
    let other = samples::id(&samples::create(&ada, "Other").await);
    let page = shown(&browser, &other).await;
    change(&browser, &page, &other, &[("action", "explode")]).await.status(400);
}

#[shared_testing::test]
async fn a_conflict_says_who_changed_the_file_and_keeps_what_was_typed() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let page = shown(&browser, &file).await;
    samples::command(&bob, &file, "rename", json!({"name": "Bob's minutes"})).await.await.status(200);
    stage.clock.advance(std::time::Duration::from_secs(120));
    let rename = [("action", "rename"), ("name", "Ada's minutes")];
    let conflict = change(&browser, &page, &file, &rename).await.status(412);
    html::assert_harmless(&conflict.body());
    for part in ["Nothing was done.", "Changed by", "2 minutes ago", "value=\"Ada's minutes\"", "Bob's minutes"] {
        assert!(conflict.body().contains(part), "{part} in {conflict}");
    }
    // The page has the present state, so the same form sent from it succeeds.
    change(&browser, &conflict, &file, &rename).await.status(303);
    assert_eq!(samples::record(&ada, &file).await["file"]["name"], "Ada's minutes");
}

#[shared_testing::test]
async fn what_was_typed_is_shown_if_its_form_is_gone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let page = shown(&browser, &file).await;
    samples::command(&ada, &file, "trash", json!({})).await.await.status(200);
    let refused = change(&browser, &page, &file, &[("action", "rename"), ("name", "My <b>name")]).await;
    let body = refused.body();
    html::assert_harmless(&body);
    assert!(body.contains("Nothing was done.") && body.contains("My &lt;b&gt;name</textarea>"), "{body}");
    assert!(!body.contains("What you typed is still there."), "{body}");
}

#[shared_testing::test]
async fn a_file_is_moved_and_copied_to_a_folder_that_is_chosen() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let outer = samples::folder(&ada, "Outer", None).await;
    let inner = samples::folder(&ada, "Inner", Some(&outer)).await;
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let here = format!("/f/{file}/move");
    let top = browser.get(&here).await.status(200);
    html::assert_harmless(&top.body());
    assert!(html::links(&top.body()).contains(&format!("{here}?in={outer}")), "{top}");
    assert!(top.body().contains("This is the folder that it is in."), "{top}");
    let page = browser.get(format!("{here}?in={inner}")).await.status(200);
    assert!(page.body().contains("There is no folder in it."), "{page}");
    let etag = html::hidden(&page.body(), &here, "etag");
    let fields = [("action", "move"), ("etag", etag.as_str()), ("in", inner.as_str())];
    browser.submit(&page, &here, &fields).await.status(303);
    assert_eq!(samples::record(&ada, &file).await["file"]["parent_id"], inner);
    let stale = browser.submit(&browser.get(&here).await.status(200), &here, &fields).await.status(412);
    assert!(stale.body().contains("Changed by"), "{stale}");
    let copy = [("action", "copy"), ("in", "root"), ("name", "Minutes, again")];
    let copied = browser.submit(&browser.get(&here).await.status(200), &here, &copy).await.status(303);
    let copied = copied.header("location").strip_prefix("/f/").expect("a file").to_owned();
    assert_eq!(samples::record(&ada, &copied).await["file"]["name"], "Minutes, again");
    // A folder is not offered as a place for itself, and is not copied.
    let own = browser.get(format!("/f/{outer}/move")).await.status(200).body();
    assert!(!html::links(&own).contains(&format!("/f/{outer}/move?in={outer}")), "{own}");
    assert!(!own.contains("Copy it here"), "{own}");
}

#[shared_testing::test]
async fn who_may_only_read_sees_no_form_and_changes_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let page = reader.get(format!("/f/{file}")).await.status(200);
    for form in ["change", "comments", "move"] {
        assert!(!page.body().contains(&format!("action=\"/f/{file}/{form}\"")), "{page}");
    }
    assert!(!reader.get("/w").await.status(200).body().contains("/w/new"));
    for form in ["/w/new", &format!("/f/{file}/edit")] {
        reader.get(form).await.status(403);
    }
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    let etag = samples::etag(&ada, &file).await;
    let sent = [("csrf", csrf.as_str()), ("key", "page-x"), ("etag", &etag)];
    for (form, action) in
        [("change", "rename"), ("change", "trash"), ("move", "move"), ("move", "copy"), ("comments", "write")]
    {
        let fields = [&sent[..], &[("action", action)]].concat();
        reader.post(format!("/f/{file}/{form}"), &fields).await.status(403);
    }
    let folder = [("csrf", csrf.as_str()), ("key", "page-x"), ("kind", "folder"), ("name", "Mine")];
    reader.post(MADE, &folder).await.status(403);
}

#[shared_testing::test]
async fn a_file_is_uploaded_in_one_form() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let page = browser.get("/w/new?kind=upload").await.status(200);
    html::assert_harmless(&page.body());
    let hidden = |name: &str| html::hidden(&page.body(), "/w/upload", name);
    let (csrf, key) = (hidden("csrf"), hidden("key"));
    let fields = [("csrf", csrf.as_str()), ("key", key.as_str()), ("kind", "upload"), ("in", "")];
    let bytes: Vec<u8> = (0..2_500_000_u32).map(|number| number.to_le_bytes()[0] ^ number.to_le_bytes()[1]).collect();
    let file =
        FormFile {
            field: "file", name: "C:\\private\\Größe 1.bin", media_type: "application/x-thing", bytes: &bytes
        };
    let done = browser.post_file("/w/upload", &fields, file).await.status(303);
    let again = browser.post_file("/w/upload", &fields, file).await.status(303);
    assert_eq!(done.header("location"), again.header("location"), "sent twice, it is one file");
    let path = done.header("location").to_owned();
    let id = path.strip_prefix("/f/").expect("a file");
    assert_eq!(samples::record(&ada, id).await["file"]["name"], "Größe 1.bin");
    let link = ada.post(format!("/v1/files/{id}/download-grants")).json(json!({})).await.status(200);
    let url = link["download"]["url"].text().to_owned();
    let sent = stage.anyone().get(url.strip_prefix(stage.base_url()).expect("a URL of ours")).await.status(200);
    assert_eq!(sent.bytes(), bytes);

    let nothing = FormFile { name: "", bytes: b"", ..file };
    let refused = browser.post_file("/w/upload", &fields, nothing).await.status(422).body();
    assert!(refused.contains("must be chosen first"), "{refused}");
    let hostile = FormFile { name: "\u{202e}gpj.exe", bytes: b"x", ..file };
    let fields = [("csrf", csrf.as_str()), ("key", "page-other"), ("kind", "upload"), ("in", "")];
    html::assert_harmless(&browser.post_file("/w/upload", &fields, hostile).await.status(422).body());
    let empty = FormFile { name: "empty.txt", bytes: b"", ..file };
    let fields = [("csrf", csrf.as_str()), ("key", "page-empty"), ("kind", "upload"), ("in", "")];
    browser.post_file("/w/upload", &fields, empty).await.status(303);
}

#[shared_testing::test]
async fn an_upload_becomes_a_file_that_can_be_edited() {
    let stage = Stage::of(service()).await;
    let browser = stage.browser(&stage.caller("ada"));
    let page = browser.get("/w/new?kind=upload").await.status(200);
    let csrf = html::hidden(&page.body(), "/w/upload", "csrf");
    let upload = async |name: &str, bytes: &[u8]| {
        let file = FormFile { field: "file", name, media_type: "text/csv", bytes };
        let fields = [("csrf", csrf.as_str()), ("key", name), ("kind", "upload"), ("in", "")];
        let path = browser.post_file("/w/upload", &fields, file).await.status(303).header("location").to_owned();
        (browser.get(&path).await.status(200), format!("{path}/convert"))
    };
    let (page, convert) = upload("Budget.csv", b"Rent,900").await;
    html::assert_harmless(&page.body());
    let made = browser.submit(&page, &convert, &[]).await.status(303).header("location").to_owned();
    let again = browser.submit(&page, &convert, &[]).await.status(303);
    assert_eq!(again.header("location"), made, "sent twice, it is one file");
    let page = browser.get(&made).await.status(200).body();
    assert!(page.contains("900") && html::links(&page).contains(&format!("{made}/edit")), "{page}");
    let (page, convert) = upload("Budget.bin", b"Rent,900").await;
    assert!(!page.body().contains(&convert), "{page}");
    let (page, convert) = upload("Long.csv", &[b'a'; 10_001]).await;
    let refused = browser.submit(&page, &convert, &[]).await.status(422).body();
    let why = "The file cannot be converted: A1 of sheet 1 must be at most 10000 bytes in UTF-8, has 10001.";
    assert!(refused.contains(why), "{refused}");
}

#[shared_testing::test]
async fn an_upload_that_is_forged_cut_off_or_too_large_leaves_nothing() {
    let stage = Stage::of(service()).await;
    let browser = stage.browser(&stage.caller("ada"));
    let page = browser.get("/w/new?kind=upload").await.status(200);
    let csrf = html::hidden(&page.body(), "/w/upload", "csrf");
    let file = FormFile { field: "file", name: "a.txt", media_type: "text/plain", bytes: b"text" };
    let fields = [("csrf", csrf.as_str()), ("key", "page-a"), ("kind", "upload"), ("in", "")];
    browser.post_file("/w/upload", &fields[1..], file).await.status(403);
    browser.post_file("/w/upload", &[&fields[..], &[("other", "x")]].concat(), file).await.status(400);
    browser.post_file("/w/upload", &[&fields[..], &[("in", "")]].concat(), file).await.status(400);
    browser.post_file("/w/upload", &fields, FormFile { field: "other", ..file }).await.status(400);
    browser.post("/w/upload", &fields).await.status(415);
    let body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ncut off";
    let cut = browser.post("/w/upload", &[]).body("multipart/form-data; boundary=b", body);
    cut.await.status(400);
    let large = vec![0; 20 * 1024 * 1024 + 1];
    let refused = browser.post_file("/w/upload", &fields, FormFile { bytes: &large, ..file }).await.status(413);
    let announced = browser.post_file("/w/upload", &fields, file).announcing(30_000_000).await.status(413);
    for page in [refused.body(), announced.body()] {
        html::assert_harmless(&page);
        assert!(page.contains("The file is larger than 20 MiB."), "{page}");
    }
    assert_eq!(stage.count("uploads"), 0);
    assert_eq!(stage.count("files"), 0);
}

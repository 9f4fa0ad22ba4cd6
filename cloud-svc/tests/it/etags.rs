//! Which operation changes which etag: the table of docs/guides/requests.md.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};

use crate::samples::{self, command, etag, folder};

/// The object that a tag identifies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Changes {
    Nothing,
    File,
}

async fn play(caller: &Caller, file: &str, parent: &str, operation: &str) {
    let own = |verb: &'static str, body: Value| command(caller, file, verb, body);
    match operation {
        "read" => drop(caller.get(format!("/v1/documents/{file}")).await.status(200)),
        "comment" => drop(samples::comment(caller, file, "Is that so?").await),
        "propose" => drop(samples::plan(caller, file, "More.").await),
        "apply" => drop(samples::apply(caller, &samples::plan(caller, file, "More.").await).await.await.status(200)),
        "apply of a plan that changes nothing" => {
            let set = json!([{"op": "set_annotations", "annotations": []}]);
            let plan = samples::propose(caller, file, set).await.await.status(200)["plan"].clone();
            samples::apply(caller, &plan).await.await.status(200);
        }
        "restore of a version" => {
            let list = caller.get(format!("/v1/files/{file}/versions")).await.status(200);
            let verb = format!("versions/{}/restore", list["items"][0]["id"].text());
            command(caller, file, &verb, json!({})).await.await.status(200);
        }
        "rename" => drop(own("rename", json!({"name": "Renamed"})).await.await.status(200)),
        "move" => drop(own("move", json!({"parent_id": parent})).await.await.status(200)),
        "copy" => drop(own("copy", json!({})).await.await.status(200)),
        "trash" => drop(own("trash", json!({})).await.await.status(200)),
        "restore" => drop(own("restore", json!({})).await.await.status(200)),
        "a child of the folder" => drop(samples::document_in(caller, "Child", parent).await),
        other => panic!("{other}"),
    }
}

#[shared_testing::test]
async fn each_operation_changes_the_tags_that_the_table_says() {
    use Changes::{File, Nothing};
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let parent = folder(&ada, "Folder", None).await;
    let file = samples::id(&samples::create(&ada, "Plan").await);
    for (operation, expected) in [
        ("read", Nothing),
        ("comment", Nothing),
        ("propose", Nothing),
        ("apply of a plan that changes nothing", Nothing),
        ("copy", Nothing),
        ("a child of the folder", Nothing),
        ("apply", File),
        ("restore of a version", File),
        ("rename", File),
        ("move", File),
        ("trash", File),
        ("restore", File),
    ] {
        let before = (etag(&ada, &file).await, etag(&ada, &parent).await);
        play(&ada, &file, &parent, operation).await;
        let after = (etag(&ada, &file).await, etag(&ada, &parent).await);
        let changes = if before.0 == after.0 { Nothing } else { File };
        assert_eq!(changes, expected, "{operation}");
        assert_eq!(before.1, after.1, "{operation}: the folder's own tag");
        let start = if expected == File { "| changes |" } else { "| stays |" };
        let row = GUIDE.lines().find(|line| line.starts_with(start)).expect("a row");
        assert!(row.split(['|', ',']).any(|word| word.trim() == operation), "{operation} is not in {row}");
    }
}

const GUIDE: &str = include_str!("../../../docs/guides/requests.md");

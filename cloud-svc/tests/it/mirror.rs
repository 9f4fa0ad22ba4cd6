//! Copies of the files of a workspace, kept as docs/guides/change-feed.md says.

use std::{collections::BTreeMap, time::Duration};

use cloud_svc::{base::limits::CHANGE_CURSOR_SECONDS, service};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};

use crate::{
    change_feed::{cursor, swept},
    samples,
};

/// The records of files by their ids.
#[derive(Debug, Default)]
pub struct Mirror(BTreeMap<String, Value>);

impl Mirror {
    /// Keeps what a change has made of a file: its record as it is now, or null after a purge.
    pub async fn keep(&mut self, caller: &Caller, change: &str, id: &str, file: Value) {
        if file.is_null() {
            self.0.remove(id);
            return;
        }
        let is_folder_back = change == "file.restored" && file["type"] == "folder" && file["state"] == "active";
        self.0.insert(id.to_owned(), file);
        if is_folder_back {
            self.look_into(caller, id).await;
        }
    }

    /// Keeps the files within a folder.
    async fn look_into(&mut self, caller: &Caller, folder: &str) {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for file in samples::all(caller, &format!("/v1/files?parent_id={folder}")).await {
                let id = file["id"].text().to_owned();
                if file["type"] == "folder" {
                    folders.push(id.clone());
                }
                self.0.insert(id, file);
            }
        }
    }

    /// Reads the changes after a cursor.
    async fn follow(&mut self, caller: &Caller, cursor: &mut String) {
        for item in changes(caller, cursor).await {
            self.keep(caller, item["type"].text(), item["file_id"].text(), item["file"].clone()).await;
        }
    }

    /// What both lists should have.
    pub fn shown(&self) -> BTreeMap<String, Value> {
        let is_shown = |file: &Value| file["state"] == "trashed" || self.is_active(file);
        self.0.iter().filter(|(_, file)| is_shown(file)).map(|(id, file)| (id.clone(), file.clone())).collect()
    }

    /// Whether the file and the folders around it are active.
    fn is_active(&self, file: &Value) -> bool {
        let folder = &file["parent_id"];
        let is_within_active = || self.0.get(folder.text()).is_some_and(|folder| self.is_active(folder));
        file["state"] == "active" && (folder.is_null() || is_within_active())
    }
}

/// The files in the lists of active and of trashed files, by their ids.
pub async fn listed(caller: &Caller) -> BTreeMap<String, Value> {
    let mut found = samples::all(caller, "/v1/files?state=active").await;
    found.extend(samples::all(caller, "/v1/files?state=trashed").await);
    found.into_iter().map(|file| (file["id"].text().to_owned(), file)).collect()
}

/// The changes after a cursor, which moves behind them.
pub async fn changes(caller: &Caller, cursor: &mut String) -> Vec<Value> {
    let mut items = Vec::new();
    loop {
        let page = caller.get(format!("/v1/changes?cursor={cursor}")).await.status(200);
        items.extend(page["items"].as_array().expect("items").clone());
        *cursor = page["next_cursor"].text().to_owned();
        if page["has_more"] == false {
            return items;
        }
    }
}

#[shared_testing::test]
async fn a_mirror_is_right_again_after_its_cursor_has_expired() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Folder", None).await;
    samples::document_in(&ada, "Within", &folder).await;
    let mut files = Vec::new();
    for name in ["Renamed", "Purged", "Trashed"] {
        files.push(samples::id(&samples::create(&ada, name).await));
    }
    let [renamed, purged, trashed] = &files[..] else { panic!("three files") };
    samples::command(&ada, purged, "trash", json!({})).await.await.status(200);
    let mut position = cursor(&ada).await;
    let mut mirror = Mirror(listed(&ada).await);
    samples::command(&ada, renamed, "rename", json!({"name": "Once"})).await.await.status(200);
    samples::create(&ada, "Created").await;
    mirror.follow(&ada, &mut position).await;
    assert_eq!(mirror.shown(), listed(&ada).await);

    // Nobody reads these changes for a month.
    samples::command(&ada, purged, "purge", json!({})).await.await.status(200);
    samples::command(&ada, renamed, "rename", json!({"name": "Twice"})).await.await.status(200);
    samples::create(&ada, "Missed").await;
    stage.clock.advance(Duration::from_secs(CHANGE_CURSOR_SECONDS + 3_601));
    assert!(swept(&stage).await > 3);
    let ada = stage.caller("ada");
    for id in [&folder, trashed] {
        samples::command(&ada, id, "trash", json!({})).await.await.status(200);
    }
    let expired = ada.get(format!("/v1/changes?cursor={position}")).await.refused(410, "change_cursor_expired");

    let mut position = ada.get(expired.leads_to("refresh")).await.status(200)["cursor"].text().to_owned();
    let listed_now = listed(&ada).await;
    assert!(mirror.0.contains_key(purged), "nothing has told the mirror yet");
    mirror.0.retain(|id, _| listed_now.contains_key(id));
    mirror.0.extend(listed_now);
    assert_eq!(mirror.shown(), listed(&ada).await);

    samples::command(&ada, renamed, "rename", json!({"name": "Thrice"})).await.await.status(200);
    samples::command(&ada, &folder, "restore", json!({})).await.await.status(200);
    samples::create(&ada, "Last").await;
    mirror.follow(&ada, &mut position).await;
    assert_eq!(mirror.shown(), listed(&ada).await);
}

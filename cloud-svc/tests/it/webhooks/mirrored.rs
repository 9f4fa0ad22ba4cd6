//! A receiver that keeps a copy of all files, as docs/guides/webhooks.md says.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use super::*;
use crate::{
    change_feed::cursor,
    mirror::{Mirror, changes, listed},
};

/// The number of a change that the receiver never takes.
const LOST: i64 = 28;

/// Refuses most events at first, so that they come in another order than their changes.
#[derive(Default)]
struct Inbox {
    /// The refused attempts by the number of the change.
    refused: BTreeMap<i64, i64>,
    taken: Vec<Value>,
}

impl Inbox {
    /// The status of the answer.
    fn take(&mut self, event: Value) -> u16 {
        let Some(sequence) = event["data"]["sequence"].as_i64() else { return 200 };
        let refused = self.refused.entry(sequence).or_default();
        if sequence == LOST || *refused < sequence % 4 {
            *refused += 1;
            return 503;
        }
        self.taken.push(event);
        200
    }
}

struct Follower {
    mirror: Mirror,
    /// The numbers of the changes that the mirror has.
    handled: BTreeSet<i64>,
    /// From here on it reads what is missing.
    cursor: String,
}

impl Follower {
    /// Handles the events that are new, and the changes that are missing among them, by their numbers.
    async fn handle(&mut self, caller: &Caller, events: &[Value]) {
        // An item of the feed has the same members as the data of an event.
        let entry = |kind: &Value, data: &Value| {
            let (kind, file) = (kind.text().to_owned(), data["file_id"].text().to_owned());
            (data["sequence"].as_i64().expect("a number"), (kind, file))
        };
        let sent = events.iter().map(|event| entry(&event["type"], &event["data"]));
        let mut news: BTreeMap<_, _> = sent.filter(|(sequence, _)| !self.handled.contains(sequence)).collect();
        let last = news.last_key_value().map_or(0, |(sequence, _)| *sequence);
        if (1..=last).any(|sequence| !self.handled.contains(&sequence) && !news.contains_key(&sequence)) {
            let items = changes(caller, &mut self.cursor).await;
            let read = items.iter().map(|item| entry(&item["type"], item));
            news.extend(read.filter(|(sequence, _)| !self.handled.contains(sequence)));
        }
        for (sequence, (kind, id)) in news {
            let read = caller.get(format!("/v1/files/{id}")).await;
            let file = if read.status == 404 { Value::Null } else { read.status(200)["file"].clone() };
            self.mirror.keep(caller, &kind, &id, file).await;
            self.handled.insert(sequence);
        }
    }
}

/// Waits until each event was sent four times if it was refused before.
async fn attempted(stage: &Stage) {
    settled(stage).await;
    // The pauses of the guide are up to a fifth longer.
    for pause in [6, 360, 2_160] {
        stage.clock.advance(Duration::from_secs(pause + 1));
        settled(stage).await;
    }
}

#[shared_testing::test]
async fn a_receiver_that_sorts_changes_and_reads_what_is_missing_has_all_files() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let inbox = Arc::new(Mutex::new(Inbox::default()));
    let fills = Arc::clone(&inbox);
    let server = HostileServer::http(move |stream, request| {
        let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let status = fills.lock().expect("not poisoned").take(serde_json::from_str(body).unwrap_or_default());
        respond(stream, request, status)
    });
    let taken = || inbox.lock().expect("not poisoned").taken.clone();
    let mut follower = Follower { mirror: Mirror::default(), handled: BTreeSet::new(), cursor: cursor(&ada).await };
    active(&ada, &format!("http://{}/", server.address), json!(["*"])).await;
    let act = async |id: &str, verb: &str, body: Value| {
        samples::command(&stage.caller("ada"), id, verb, body).await.await.status(200);
    };

    let mut folders = Vec::new();
    for name in ["Trashed", "Restored", "Purged"] {
        folders.push(samples::folder(&ada, name, None).await);
    }
    let mut files = Vec::new();
    for folder in folders.iter().chain(&folders) {
        files.push(samples::document_in(&ada, "Within", folder).await);
    }
    for name in ["Edited", "Purged", "Restored", "Left"] {
        files.push(samples::id(&samples::create(&ada, name).await));
    }
    act(&files[0], "rename", json!({"name": "Renamed"})).await;
    act(&files[3], "move", json!({"parent_id": folders[1]})).await;
    attempted(&stage).await;
    follower.handle(&stage.caller("ada"), &taken()).await;
    assert_eq!(follower.handled.len(), 15);

    let ada = stage.caller("ada");
    let plan = samples::plan(&ada, &files[6], "two").await;
    samples::apply(&ada, &plan).await.await.status(200);
    samples::comment(&ada, &files[6], "Is that so?").await;
    for (id, next) in [
        (&files[7], Some("purge")),
        (&files[8], Some("restore")),
        (&folders[0], None),
        (&folders[2], Some("purge")),
        (&folders[1], Some("restore")),
    ] {
        act(id, "trash", json!({})).await;
        if let Some(verb) = next {
            act(id, verb, json!({})).await;
        }
    }
    act(&files[1], "rename", json!({"name": "Renamed within"})).await;
    // Nothing but the feed tells of the copy.
    ada.post(format!("/v1/files/{}/copy", files[9])).fresh_key().json(json!({"name": "Lost"})).await.status(200);
    act(&folders[1], "rename", json!({"name": "Renamed folder"})).await;
    samples::folder(&ada, "Last", None).await;
    attempted(&stage).await;

    let ada = stage.caller("ada");
    let came: Vec<_> = taken().iter().map(|event| event["data"]["sequence"].as_i64().expect("a number")).collect();
    assert!(came.len() == 29 && !came.contains(&LOST) && !came.is_sorted(), "{came:?}");
    follower.handle(&ada, &taken()).await;
    assert_eq!(follower.handled, (1..=30).collect::<BTreeSet<_>>());
    let listed = listed(&ada).await;
    assert!(listed.values().any(|file| file["name"] == "Lost"), "{listed:?}");
    assert_eq!(follower.mirror.shown(), listed);
}

//! The import of rooms, and how they are found again.

use locker_svc::{ids::RoomId, rooms, service};
use serde_json::{Value, json};
use shared_model::Secret;
use shared_runtime::import::Tally;
use shared_testing::{Stage, run};

use crate::samples::{id, import as import_subscriptions, subscription};

const KEY: &str = "sk-a-very-secret-key";

fn room(owner: &str, number: u32, version: u32) -> Value {
    json!({"owner": owner, "room": {
        "id": id("room", number), "state": "active", "version": version,
        "image_digest": format!("sha256:{}", "a".repeat(64)),
        "model": {"base_url": "https://models.example/v1", "name": "small", "api_key": KEY},
        "pending_order_id": id("ord", number),
        "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
    }})
}

async fn import(stage: &Stage, lines: &[Value]) -> (Tally, Vec<(u64, String)>) {
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let mut bad = Vec::new();
    let importer = rooms::importer(&stage.desk.secret);
    let tally = importer.run(&stage.desk, text.join("\n").as_bytes(), &mut bad).await.expect("the import runs");
    (tally, bad)
}

async fn found(stage: &Stage, owner: &'static str, number: u32) -> Option<rooms::Room> {
    let room: RoomId = id("room", number).parse().expect("an id");
    stage.desk.read(move |conn| Ok(rooms::find_owned(conn, owner, room)?)).await.expect("the database answers")
}

#[test]
fn an_imported_room_is_found_by_its_owner_and_by_nobody_else() {
    run(async {
        let stage = Stage::of(service()).await;
        let (tally, bad) = import(&stage, &[room("ada", 1, 1)]).await;
        assert_eq!((tally.added, bad), (1, vec![]));
        let seen = found(&stage, "ada", 1).await.expect("ada's room");
        assert_eq!(seen.state, rooms::RoomState::Active);
        assert_eq!(seen.model.as_ref().map(|model| model.name.as_str()), Some("small"));
        assert_eq!(seen.pending_order_id.map(|order| order.to_string()), Some(id("ord", 1)));
        assert_eq!(found(&stage, "bob", 1).await, None);
        assert_eq!(found(&stage, "ada", 2).await, None);
    });
}

#[test]
fn a_model_key_rests_sealed_and_opens_under_this_service_s_secret_only() {
    run(async {
        let stage = Stage::of(service()).await;
        import(&stage, &[room("ada", 1, 1)]).await;
        let seen = found(&stage, "ada", 1).await.expect("ada's room");
        assert!(!format!("{seen:?}").contains(KEY));
        let opened = seen.model_key(&rooms::key_seal(&stage.desk.secret)).expect("our own seal");
        assert_eq!(opened.expect("a key").reveal(), KEY);
        assert!(seen.model_key(&rooms::key_seal(&Secret::from_bytes([8; 32]))).is_err());
    });
}

#[test]
fn the_same_room_again_changes_nothing_and_a_change_needs_a_higher_version() {
    run(async {
        let stage = Stage::of(service()).await;
        import(&stage, &[room("ada", 1, 2)]).await;
        let before = found(&stage, "ada", 1).await;
        let (tally, _) = import(&stage, &[room("ada", 1, 2)]).await;
        assert_eq!(tally.unchanged, 1);
        assert_eq!(found(&stage, "ada", 1).await, before, "not even sealed anew");

        let mut other_key = room("ada", 1, 2);
        other_key["room"]["model"]["api_key"] = json!("sk-another-secret-key");
        let mut other_birth = room("ada", 1, 3);
        other_birth["room"]["created_at"] = json!("2026-10-02T00:00:00Z");
        let (tally, bad) =
            import(&stage, &[other_key.clone(), room("ada", 1, 1), room("bob", 1, 3), other_birth]).await;
        assert_eq!(tally.refused, 4);
        assert!(!format!("{bad:?}").contains("secret"), "{bad:?}");
        assert_eq!(found(&stage, "ada", 1).await, before);

        other_key["room"]["version"] = json!(3);
        let (tally, _) = import(&stage, &[other_key]).await;
        assert_eq!(tally.replaced, 1);
        let seen = found(&stage, "ada", 1).await.expect("ada's room");
        let opened = seen.model_key(&rooms::key_seal(&stage.desk.secret)).expect("our own seal");
        assert_eq!(opened.expect("a key").reveal(), "sk-another-secret-key");
    });
}

#[test]
fn a_room_that_only_a_subscription_told_of_is_completed_by_its_import() {
    run(async {
        let stage = Stage::of(service()).await;
        import_subscriptions(&stage, &[subscription("ada", 1, 0)]).await;
        let bare = found(&stage, "ada", 1).await.expect("the subscription's room");
        assert_eq!((bare.version, bare.model), (0, None));
        let mut without_model = room("ada", 1, 1);
        without_model["room"]["model"] = Value::Null;
        let (tally, bad) = import(&stage, &[room("bob", 1, 1), without_model]).await;
        assert_eq!((tally.added, tally.refused, bad.len()), (1, 1, 1));
        assert_eq!(found(&stage, "ada", 1).await.map(|room| (room.version, room.model)), Some((1, None)));
    });
}

//! The import of rooms, and how they are found again.

use locker_svc::{ids::RoomId, rooms, service};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use shared_model::Secret;
use shared_runtime::import::LineOutcome;
use shared_testing::Stage;

use crate::samples::{id, import, subscription};

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

async fn found(stage: &Stage, owner: &'static str, number: u32) -> Option<rooms::Room> {
    let room: RoomId = id("room", number).parse().expect("an id");
    stage.context.read(move |conn| Ok(rooms::find_owned(conn, owner, room)?)).await.expect("the database answers")
}

#[shared_testing::test]
async fn an_imported_room_is_found_by_its_owner_and_by_nobody_else() {
    let stage = Stage::of(service()).await;
    import(&stage, &[room("ada", 1, 1)]).await.expect("a good line");
    let seen = found(&stage, "ada", 1).await.expect("ada's room");
    assert_eq!(seen.state, rooms::RoomState::Active);
    assert_eq!(seen.model_name.as_deref(), Some("small"));
    assert_eq!(seen.pending_order_id.map(|order| order.to_string()), Some(id("ord", 1)));
    assert_eq!(found(&stage, "bob", 1).await, None);
    assert_eq!(found(&stage, "ada", 2).await, None);
}

#[shared_testing::test]
async fn a_model_key_is_stored_encrypted_and_decrypts_under_this_service_s_secret_only() {
    let stage = Stage::of(service()).await;
    import(&stage, &[room("ada", 1, 1)]).await.expect("a good line");
    let seen = found(&stage, "ada", 1).await.expect("ada's room");
    assert!(!format!("{seen:?}").contains(KEY));
    let decrypted = seen.decrypt_model_key(&rooms::key_encryptor(&stage.context.secret)).expect("our own secret");
    assert_eq!(decrypted.expect("a key").expose_secret(), KEY);
    assert!(seen.decrypt_model_key(&rooms::key_encryptor(&Secret::from_bytes([8; 32]))).is_err());
}

#[shared_testing::test]
async fn a_room_whose_key_was_encrypted_under_another_secret_is_imported_again() {
    let stage = Stage::of(service()).await;
    let record = |version| {
        let line = room("ada", 1, version);
        let encryptor = rooms::key_encryptor(&Secret::from_bytes([8; 32]));
        let record = shared_model::json_reader::read::<rooms::RoomRecord>(&line).expect("a good line");
        stage.context.write(move |conn| Ok(rooms::import(conn, &encryptor, &record)?))
    };
    assert_eq!(record(1).await.expect("recorded"), LineOutcome::Added);
    let (mut another, mut keyless) = (room("ada", 1, 1), room("ada", 1, 1));
    another["room"]["model"]["name"] = json!("large");
    keyless["room"]["model"]["api_key"] = Value::Null;
    import(&stage, &[another]).await.expect_err("a change needs a higher version");
    import(&stage, &[keyless]).await.expect_err("a lost key is no reason to have none");
    assert_eq!(import(&stage, &[room("ada", 1, 1)]).await.expect("a good line").replaced, 1);
    assert_eq!(import(&stage, &[room("ada", 1, 1)]).await.expect("a good line").unchanged, 1);
    let seen = found(&stage, "ada", 1).await.expect("ada's room");
    let decrypted = seen.decrypt_model_key(&rooms::key_encryptor(&stage.context.secret)).expect("our own secret");
    assert_eq!(decrypted.expect("a key").expose_secret(), KEY);
}

#[shared_testing::test]
async fn the_same_room_again_changes_nothing_and_a_change_needs_a_higher_version() {
    let stage = Stage::of(service()).await;
    import(&stage, &[room("ada", 1, 2)]).await.expect("a good line");
    let before = found(&stage, "ada", 1).await;
    let tally = import(&stage, &[room("ada", 1, 2)]).await.expect("a good line");
    assert_eq!(tally.unchanged, 1);
    assert_eq!(found(&stage, "ada", 1).await, before, "not even encrypted again");

    let mut other_key = room("ada", 1, 2);
    other_key["room"]["model"]["api_key"] = json!("sk-another-secret-key");
    let mut other_birth = room("ada", 1, 3);
    other_birth["room"]["created_at"] = json!("2026-10-02T00:00:00Z");
    for (line, place) in [
        (other_key.clone(), "/room/version"),
        (room("ada", 1, 1), "/room/version"),
        (room("bob", 1, 3), "/owner"),
        (other_birth, "/room/created_at"),
    ] {
        let bad = import(&stage, &[line]).await.expect_err("a bad line");
        assert!(bad[0].1.starts_with(place) && !bad[0].1.contains("secret"), "{bad:?}");
    }
    assert_eq!(found(&stage, "ada", 1).await, before);

    other_key["room"]["version"] = json!(3);
    let tally = import(&stage, &[other_key]).await.expect("a good line");
    assert_eq!(tally.replaced, 1);
    let seen = found(&stage, "ada", 1).await.expect("ada's room");
    let decrypted = seen.decrypt_model_key(&rooms::key_encryptor(&stage.context.secret)).expect("our own secret");
    assert_eq!(decrypted.expect("a key").expose_secret(), "sk-another-secret-key");
}

#[shared_testing::test]
async fn importing_a_room_completes_the_placeholder_of_its_subscription() {
    let stage = Stage::of(service()).await;
    import(&stage, &[subscription("ada", 1, 0)]).await.expect("a good line");
    let bare = found(&stage, "ada", 1).await.expect("the subscription's room");
    assert_eq!((bare.version, bare.model_name), (0, None));
    let mut without_model = room("ada", 1, 1);
    without_model["room"]["model"] = Value::Null;
    import(&stage, &[room("bob", 1, 1)]).await.expect_err("ada's room");
    assert_eq!(import(&stage, &[without_model]).await.expect("a good line").added, 1);
    assert_eq!(found(&stage, "ada", 1).await.map(|room| (room.version, room.model_name)), Some((1, None)));
}

//! Imports a room: a line `{"owner": "…", "room": {…}}` of `locker-svc import`.
//! The model's key is encrypted before it is stored, and no error message repeats it.

use secrecy::{ExposeSecret, SecretString};
use shared_model::{
    Failure, JsonReader, Timestamp, openapi_schema,
    rule::{OneLine, Owner, Rule, VersionNumber},
};
use shared_runtime::{
    Conn,
    base::encryption::Encryptor,
    import::{self, LineOutcome},
    state::outbound::Target,
};
use utoipa::openapi::{RefOr, Schema};

use super::room::{self, Room, RoomState, key_associated_data};
use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
};

shared_model::json_object! {
    /// One line: a room and its owner.
    #[derive(Clone, Debug)]
    pub struct RoomRecord {
        /// The `sub` of the tokens that may use it.
        pub owner: String as Owner,
        pub room: NewRoom,
    }

    /// A room as it is imported: its model key is not encrypted yet.
    #[derive(Clone, Debug)]
    pub struct NewRoom {
        pub id: RoomId,
        pub state: RoomState,
        /// Counts the changes, from 1.
        pub version: i64 as VersionNumber,
        /// The image that it is pinned to.
        pub image_digest: Option<ImageDigest> | null,
        pub model: Option<NewModel> | null,
        /// An order that is placed and not paid yet.
        pub pending_order_id: Option<OrderId> | null,
        /// Never changes.
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
    }
    check = check_times;

    /// A model endpoint as it is imported.
    #[derive(Clone, Debug)]
    pub struct NewModel {
        /// `/models` and `/chat/completions` are appended to this URL.
        pub base_url: String as BaseUrl,
        pub name: String as OneLine<200>,
        pub api_key: Option<SecretString> as ApiKey | null,
    }
}

fn check_times(reader: &JsonReader<'_>, room: Option<&NewRoom>) {
    if room.is_some_and(|room| room.updated_at < room.created_at) {
        reader.note("", "must not be updated before it was created");
    }
}

/// Checks only the form of a base URL. Whether its address may be called is decided at each call, because DNS
/// changes.
struct BaseUrl;

impl Rule for BaseUrl {
    type Value = String;

    fn read(reader: &JsonReader<'_>) -> Option<String> {
        // Without the slash, so that appending `/models` never gives two.
        let text = reader.str()?.trim_end_matches('/');
        let is_plain = text.is_ascii() && !text.contains('?') && Target::parse(text).is_ok();
        if text.len() <= 1_000 && is_plain {
            return Some(text.to_owned());
        }
        reader.refuse(
            "must be an https URL (or http, where the operator allows it) of at most 1000 ASCII characters, without user, \
             query and fragment",
        )
    }

    fn schema() -> RefOr<Schema> {
        openapi_schema::string(&[]).into()
    }
}

struct ApiKey;

impl Rule for ApiKey {
    type Value = SecretString;

    fn read(reader: &JsonReader<'_>) -> Option<SecretString> {
        let text = reader.str()?;
        if (1..=500).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Some(SecretString::from(text));
        }
        reader.refuse("must be 1 to 500 visible ASCII characters")
    }

    fn schema() -> RefOr<Schema> {
        openapi_schema::string(&[]).into()
    }
}

/// Stores a room: a new one, or a higher version in place of the stored one.
pub fn import(conn: &mut Conn, encryptor: &Encryptor, incoming: &RoomRecord) -> Result<LineOutcome, Failure> {
    let RoomRecord { owner, room } = incoming;
    let encrypted = room.encrypt(owner, encryptor);
    let Some(stored) = room::find(conn, room.id)? else {
        room::insert(conn, encrypted)?;
        return Ok(LineOutcome::Added);
    };
    if stored.owner != *owner {
        return Ok(LineOutcome::Refused("/owner never changes".to_owned()));
    }
    // A placeholder of a subscription: any imported version is newer.
    if stored.version == 0 {
        room::replace(conn, encrypted)?;
        return Ok(LineOutcome::Added);
    }
    if stored.created_at != room.created_at {
        return Ok(LineOutcome::Refused("/room/created_at never changes".to_owned()));
    }
    // The secret was changed since: the same line encrypts the key again.
    if has_unreadable_key(&stored, &encrypted, encryptor) {
        room::replace(conn, encrypted)?;
        return Ok(LineOutcome::Replaced);
    }
    match import::compare_versions(
        (&true, stored.version),
        (&room.is_stored_as(&stored, &encrypted, encryptor), room.version),
    ) {
        Some(LineOutcome::Refused(why)) => return Ok(LineOutcome::Refused(format!("/room/version: {why}"))),
        Some(outcome) => return Ok(outcome),
        None => {}
    }
    room::replace(conn, encrypted)?;
    Ok(LineOutcome::Replaced)
}

impl NewRoom {
    fn encrypt(&self, owner: &str, encryptor: &Encryptor) -> Room {
        let model = self.model.as_ref();
        let key = model.and_then(|model| model.api_key.as_ref());
        Room {
            id: self.id,
            owner: owner.to_owned(),
            state: self.state,
            version: self.version,
            image_digest: self.image_digest.clone(),
            model_base_url: model.map(|model| model.base_url.clone()),
            model_name: model.map(|model| model.name.clone()),
            model_key: key.map(|key| encryptor.encrypt(key, &key_associated_data(self.id))),
            pending_order_id: self.pending_order_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    // Encryption is randomized, so the decrypted keys are compared.
    fn is_stored_as(&self, stored: &Room, encrypted: &Room, encryptor: &Encryptor) -> bool {
        let key = self.model.as_ref().and_then(|model| model.api_key.as_ref());
        is_same_but_for_the_key(stored, encrypted)
            && stored.decrypt_model_key(encryptor).is_ok_and(|stored| exposed(stored.as_ref()) == exposed(key))
    }
}

/// Whether only the stored key is unreadable: it was encrypted under another secret.
fn has_unreadable_key(stored: &Room, encrypted: &Room, encryptor: &Encryptor) -> bool {
    encrypted.model_key.is_some()
        && is_same_but_for_the_key(stored, encrypted)
        && stored.decrypt_model_key(encryptor).is_err()
}

fn is_same_but_for_the_key(stored: &Room, encrypted: &Room) -> bool {
    let without_key = |room: &Room| Room { model_key: None, ..room.clone() };
    without_key(stored) == without_key(encrypted)
}

fn exposed(key: Option<&SecretString>) -> Option<&str> {
    key.map(ExposeSecret::expose_secret)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use shared_model::{Problem, json_reader};

    use super::*;

    fn sample() -> Value {
        json!({"owner": "ada", "room": {
            "id": format!("room_{}", "2".repeat(32)), "state": "onboarding", "version": 1,
            "image_digest": format!("sha256:{}", "a".repeat(64)),
            "model": {"base_url": "https://models.example/v1/", "name": "small", "api_key": "sk-very-secret"},
            "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
        }})
    }

    fn parse(value: &Value) -> Result<RoomRecord, Vec<Problem>> {
        json_reader::read(value)
    }

    #[test]
    fn neither_the_record_nor_a_problem_shows_the_key() {
        let record = parse(&sample()).expect("a room");
        assert_eq!(record.room.model.as_ref().expect("a model").base_url, "https://models.example/v1");
        assert!(!format!("{record:?}").contains("secret"));
        let mut line = sample();
        line["room"]["model"]["api_key"] = json!("sk very-secret");
        let problems = parse(&line).expect_err("a blank in the key");
        assert_eq!(problems[0].at, "/room/model/api_key");
        assert!(!format!("{problems:?}").contains("very-secret"));
    }

    #[test]
    fn every_problem_of_a_line_is_listed_with_its_pointer() {
        let mut line = sample();
        line["owner"] = json!("");
        line["room"]["state"] = json!("open");
        line["room"]["image_digest"] = json!("latest");
        line["room"]["model"]["base_url"] = json!("https://key@models.example");
        line["room"]["model"]["region"] = json!("eu");
        let places: Vec<_> = parse(&line).expect_err("five problems").into_iter().map(|problem| problem.at).collect();
        let expected = ["/owner", "/room/state", "/room/image_digest", "/room/model/base_url", "/room/model/region"];
        assert_eq!(places, expected);
    }

    #[test]
    fn base_urls_with_user_query_or_fragment_are_refused() {
        for url in [
            "ftp://a",
            "https://",
            "//a",
            "https://u:p@a",
            "https://a?x",
            "https://a#x",
            "https://a\\b",
            "https://ä",
            "a b",
        ] {
            let mut line = sample();
            line["room"]["model"]["base_url"] = json!(url);
            assert!(parse(&line).is_err(), "{url}");
        }
    }
}

//! Importing rooms: `{"owner": "…", "room": {…}}`, one object a line. A model's key stands in the line and is sealed
//! before it is stored; no error repeats it.

use shared_model::{
    Failure, FromJson, JsonReader, Timestamp,
    fields::{line, nullable, owner, timestamp, version},
};
use shared_runtime::{
    Conn,
    base::encryption::{Hidden, Seal},
    import::{self, LineOutcome},
    state::outbound::Target,
};

use super::{Model, Room, RoomState, key_place, store};
use crate::{
    ids::{OrderId, RoomId},
    image_digest::ImageDigest,
};

/// One line: a room and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The `sub` of the tokens that may use it.
    pub owner: String,
    /// The room.
    pub room: NewRoom,
}

/// A room as it is written in a line: its model's key is not sealed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRoom {
    /// Its id.
    pub id: RoomId,
    /// Where it stands.
    pub state: RoomState,
    /// Counts its changes, from 1.
    pub version: i64,
    /// The image that it is pinned to.
    pub image_digest: Option<ImageDigest>,
    /// The model that it talks to.
    pub model: Option<NewModel>,
    /// An order that is placed and not paid yet.
    pub pending_order_id: Option<OrderId>,
    /// When it came to be; never changes.
    pub created_at: Timestamp,
    /// When this version came to be.
    pub updated_at: Timestamp,
}

/// A model endpoint as it is written in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewModel {
    /// What `/models` and `/chat/completions` are appended to.
    pub base_url: String,
    /// The model's name there.
    pub name: String,
    /// The key.
    pub api_key: Option<Hidden>,
}

impl FromJson for Record {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let owner = object.required("owner", owner);
            let room = object.required("room", NewRoom::from_json);
            Some(Self { owner: owner?, room: room? })
        })
    }
}

/// Records a room, its key sealed: the same version again is no change, a higher one takes the place of what is there.
pub fn record(conn: &mut Conn, seal: &Seal, incoming: &Record) -> Result<LineOutcome, Failure> {
    let Record { owner, room } = incoming;
    let Some(recorded) = store::find(conn, room.id)? else {
        store::insert(conn, &room.sealed(owner, seal))?;
        return Ok(LineOutcome::Added);
    };
    if recorded.owner != *owner {
        return Ok(LineOutcome::Refused("/owner never changes".to_owned()));
    }
    if recorded.version == 0 {
        store::replace(conn, &room.sealed(owner, seal))?;
        return Ok(LineOutcome::Added);
    }
    if recorded.created_at != room.created_at {
        return Ok(LineOutcome::Refused("/room/created_at never changes".to_owned()));
    }
    // A key is sealed differently each time: what is compared is the opened one. One that was sealed under another secret is
    // the same as none, so that a higher version takes its place.
    let known = NewRoom::opened(&recorded, seal);
    match import::compare_versions((&known.as_ref(), recorded.version), (&Some(room), room.version)) {
        Some(LineOutcome::Refused(why)) => return Ok(LineOutcome::Refused(format!("/room/version: {why}"))),
        Some(outcome) => return Ok(outcome),
        None => {}
    }
    store::replace(conn, &room.sealed(owner, seal))?;
    Ok(LineOutcome::Replaced)
}

impl NewRoom {
    fn sealed(&self, owner: &str, seal: &Seal) -> Room {
        let model = self.model.as_ref().map(|model| Model {
            base_url: model.base_url.clone(),
            name: model.name.clone(),
            sealed_key: model.api_key.as_ref().map(|key| seal.seal(key, &key_place(self.id))),
        });
        Room {
            id: self.id,
            owner: owner.to_owned(),
            state: self.state,
            version: self.version,
            image_digest: self.image_digest.clone(),
            model,
            pending_order_id: self.pending_order_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    /// `None` when its key does not open under this seal.
    fn opened(room: &Room, seal: &Seal) -> Option<Self> {
        let api_key = room.model_key(seal).ok()?;
        let named = room.model.as_ref().map(|model| (model.base_url.clone(), model.name.clone()));
        Some(Self {
            id: room.id,
            state: room.state,
            version: room.version,
            image_digest: room.image_digest.clone(),
            model: named.map(|(base_url, name)| NewModel { base_url, name, api_key }),
            pending_order_id: room.pending_order_id,
            created_at: room.created_at,
            updated_at: room.updated_at,
        })
    }
}

impl FromJson for NewRoom {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let id = object.required("id", RoomId::from_json);
            let state = object.required("state", RoomState::from_json);
            let version = object.required("version", version);
            let image_digest = object.optional("image_digest", |reader| nullable(reader, ImageDigest::from_json));
            let model = object.optional("model", |reader| nullable(reader, NewModel::from_json));
            let pending_order_id = object.optional("pending_order_id", |reader| nullable(reader, OrderId::from_json));
            let created_at = object.required("created_at", timestamp);
            let updated_at = object.required("updated_at", timestamp);
            let read = Self {
                id: id?,
                state: state?,
                version: version?,
                image_digest: image_digest?.flatten(),
                model: model?.flatten(),
                pending_order_id: pending_order_id?.flatten(),
                created_at: created_at?,
                updated_at: updated_at?,
            };
            if read.updated_at < read.created_at {
                return object.refuse("must not be updated before it was created");
            }
            Some(read)
        })
    }
}

impl FromJson for NewModel {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let base_url = object.required("base_url", base_url);
            let name = object.required("name", |reader| line(reader, 200));
            let api_key = object.optional("api_key", |reader| nullable(reader, api_key));
            Some(Self { base_url: base_url?, name: name?, api_key: api_key?.flatten() })
        })
    }
}

/// The form alone; whether the service may connect there is judged each time it does.
fn base_url(reader: &JsonReader<'_>) -> Option<String> {
    let text = reader.str()?.trim_end_matches('/');
    let is_plain = text.is_ascii() && !text.contains('?') && Target::parse(text).is_ok();
    if text.len() <= 1_000 && is_plain {
        Some(text.to_owned())
    } else {
        reader.refuse(
            "must be an https URL (or http, where the operator allows it) of at most 1000 ASCII characters, without user, \
             query and fragment",
        )
    }
}

fn api_key(reader: &JsonReader<'_>) -> Option<Hidden> {
    let text = reader.str()?;
    if (1..=500).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some(Hidden::new(text.to_owned()))
    } else {
        reader.refuse("must be 1 to 500 visible ASCII characters")
    }
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

    fn parse(value: &Value) -> Result<Record, Vec<Problem>> {
        json_reader::read(value)
    }

    #[test]
    fn a_key_is_shown_neither_by_the_record_nor_by_a_problem() {
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
    fn every_problem_of_a_line_is_told_with_its_place() {
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
    fn base_urls_have_no_hidden_parts() {
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

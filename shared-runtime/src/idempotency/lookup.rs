//! `GET …/idempotency/{key}`: tells a client that lost the answer whether its command happened.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    str::FromStr,
};

use futures_util::future::join_all;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Error, Failure, Timestamp};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{
    keyed_operations::KeyedOperations,
    record::{self, RecordedCommand},
    request,
};
use crate::{
    context::Context,
    http::{
        arguments::{
            Path, State,
            caller::{Caller, Permission},
        },
        contract::Contract,
        reply::Answer,
    },
    identity::Identity,
    state::{
        db::{Db, LaneKey},
        in_flight::InFlightLocks,
    },
};

/// The operation's description in every service that has it.
pub const LOOKUP_DESCRIPTION: &str = "For a client that lost the answer and does not want to send the command again. Lists \
    your commands of the last 24 hours with this key, with state, status and answer. An empty list means that \
    nothing has happened so far. A request that is still on its way may be carried out later: to be sure, repeat it \
    with the same key. A secret in an answer is left out: the repeated command shows it.";

shared_model::text_enum! {
    /// The state of a command.
    pub enum CommandState {
        /// It is running and may still be refused.
        InProgress = "in_progress",
        /// It happened, once.
        Completed = "completed",
    }
}

/// The caller's commands with one key, of the last 24 hours. An empty list means that nothing has happened under
/// this key so far. A request that is still on its way may be carried out later.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"idempotency_key": "order-7", "commands": [{
    "operation": "queue_model_test", "state": "completed", "completed_at": "2026-11-21T12:00:00.000000Z",
    "expires_at": "2026-11-22T12:00:00.000000Z", "status": 202, "answer": {"status": "queued"},
}]}))]
pub struct CommandsOfKey {
    /// The key, without enclosing quotes.
    pub idempotency_key: String,
    /// One for each operation that the key was used with.
    pub commands: Vec<Command>,
}

/// One command.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Command {
    /// The operation's id in the OpenAPI document.
    pub operation: Cow<'static, str>,
    pub state: CommandState,
    pub completed_at: Option<Timestamp>,
    /// When the key can be used for another command.
    pub expires_at: Option<Timestamp>,
    /// The HTTP status of its answer.
    #[schema(minimum = 200, maximum = 299)]
    pub status: Option<u16>,
    /// The payload of its answer at that time, without secrets.
    #[schema(value_type = Option<Object>)]
    pub answer: Option<Box<RawValue>>,
}

/// An idempotency key in a URL, percent-encoded where necessary. Other text is not a key: 404.
pub struct Key(String);

impl PartialSchema for Key {
    fn schema() -> RefOr<Schema> {
        let key = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[!-~]{1,255}$"));
        key.examples(["minutes-of-november-21"]).into()
    }
}

impl FromStr for Key {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // The router does not decode `%2F` and `%25`.
        let text = percent_decode_str(text).decode_utf8().map_err(|_| ())?;
        request::key(Some(&*text)).map(|key| Self(key.to_owned())).map_err(|_| ())
    }
}

/// The caller's commands with this key. Other actors have other keys.
pub async fn lookup<P: Permission>(
    caller: Caller<P>,
    Path((Key(key),)): Path<(Key,)>,
    State(operations): State<KeyedOperations>,
    context: Context,
) -> Result<Answer<CommandsOfKey>, Error> {
    // A key belongs to one operation, and the client may not remember which one it called.
    let scopes = operations.contracts.iter().map(|contract| request::scope(contract, &caller, &key)).collect();
    let lane = request::lane(&caller);
    let known = find(&context.db, &context.in_flight, lane, scopes, context.clock.now()).await?;
    let mut commands = Vec::new();
    for (contract, known) in operations.contracts.iter().zip(known) {
        commands.extend(match known {
            Some(Known::Recorded(entry)) => Some(Command::completed(contract, entry)?),
            Some(Known::Running) => Some(Command::in_progress(contract)),
            None => None,
        });
    }
    Ok(Answer::ok(&CommandsOfKey { idempotency_key: key, commands })?)
}

/// What is known of a command.
pub(super) enum Known {
    Running,
    Recorded(RecordedCommand),
}

/// What is known of the commands of these scopes, in their order.
pub(super) async fn find(
    db: &Db,
    locks: &InFlightLocks,
    lane: LaneKey,
    scopes: Vec<[u8; 32]>,
    now: Timestamp,
) -> Result<Vec<Option<Known>>, Error> {
    let keys: Vec<String> = scopes.iter().map(|scope| request::lock_key(*scope)).collect();
    // Before the rows: a command that commits between the two looks is found by one of them.
    let running = join_all(keys.iter().map(|key| locks.is_running(key))).await;
    let asked = scopes.clone();
    let mut recorded = db.read(move |conn| Ok(record::look_up_all(conn, &asked, now)?)).await?;
    if recorded.is_empty() && !running.contains(&true) {
        // The locks do not show a command whose caller has gone, nor one of another replica while Redis is away.
        recorded = settled(db, lane, scopes.clone(), now).await?;
    }
    let known = scopes.iter().zip(running).map(|(scope, is_running)| match recorded.remove(scope) {
        Some(entry) => Some(Known::Recorded(entry)),
        None => is_running.then_some(Known::Running),
    });
    Ok(known.collect())
}

/// The rows of these scopes, after the end of each command of this lane that has begun in any process.
async fn settled(
    db: &Db,
    lane: LaneKey,
    scopes: Vec<[u8; 32]>,
    now: Timestamp,
) -> Result<HashMap<[u8; 32], RecordedCommand>, Error> {
    // A write waits for the lock that each transaction of the lane holds until its commit.
    db.write_in(lane, move |conn| Ok(record::look_up_all(conn, &scopes, now)?)).await
}

/// Whether the caller has done one of these operations with this key in the last 24 hours. Unlike [`was_used`], it
/// waits for commands that have begun, also for those whose caller has gone.
pub async fn has_happened(
    context: &Context,
    contracts: &[&Contract],
    identity: &Identity,
    key: &str,
) -> Result<bool, Error> {
    if contracts.is_empty() {
        return Ok(false);
    }
    let scopes = contracts.iter().map(|contract| request::scope(contract, identity, key)).collect();
    let recorded = settled(&context.db, request::lane(identity), scopes, context.clock.now()).await?;
    Ok(!recorded.is_empty())
}

/// Whether the caller has done something with this key and this operation in the last 24 hours, or is doing it.
pub async fn was_used(context: &Context, contract: &Contract, identity: &Identity, key: &str) -> Result<bool, Error> {
    let (scope, now) = (request::scope(contract, identity, key), context.clock.now());
    if context.in_flight.is_running(&request::lock_key(scope)).await {
        return Ok(true);
    }
    context.look_up(move |conn| Ok(record::look_up(conn, scope, now)?.is_some())).await
}

impl Command {
    fn completed(contract: &Contract, entry: RecordedCommand) -> Result<Self, Error> {
        let payload = entry.stored.payload;
        let answer = match contract.secret_member {
            Some(secret) => without(secret, &payload)?,
            None => RawValue::from_string(payload)?,
        };
        Ok(Self {
            operation: contract.id.into(),
            state: CommandState::Completed,
            completed_at: Some(entry.created_at),
            expires_at: Some(entry.stored.expires_at),
            status: Some(entry.stored.status),
            answer: Some(answer),
        })
    }

    fn in_progress(contract: &Contract) -> Self {
        Self {
            operation: contract.id.into(),
            state: CommandState::InProgress,
            completed_at: None,
            expires_at: None,
            status: None,
            answer: None,
        }
    }
}

// A lookup cannot decrypt the secret, and a client cannot use the encrypted one.
fn without(secret: &str, payload: &str) -> Result<Box<RawValue>, Failure> {
    let mut members: BTreeMap<String, &RawValue> = serde_json::from_str(payload)?;
    members.remove(secret);
    Ok(to_raw_value(&members)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_leaves_out_the_secret_and_nothing_else() {
        let shown = |payload: &str| without("secret", payload).expect("an object").get().to_owned();
        assert_eq!(shown(r#"{"secret":"v1.AAAA","webhook":{"id":"w"}}"#), r#"{"webhook":{"id":"w"}}"#);
        let other = r#"{"a":{"secret":"b"},"id":1.50}"#;
        assert_eq!(shown(other), other);
    }

    #[test]
    fn a_key_in_a_url_is_the_key_of_the_header() {
        let key = |text: &str| text.parse::<Key>().map(|Key(key)| key);
        assert_eq!(key("order-7"), Ok("order-7".to_owned()));
        assert_eq!(key("a%2Fb%25c"), Ok("a/b%c".to_owned()));
        assert_eq!(key("%22quoted%22"), Ok("quoted".to_owned()));
        for bad in ["", "a%20b", "%ff", "%00", &"k".repeat(256)] {
            assert_eq!(key(bad), Err(()), "{bad:?}");
        }
    }
}

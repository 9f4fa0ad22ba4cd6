//! `GET …/idempotency/{key}`: tells a client that lost the answer whether its command happened.

use std::{borrow::Cow, collections::BTreeMap, str::FromStr};

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
};

/// The operation's description in every service that has it.
pub const LOOKUP_DESCRIPTION: &str = "For a client that lost the answer and does not want to send the command again. Lists \
    your commands of the last 24 hours with this key, with state, status and answer. An empty list means that \
    nothing happened. A secret in an answer is left out: the repeated command shows it.";

shared_model::text_enum! {
    /// The state of a command.
    pub enum CommandState {
        /// It is running and may still be refused.
        InProgress = "in_progress",
        /// It happened, once.
        Completed = "completed",
    }
}

/// The caller's commands with one key, of the last 24 hours. An empty list means that nothing happened under this
/// key.
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
    let asked: Vec<(&Contract, [u8; 32])> =
        operations.contracts.iter().map(|contract| (contract, request::scope(contract, &caller, &key))).collect();
    let locks: Vec<String> = asked.iter().map(|(_, scope)| request::lock_key(*scope)).collect();
    // Before the rows: a command that commits between the two looks is found by one of them.
    let running = join_all(locks.iter().map(|lock| context.in_flight.is_running(lock))).await;
    let (scopes, now) = (asked.iter().map(|(_, scope)| *scope).collect::<Vec<_>>(), context.clock.now());
    let mut recorded = context.read(move |conn| Ok(record::look_up_all(conn, &scopes, now)?)).await?;
    let mut commands = Vec::new();
    for ((contract, scope), is_running) in asked.into_iter().zip(running) {
        commands.extend(match recorded.remove(&scope) {
            Some(entry) => Some(Command::completed(contract, entry)?),
            None => is_running.then(|| Command::in_progress(contract)),
        });
    }
    Ok(Answer::ok(&CommandsOfKey { idempotency_key: key, commands })?)
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

//! `GET …/idempotency/{key}`: did my command happen? For a client that lost the answer and does not want to send it
//! again.

use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Error, Timestamp};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{
    record::{self, Entry},
    request,
};
use crate::{
    context::Context,
    http::{
        arguments::{
            Path, State,
            caller::{Caller, Permission},
        },
        reply::Answer,
        routes::Routes,
    },
};

/// What the lookup says of itself, in every service that has it.
pub const LOOKUP_DESCRIPTION: &str = "For a client that lost the answer and does not want to send the command again: \
    your commands of the last 24 hours with this key, each with its state, status and answer. An empty list says that \
    nothing has happened.";

shared_model::text_enum! {
    /// Where a command stands.
    pub enum CommandState {
        /// It is being carried out now; it may still be refused.
        InProgress = "in_progress",
        /// It happened, once.
        Completed = "completed",
    }
}

/// The caller's commands with one key, of the last 24 hours. None: nothing has happened under this key; sending the
/// command with it is safe, as it always is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(example = json!({"idempotency_key": "order-7", "commands": [{
    "operation": "queue_model_test", "state": "completed", "completed_at": "2026-11-21T12:00:00.000000Z",
    "expires_at": "2026-11-22T12:00:00.000000Z", "status": 202, "answer": {"status": "queued"},
}]}))]
pub struct CommandsOfKey {
    /// The key, without enclosing quotes.
    pub idempotency_key: String,
    /// One for each operation that it was used with.
    pub commands: Vec<Command>,
}

/// One command.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Command {
    /// The operation's id in the OpenAPI document.
    pub operation: &'static str,
    /// Where it stands.
    pub state: CommandState,
    /// When it happened.
    pub completed_at: Option<Timestamp>,
    /// When the key is free again.
    pub expires_at: Option<Timestamp>,
    /// The HTTP status of its answer.
    #[schema(minimum = 200, maximum = 299)]
    pub status: Option<u16>,
    /// The payload of its answer, as it was then.
    #[schema(value_type = Option<Object>)]
    pub answer: Option<Box<RawValue>>,
}

/// The operations of a service that take a key; the server provides it.
pub struct KeyedOperations(Vec<&'static str>);

impl KeyedOperations {
    pub(crate) fn of(routes: &Routes) -> Self {
        Self(routes.contracts().filter(|contract| contract.takes_key).map(|contract| contract.id).collect())
    }
}

/// An idempotency key in a URL. What a path cannot hold is percent-encoded there; no other text is a key: 404.
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
        // The router leaves `%2F` and `%25` as they are.
        let text = percent_decode_str(text).decode_utf8().map_err(|_| ())?;
        request::key(Some(&*text)).map(|key| Self(key.to_owned())).map_err(|_| ())
    }
}

/// What became of the caller's commands with this key. Another actor's keys are other keys.
pub async fn lookup<P: Permission>(
    caller: Caller<P>,
    Path((Key(key),)): Path<(Key,)>,
    State(operations): State<KeyedOperations>,
    context: Context,
) -> Result<Answer<CommandsOfKey>, Error> {
    let scope_of = |operation| request::scope(context.surface.name, &caller, operation, &key);
    let mut commands = Vec::new();
    for &operation in &operations.0 {
        let scope = scope_of(operation);
        // In this order: a command that commits in between is seen by one look or the other.
        let is_running = context.in_flight.is_running(&request::lock_key(scope)).await;
        let now = context.clock.now();
        let entry = context.read(move |conn| Ok(record::look_up(conn, scope, now)?)).await?;
        commands.extend(match entry {
            Some(entry) => Some(Command::completed(operation, entry)?),
            None => is_running.then(|| Command::in_progress(operation)),
        });
    }
    Ok(Answer::ok(&CommandsOfKey { idempotency_key: key, commands })?)
}

impl Command {
    fn completed(operation: &'static str, entry: Entry) -> Result<Self, Error> {
        Ok(Self {
            operation,
            state: CommandState::Completed,
            completed_at: Some(entry.created_at),
            expires_at: Some(entry.stored.expires_at),
            status: Some(entry.stored.status),
            answer: Some(RawValue::from_string(entry.stored.payload)?),
        })
    }

    fn in_progress(operation: &'static str) -> Self {
        Self {
            operation,
            state: CommandState::InProgress,
            completed_at: None,
            expires_at: None,
            status: None,
            answer: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

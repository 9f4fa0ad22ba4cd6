//! The first argument of each operation that changes something.

use std::{marker::PhantomData, sync::Arc};

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Answer, Caller, Conn, Context, Once, Permission, State,
    http::{
        argument::{AdmittedRequest, Argument, CallOrigin},
        contract::Contract,
    },
    identity::ActorKind,
};

use crate::{
    base::{
        author::{Author, Via},
        codes,
        ids::{FileId, WorkspaceId},
        links::FileLinks,
    },
    workspace::{
        self,
        changes::{self, Change, ChangeType},
        store::AgentWrites,
    },
};

/// A command of a caller with permission `P`, and its idempotency key.
pub struct Command<P> {
    pub by: ChangeContext,
    pub context: Context,
    once: Once,
    permission: PhantomData<fn() -> P>,
}

#[derive(Clone)]
pub struct ChangeContext {
    pub author: Author,
    pub at: Timestamp,
    pub links: Arc<FileLinks>,
}

impl<P: Permission> Argument for Command<P> {
    fn describe(contract: &mut Contract) {
        Caller::<P>::describe(contract);
        Once::describe(contract);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let caller = Caller::<P>::extract(request)?;
        let once = Once::extract(request)?;
        let context = Context::extract(request)?;
        let State(links) = State::extract(request)?;
        let via = match request.origin() {
            CallOrigin::Rest => Via::Rest,
            CallOrigin::Page => Via::Web,
            CallOrigin::Mcp => Via::Mcp,
        };
        let author = Author { via, ..Author::from_identity(&caller)? };
        let by = ChangeContext { author, at: context.clock.now(), links };
        Ok(Self { by, context, once, permission: PhantomData })
    }
}

impl<P> Command<P> {
    /// Runs the transaction; a repeated request with the same key gets the first answer.
    pub async fn run<T: 'static>(
        self,
        // `Fn`, because a transaction that meets a conflict runs again.
        transaction: impl Fn(&mut Conn, &ChangeContext) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        let Self { by, context, once, .. } = self;
        context.once(once, move |conn| transaction(conn, &by)).await
    }
}

impl ChangeContext {
    pub fn owner(&self) -> WorkspaceId {
        self.author.workspace
    }

    /// 403 if the caller is an agent and the workspace reviews what agents write. `instead` says what the agent can do.
    pub fn check_direct(&self, conn: &mut Conn, instead: impl FnOnce() -> String) -> Result<(), Error> {
        let is_agent = self.author.actor.kind == ActorKind::Agent;
        if is_agent && workspace::store::agent_writes(conn, self.owner())? == Some(AgentWrites::Review) {
            let message = format!("{} {}", codes::APPROVAL_REQUIRED.sentence, instead());
            return Err(codes::APPROVAL_REQUIRED.because(message).into());
        }
        Ok(())
    }

    /// Takes the next change number together with `bytes` of storage; 413 if the quota has no room for them.
    pub fn next_change(&self, conn: &mut Conn, bytes: i64) -> Result<i64, Error> {
        workspace::store::next_change(conn, self.owner(), bytes)
    }

    pub fn change(&self, kind: ChangeType, file: FileId) -> Change<'_> {
        Change::of_file(kind, file, &self.author.actor_json, self.at)
    }

    pub fn record(&self, conn: &mut Conn, sequence: i64, change: &Change<'_>) -> Result<(), Failure> {
        changes::insert(conn, self.owner(), sequence, change)
    }
}

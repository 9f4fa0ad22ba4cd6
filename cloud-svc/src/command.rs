//! The first argument of a verb that changes something: who does it, when, and the key under which it happens once.

use std::{marker::PhantomData, sync::Arc};

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Answer, Caller, Conn, Context, Once, Permission, State,
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
    },
    identity::ActorKind,
};

use crate::{
    author::{Author, Via},
    changes::{self, Change, ChangeType},
    codes,
    files::file::FileRecords,
    ids::{FileId, WorkspaceId},
    workspaces::{self, store::AgentWrites},
};

/// A command of a caller that holds `P`, with its idempotency key.
pub struct Command<P> {
    /// Who, and when.
    pub by: By,
    /// The state of the service.
    pub context: Context,
    once: Once,
    permission: PhantomData<fn() -> P>,
}

/// Who changes something, and when.
#[derive(Clone)]
pub struct By {
    /// Who.
    pub author: Author,
    /// When.
    pub at: Timestamp,
    /// Makes the records that are answered.
    pub records: Arc<FileRecords>,
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
        let State(records) = State::extract(request)?;
        let via = match request.is_of_page() {
            true => Via::Web,
            false if request.is_of_another_protocol() => Via::Mcp,
            false => Via::Rest,
        };
        let author = Author { via, ..Author::of(&caller)? };
        let by = By { author, at: context.clock.now(), records };
        Ok(Self { by, context, once, permission: PhantomData })
    }
}

impl<P> Command<P> {
    /// Runs the transaction once for the key.
    pub async fn run<T: 'static>(
        self,
        transaction: impl Fn(&mut Conn, &By) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        let Self { by, context, once, .. } = self;
        context.once(once, move |conn| transaction(conn, &by)).await
    }
}

impl By {
    /// The workspace in which it happens.
    pub fn owner(&self) -> WorkspaceId {
        self.author.workspace
    }

    /// 403 where the workspace lets no agent change what a file says without the approval of somebody else, and it is one. What
    /// it may do instead is in `instead`.
    pub fn check_direct(&self, conn: &mut Conn, instead: impl FnOnce() -> String) -> Result<(), Error> {
        let is_agent = self.author.actor.kind == ActorKind::Agent;
        if is_agent && workspaces::store::agent_writes(conn, self.owner())? == Some(AgentWrites::Review) {
            let message = format!("{} {}", codes::APPROVAL_REQUIRED.sentence, instead());
            return Err(codes::APPROVAL_REQUIRED.because(message).into());
        }
        Ok(())
    }

    /// Takes the next number of the workspace for a change that needs `bytes` more storage; 413 when they do not fit.
    pub fn next_change(&self, conn: &mut Conn, bytes: i64) -> Result<i64, Error> {
        workspaces::store::next_change(conn, self.owner(), bytes)
    }

    /// A change of a file that this author makes now.
    pub fn change(&self, kind: ChangeType, file: FileId) -> Change<'_> {
        Change::of(kind, file, &self.author.actor_json, self.at)
    }

    /// Writes down the change of this number.
    pub fn record(&self, conn: &mut Conn, sequence: i64, change: &Change<'_>) -> Result<(), Failure> {
        changes::insert(conn, self.owner(), sequence, change)
    }
}

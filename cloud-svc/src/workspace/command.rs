//! The first argument of each operation that changes something.

use std::{marker::PhantomData, sync::Arc};

use cloud_receipts::signer::Signer;
use shared_model::{Error, Failure, NextAction, Timestamp};
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
        owner::Owner,
        permissions::WriteFiles,
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
    /// Signs receipts of decisions.
    pub signer: Arc<Signer>,
    /// Whether the client of an agent says that a person agrees to this change.
    pub is_confirmed: bool,
}

impl<P: Permission> Argument for Command<P> {
    fn describe(contract: &mut Contract) {
        Caller::<P>::describe(contract);
        Once::describe(contract);
        contract.refuses(&codes::AGENT_LIMITED);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        let caller = Caller::<P>::extract(request)?;
        let once = Once::extract(request)?;
        let context = Context::extract(request)?;
        let State(links) = State::extract(request)?;
        let State(signer) = State::extract(request)?;
        let via = match request.origin() {
            CallOrigin::Rest => Via::Rest,
            CallOrigin::Page => Via::Web,
            CallOrigin::Mcp | CallOrigin::ConfirmedMcp => Via::Mcp,
        };
        let author = Author { via, ..Author::from_identity(&caller)? };
        let is_confirmed = request.origin() == CallOrigin::ConfirmedMcp;
        let by = ChangeContext { author, at: context.clock.now(), links, signer, is_confirmed };
        Ok(Self { by, context, once, permission: PhantomData })
    }
}

impl<P: Permission> Command<P> {
    /// Runs the transaction; a repeated request with the same key gets the first answer.
    pub async fn run<T: 'static>(
        self,
        // `Fn`, because a transaction that meets a conflict runs again.
        transaction: impl Fn(&mut Conn, &ChangeContext) -> Result<Answer<T>, Error> + Send + 'static,
    ) -> Result<Answer<T>, Error> {
        let Self { by, context, once, .. } = self;
        let check_and_run = move |conn: &mut Conn| {
            // Before anything is looked up: what an agent may not do at all must not tell it what there is.
            workspace::agents::check_command(conn, &by.author, P::SCOPE, by.at)?;
            transaction(conn, &by)
        };
        context.once(once, check_and_run).await
    }
}

impl ChangeContext {
    /// Whose files the change may see: within the limits of an agent.
    pub fn owner(&self) -> Owner {
        let Author { workspace, grant_id, actor, .. } = &self.author;
        match actor.kind {
            ActorKind::Agent => Owner::of_grant(*workspace, grant_id),
            ActorKind::User | ActorKind::Service => Owner::without_limits(*workspace),
        }
    }

    /// For rows that are the workspace's and no file's, such as its quota.
    pub fn workspace(&self) -> WorkspaceId {
        self.author.workspace
    }

    /// Whether the domains that this change links to become known to the workspace. If an agent could make them known,
    /// its next plan would have no warning.
    pub fn vouches_for_links(&self) -> bool {
        let is_person = self.author.actor.kind == ActorKind::User && !self.is_unconfirmed_tool_call();
        is_person || self.author.via == Via::Import
    }

    pub fn is_agent(&self) -> bool {
        self.author.actor.kind == ActorKind::Agent
    }

    /// Whether a model may have decided this by itself, even with the token of a person.
    fn is_unconfirmed_tool_call(&self) -> bool {
        self.author.via == Via::Mcp && !self.is_confirmed
    }

    /// Whether a person must approve this change first. `is_risky` runs only if the policy or the way of the call
    /// depends on it.
    pub fn needs_approval(
        &self,
        conn: &mut Conn,
        is_risky: impl FnOnce(&mut Conn) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        match self.policy(conn)? {
            AgentWrites::Direct => Ok(self.is_unconfirmed_tool_call() && is_risky(conn)?),
            AgentWrites::ReviewRisky => is_risky(conn),
            AgentWrites::Review => Ok(true),
        }
    }

    /// What the workspace asks of this actor.
    pub fn policy(&self, conn: &mut Conn) -> Result<AgentWrites, Failure> {
        let policy = if self.is_agent() { workspace::store::agent_writes(conn, self.workspace())? } else { None };
        Ok(policy.unwrap_or(AgentWrites::Direct))
    }

    /// 403 if a person must approve this change, which is not a plan. `instead` says what the agent can do.
    pub fn check_direct(
        &self,
        conn: &mut Conn,
        is_risky: impl FnOnce(&mut Conn) -> Result<bool, Error>,
        instead: &str,
    ) -> Result<(), Error> {
        if !self.needs_approval(conn, is_risky)? {
            return Ok(());
        }
        let what = if self.is_agent() { "change of an agent" } else { "change by a tool" };
        let refusal = codes::APPROVAL_REQUIRED.because(format!("A person must approve this {what}. {instead}"));
        Err(refusal.next(NextAction::OtherActor { scope: WriteFiles::SCOPE.to_owned() }).into())
    }

    /// Takes the next change number together with `bytes` of storage; 413 if the quota has no room for them.
    pub fn next_change(&self, conn: &mut Conn, bytes: i64) -> Result<i64, Error> {
        self.next_changes(conn, 1, bytes, 0)
    }

    /// Takes the next numbers for several changes; the first. `freed` bytes are of plans that become versions.
    pub fn next_changes(&self, conn: &mut Conn, changes: usize, bytes: i64, freed: i64) -> Result<i64, Error> {
        let first = workspace::store::next_changes(conn, self.workspace(), bytes - freed, changes)?;
        workspace::agents::count_bytes(conn, &self.author, (bytes - freed).max(0), self.at)?;
        Ok(first)
    }

    pub fn change(&self, kind: ChangeType, file: FileId) -> Change<'_> {
        Change::of_file(kind, file, &self.author.actor_json, self.at)
    }

    pub fn record(&self, sequence: i64, change: &Change<'_>) {
        self.record_all(sequence, &[*change]);
    }

    /// Logs changes under `first` and the numbers that follow.
    pub fn record_all(&self, first: i64, all: &[Change<'_>]) {
        changes::insert_all(self.workspace(), first, all);
    }
}

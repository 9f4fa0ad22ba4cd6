//! `grant`: the commands of every service that takes access tokens.

use std::{
    error::Error as StdError,
    io::{self, Write as _},
};

use clap::{Args, Subcommand, builder::NonEmptyStringValueParser};
use shared_model::id;

use super::operator_error::error_for_operator;
use crate::{
    context::Context,
    identity::{
        self,
        known_grants::{self, GrantFilter, KnownGrant},
    },
    state::db::Conn,
};

// In batches: there may be more grants than fit into memory.
const BATCH: i64 = 500;

#[derive(Subcommand)]
pub enum GrantCommand {
    /// Print the grants of which a token was seen here, one JSON object per line
    List(ListGrants),
    /// Print one grant; exit with 1 if it is unknown
    Show {
        /// The `grant_id` claim of its tokens, for example grant_cloud_ada
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        grant_id: String,
    },
    /// Revoke a grant: from now on its tokens are refused, on every replica
    Revoke {
        /// The `grant_id` claim of its tokens, for example grant_cloud_ada
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        grant_id: String,
        /// Revoke it even if no token of it was ever seen here
        #[arg(long)]
        force: bool,
    },
}

#[derive(Args)]
pub struct ListGrants {
    /// Only grants of this owner, the `sub` claim
    #[arg(long)]
    sub: Option<String>,
    /// Only grants for this workspace: ws_ and a number
    #[arg(long, value_parser = workspace)]
    workspace: Option<i64>,
    /// Only grants that are neither revoked nor expired
    #[arg(long)]
    active: bool,
}

fn workspace(text: &str) -> Result<i64, &'static str> {
    id::parse_serial("ws", text).ok_or("must be a ws id like ws_42")
}

pub async fn run(command: GrantCommand, context: &Context) -> Result<(), Box<dyn StdError>> {
    match command {
        GrantCommand::List(list) => list.run(context).await,
        GrantCommand::Show { grant_id } => show(grant_id, context).await,
        GrantCommand::Revoke { grant_id, force } => revoke(grant_id, force, context).await,
    }
}

impl ListGrants {
    async fn run(self, context: &Context) -> Result<(), Box<dyn StdError>> {
        let filter = GrantFilter { subject: self.sub, workspace: self.workspace, is_active: self.active };
        let (now, mut after) = (context.clock.now(), String::new());
        loop {
            let (filter, start) = (filter.clone(), after);
            let query = move |conn: &mut Conn| Ok(known_grants::list(conn, &filter, &start, BATCH, now)?);
            let found = context.read(query).await.map_err(error_for_operator)?;
            let Some(last) = found.last() else { return Ok(()) };
            after = last.grant_id.clone();
            found.iter().try_for_each(print)?;
        }
    }
}

async fn show(grant_id: String, context: &Context) -> Result<(), Box<dyn StdError>> {
    let (now, asked) = (context.clock.now(), grant_id.clone());
    let query = move |conn: &mut Conn| Ok(known_grants::find(conn, &asked, now)?);
    match context.read(query).await.map_err(error_for_operator)? {
        Some(grant) => print(&grant),
        None => Err(format!("{grant_id}: no token of it was ever seen here").into()),
    }
}

async fn revoke(grant_id: String, force: bool, context: &Context) -> Result<(), Box<dyn StdError>> {
    let (now, asked) = (context.clock.now(), grant_id.clone());
    // A mistyped id must not look as if the right grant had ended.
    let transaction = move |conn: &mut Conn| {
        let is_known = known_grants::find(conn, &asked, now)?.is_some();
        if is_known || force { Ok(Some(identity::revoke(conn, &asked, now)?)) } else { Ok(None) }
    };
    let said = match context.write(transaction).await.map_err(error_for_operator)? {
        None => {
            let help = "grant list shows the known ones, and --force revokes it nevertheless";
            return Err(format!("{grant_id}: not revoked, for no token of it was ever seen here; {help}").into());
        }
        Some(true) => "revoked",
        Some(false) => "was revoked before",
    };
    Ok(writeln!(io::stdout(), "{grant_id}: {said}")?)
}

fn print(grant: &KnownGrant) -> Result<(), Box<dyn StdError>> {
    // Unlike `println!` this is an error and no panic if a pipe is closed.
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string(grant)?)?)
}

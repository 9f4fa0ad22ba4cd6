//! `cloud-svc workspace`: lists workspaces and sets their quotas and policies.

use std::{
    error::Error,
    io::{self, Write as _},
};

use clap::Subcommand;
use shared_runtime::{Context, service::cli::error_for_operator};

use crate::{
    base::ids::WorkspaceId,
    workspace::store::{self, AgentWrites, Policies, Workspace},
};

// In batches: there may be more workspaces than fit into memory.
const BATCH: i64 = 500;

#[derive(Subcommand, Debug)]
pub enum WorkspaceCommand {
    /// Print workspaces in order, one JSON object per line
    List,
    /// Set the storage quota of a workspace, and print the workspace
    SetQuota {
        /// Its id: ws_ and a number
        id: WorkspaceId,
        /// The most bytes of all its versions, drafts, plans and comments
        #[arg(value_parser = clap::value_parser!(i64).range(0..=shared_model::rule::MINOR_MAX))]
        bytes: i64,
    },
    /// Set what agents may do, and print the workspace
    #[command(group(clap::ArgGroup::new("policies").required(true).multiple(true)))]
    SetPolicy {
        /// Its id: ws_ and a number
        id: WorkspaceId,
        /// When a person must approve what an agent writes. direct: never; review_risky: plans with a warning of high
        /// severity; review: always
        #[arg(long, group = "policies")]
        agent_writes: Option<AgentWrites>,
        /// Whether agents may approve plans of others, but not of agents of the same owner
        #[arg(long, group = "policies")]
        agents_may_review: Option<bool>,
        /// Whether agents may only read, whatever their scopes and limits are
        #[arg(long, group = "policies")]
        agents_read_only: Option<bool>,
    },
}

pub async fn run(command: WorkspaceCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        WorkspaceCommand::List => list(context).await,
        WorkspaceCommand::SetQuota { id, bytes } => {
            let set =
                context.write(move |conn| Ok(store::set_quota(conn, id, bytes)?)).await.map_err(error_for_operator)?;
            print_one(id, set)
        }
        WorkspaceCommand::SetPolicy { id, agent_writes, agents_may_review, agents_read_only } => {
            let policies = Policies { agent_writes, agents_may_review, agents_read_only };
            let set = context.write(move |conn| Ok(store::set_policies(conn, id, policies)?)).await;
            print_one(id, set.map_err(error_for_operator)?)
        }
    }
}

async fn list(context: &Context) -> Result<(), Box<dyn Error>> {
    let mut after = WorkspaceId::from_number(0);
    loop {
        let found = context.read(move |conn| Ok(store::list(conn, after, BATCH)?)).await.map_err(error_for_operator)?;
        let Some(last) = found.last() else { return Ok(()) };
        after = last.id;
        found.iter().try_for_each(print)?;
    }
}

fn print_one(id: WorkspaceId, workspace: Option<Workspace>) -> Result<(), Box<dyn Error>> {
    match workspace {
        Some(workspace) => print(&workspace),
        None => {
            Err(format!("There is no workspace {id}: one is recorded when a grant that selects it is first used.")
                .into())
        }
    }
}

fn print(workspace: &Workspace) -> Result<(), Box<dyn Error>> {
    // Unlike `println!` this is an error and no panic if a pipe is closed.
    writeln!(io::stdout(), "{}", serde_json::to_string(workspace)?)?;
    Ok(())
}

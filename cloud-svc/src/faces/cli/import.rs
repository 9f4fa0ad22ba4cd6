//! `cloud-svc import`: imports files and folders into a workspace.

use std::{error::Error, path::PathBuf, sync::Arc};

use clap::Args;
use shared_runtime::{
    Context,
    identity::{Actor, ActorKind},
    import::print_error_line,
    service::cli::error_for_operator,
};

use crate::{
    base::{
        author::{Author, Via},
        ids::{FileId, WorkspaceId},
        links::FileLinks,
        receipt_key,
    },
    transfer::import::{self, Import},
    workspace::{self, command::ChangeContext},
};

#[derive(Args, Debug)]
pub struct ImportArguments {
    /// The workspace: ws_ and a number
    #[arg(long)]
    workspace: WorkspaceId,
    /// The target folder: file_ and a number [default: the top level]
    #[arg(long)]
    parent: Option<FileId>,
    /// The author: {"type": "user", "id": "…", "display_name": "…"} [default: a service called Import]
    #[arg(long, value_parser = actor)]
    actor: Option<Actor>,
    /// Create the workspace if no grant has selected it yet
    #[arg(long)]
    create: bool,
    /// A file or folder: .md, .csv, .xlsx, .txt, and what export writes
    path: PathBuf,
}

/// An error if any part was not imported.
pub async fn run(arguments: ImportArguments, context: &Context) -> Result<(), Box<dyn Error>> {
    let ImportArguments { workspace, parent, actor, create, path } = arguments;
    if !path.is_file() && !path.is_dir() {
        return Err(format!("{}: there is no such file or folder", path.display()).into());
    }
    if create {
        let now = context.clock.now();
        context
            .write(move |conn| Ok(workspace::store::create(conn, workspace, now)?))
            .await
            .map_err(error_for_operator)?;
    // A mistyped id must not import into a workspace that no grant selects.
    } else if context
        .read(move |conn| Ok(workspace::store::find(conn, workspace)?))
        .await
        .map_err(error_for_operator)?
        .is_none()
    {
        let known = "one is recorded when a grant that selects it is first used, or by import --create";
        return Err(format!("There is no workspace {workspace}: {known}.").into());
    }
    let actor = actor.unwrap_or_else(|| Actor {
        kind: ActorKind::Service,
        id: "import".to_owned(),
        display_name: "Import".to_owned(),
    });
    let author = Author {
        workspace,
        grant_id: "import".to_owned(),
        subject: "import".to_owned(),
        actor_json: serde_json::to_string(&actor)?,
        actor,
        via: Via::Import,
    };
    let by = ChangeContext {
        author,
        at: context.clock.now(),
        links: Arc::new(FileLinks::new(context)),
        signer: Arc::new(receipt_key::signer(context)),
        is_confirmed: false,
    };
    let tally = import::run(context, Import { by, target: parent, path }).await.map_err(error_for_operator)?;
    if !tally.is_complete() {
        return Err(tally.to_string().into());
    }
    print_error_line(tally);
    Ok(())
}

/// Reads an actor as tokens contain it.
fn actor(text: &str) -> Result<Actor, String> {
    let actor: Actor = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // Pages and answers show the actor to other people, so the rules are those of names.
    for text in [&actor.id, &actor.display_name] {
        shared_model::text::check_line(text, shared_model::name::MAX)?;
    }
    Ok(actor)
}

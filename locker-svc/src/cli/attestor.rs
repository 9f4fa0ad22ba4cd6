//! `locker-svc attestor`: registers and revokes attestors.

use std::{
    error::Error,
    io::{self, Write as _},
};

use clap::Subcommand;
use serde_json::json;
use shared_runtime::{Context, PublicKey};

use crate::attestations::{self, Attestor, AttestorKeyId};

#[derive(Subcommand, Debug)]
pub enum AttestorCommand {
    /// Register an attestor; its signatures then count
    Add {
        /// The id of its key, like build-1: 1 to 100 visible ASCII characters
        #[arg(long)]
        key_id: AttestorKeyId,
        /// The Ed25519 public key: base64 of its 32 bytes, or @FILE with that or with PEM, like @attestor.pub
        #[arg(long, value_parser = PublicKey::from_argument)]
        public_key: PublicKey,
    },
    /// Revoke an attestor; signatures by its key no longer count
    Revoke {
        /// The id of its key
        key_id: AttestorKeyId,
    },
    /// Print all attestors, one JSON object per line
    List,
}

pub async fn run(command: AttestorCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    let now = context.clock.now();
    match command {
        AttestorCommand::Add { key_id, public_key } => {
            let wanted = key_id.clone();
            let added = context.write(move |conn| Ok(attestations::add(conn, &wanted, public_key, now)?)).await;
            if !added? {
                return Err(format!("{key_id}: this key id or this key is taken; use a new id and a new key").into());
            }
            writeln!(io::stdout(), "{key_id}: registered")?;
        }
        AttestorCommand::Revoke { key_id } => {
            let sought = key_id.clone();
            if !context.write(move |conn| Ok(attestations::revoke(conn, &sought, now)?)).await? {
                return Err(format!("{key_id}: there is no such attestor").into());
            }
            writeln!(io::stdout(), "{key_id}: revoked")?;
        }
        AttestorCommand::List => {
            for attestor in context.read(|conn| Ok(attestations::list_attestors(conn)?)).await? {
                writeln!(io::stdout(), "{}", line(&attestor))?;
            }
        }
    }
    Ok(())
}

fn line(attestor: &Attestor) -> String {
    json!({
        "key_id": attestor.key_id.to_string(),
        "public_key": attestor.public_key.to_string(),
        "added_at": attestor.added_at,
        "revoked_at": attestor.revoked_at,
    })
    .to_string()
}

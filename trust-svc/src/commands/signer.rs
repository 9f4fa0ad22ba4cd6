//! `trust-svc signer`: manages the signers.

use std::{
    error::Error,
    io::{self, Write as _},
};

use shared_model::Timestamp;
use shared_runtime::{Context, PublicKey, service::cli::error_for_operator};

use crate::{
    model::{EventKind, KeyId},
    signers::{Policy, Signer, SignerRecord, registry, signer, store},
};

#[derive(clap::Subcommand, Debug)]
pub enum SignerCommand {
    /// Register a signer
    Add(Box<NewSigner>),
    /// Plan the end of a signer: it may not publish from that time on
    Retire {
        /// The signer's key id
        key_id: KeyId,
        /// The time of the end, like 2026-11-21T09:30:00Z [default: now]
        #[arg(long, value_name = "TIME", value_parser = timestamp)]
        at: Option<Timestamp>,
    },
    /// Revoke a signer immediately and forever, because its key is lost or stolen; the key counts under no other id
    Revoke {
        /// The signer's key id
        key_id: KeyId,
    },
    /// Print all signers, one JSON object per line
    List,
}

#[derive(clap::Args, Debug)]
pub struct NewSigner {
    /// The name of the key, like desk-1: 1 to 100 visible ASCII characters
    #[arg(long)]
    key_id: KeyId,
    /// The Ed25519 public key: base64 of its 32 bytes, or @FILE with that or PEM, like @desk.pub
    #[arg(long, value_parser = PublicKey::from_argument)]
    public_key: PublicKey,
    /// A kind of event that it may publish, like market.listed; repeat for more [default: all]
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<EventKind>,
    /// A prefix of the market ids that it may publish for; repeat for more [default: mkt_, all markets]
    #[arg(long = "market-prefix", value_name = "PREFIX", value_parser = signer::parse_market_prefix)]
    market_prefixes: Vec<String>,
    /// An Origin that it may publish from, like `https://desk.example`; repeat for more [default: none]
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = signer::parse_origin)]
    origins: Vec<String>,
    /// Refuse requests without an Origin header
    #[arg(long)]
    require_origin: bool,
    /// It may not publish before this time, like 2026-11-21T09:30:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    active_from: Option<Timestamp>,
    /// It may not publish from this time on [default: never]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    retires_at: Option<Timestamp>,
}

pub async fn run(command: SignerCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    let now = context.clock.now();
    match command {
        SignerCommand::Add(add) => {
            let signer = add.signer(now);
            let key_id = signer.key_id.clone();
            if !context.write(move |conn| Ok(registry::add(conn, &signer)?)).await? {
                return Err(format!("{key_id}: this key id or this key is taken; use a new id and a new key").into());
            }
            Ok(writeln!(io::stdout(), "{key_id}: registered")?)
        }
        SignerCommand::Retire { key_id, at } => {
            let (id, at) = (key_id.clone(), at.unwrap_or(now));
            let found = context.write(move |conn| registry::retire(conn, &id, at, now)).await;
            let found = found.map_err(error_for_operator)?;
            report(found, &key_id, &format!("retires at {at}"))
        }
        SignerCommand::Revoke { key_id } => {
            let id = key_id.clone();
            let found = context.write(move |conn| Ok(registry::revoke(conn, &id, now)?)).await?;
            report(found, &key_id, "revoked")
        }
        SignerCommand::List => {
            for signer in context.read(|conn| Ok(store::all(conn)?)).await? {
                writeln!(io::stdout(), "{}", serde_json::to_string(&SignerRecord::from(signer))?)?;
            }
            Ok(())
        }
    }
}

impl NewSigner {
    fn signer(self, now: Timestamp) -> Signer {
        let Policy { kinds, market_prefixes, .. } = Policy::default();
        Signer {
            key_id: self.key_id,
            public_key: self.public_key,
            policy: Policy {
                kinds: if self.kinds.is_empty() { kinds } else { self.kinds },
                market_prefixes: if self.market_prefixes.is_empty() { market_prefixes } else { self.market_prefixes },
                origins: self.origins,
                allow_absent_origin: !self.require_origin,
            },
            active_from: self.active_from.unwrap_or(now),
            retires_at: self.retires_at,
            revoked_at: None,
            created_at: now,
        }
    }
}

fn report(found: bool, key_id: &KeyId, what: &str) -> Result<(), Box<dyn Error>> {
    if found {
        Ok(writeln!(io::stdout(), "{key_id}: {what}")?)
    } else {
        Err(format!("{key_id}: there is no such signer").into())
    }
}

fn timestamp(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("must be like 2026-11-21T09:30:00Z")
}

//! `trust-svc signer`: who may publish.

use std::{
    error::Error,
    io::{self, Write as _},
};

use shared_model::Timestamp;
use shared_runtime::{Context, PublicKey};

use crate::{
    events::EventKind,
    signers::{KeyId, Policy, Signer, registry, shown::ShownSigner, signer, store},
};

/// What can be done with signers.
#[derive(clap::Subcommand, Debug)]
pub enum SignerCommand {
    /// Register a signer
    Add(Box<NewSigner>),
    /// Let a signer publish no more from a moment on, as planned
    Retire {
        /// The signer's key id
        key_id: KeyId,
        /// From when, like 2026-11-21T09:30:00Z [default: now]
        #[arg(long, value_name = "TIME", value_parser = timestamp)]
        at: Option<Timestamp>,
    },
    /// Let a signer publish no more at all: its key is lost or stolen
    Revoke {
        /// The signer's key id
        key_id: KeyId,
    },
    /// Print all signers, one JSON object a line
    List,
}

/// A signer to be.
#[derive(clap::Args, Debug)]
pub struct NewSigner {
    /// The name of the key, like desk-1: 1 to 100 visible ASCII characters
    #[arg(long)]
    key_id: KeyId,
    /// The Ed25519 public key: base64 of its 32 bytes, or @FILE with that or PEM, like @desk.pub
    #[arg(long, value_parser = PublicKey::from_argument)]
    public_key: PublicKey,
    /// A kind of event that it may publish, like market.listed; again for more [default: all]
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<EventKind>,
    /// What the ids of its markets begin with; again for more [default: mkt_, all markets]
    #[arg(long = "market-prefix", value_name = "PREFIX", value_parser = signer::parse_market_prefix)]
    market_prefixes: Vec<String>,
    /// An Origin that it publishes from, like `https://desk.example`; again for more [default: none]
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = signer::parse_origin)]
    origins: Vec<String>,
    /// Refuse requests without an Origin header
    #[arg(long)]
    require_origin: bool,
    /// From when it may publish, like 2026-11-21T09:30:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    active_from: Option<Timestamp>,
    /// From when it no longer may [default: never]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    retires_at: Option<Timestamp>,
}

/// Runs a command.
pub async fn run(command: SignerCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    let now = context.clock.now();
    match command {
        SignerCommand::Add(add) => {
            let signer = add.signer(now);
            let key_id = signer.key_id.clone();
            if !context.write(move |conn| Ok(registry::add(conn, &signer)?)).await? {
                return Err(format!("{key_id}: this key id is taken; a new key needs a new id").into());
            }
            Ok(writeln!(io::stdout(), "{key_id}: registered")?)
        }
        SignerCommand::Retire { key_id, at } => {
            let (sought, at) = (key_id.clone(), at.unwrap_or(now));
            let found = context.write(move |conn| Ok(registry::retire(conn, &sought, at, now)?)).await?;
            ended(found, &key_id, &format!("retires at {at}"))
        }
        SignerCommand::Revoke { key_id } => {
            let sought = key_id.clone();
            let found = context.write(move |conn| Ok(registry::revoke(conn, &sought, now)?)).await?;
            ended(found, &key_id, "revoked")
        }
        SignerCommand::List => {
            for signer in context.read(|conn| Ok(store::all(conn)?)).await? {
                writeln!(io::stdout(), "{}", serde_json::to_string(&ShownSigner::from(signer))?)?;
            }
            Ok(())
        }
    }
}

impl NewSigner {
    fn signer(self, now: Timestamp) -> Signer {
        let all = Policy::default();
        let or_all = |given: Vec<_>, all| if given.is_empty() { all } else { given };
        Signer {
            key_id: self.key_id,
            public_key: self.public_key,
            policy: Policy {
                kinds: if self.kinds.is_empty() { all.kinds } else { self.kinds },
                market_prefixes: or_all(self.market_prefixes, all.market_prefixes),
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

fn ended(found: bool, key_id: &KeyId, what: &str) -> Result<(), Box<dyn Error>> {
    if found {
        Ok(writeln!(io::stdout(), "{key_id}: {what}")?)
    } else {
        Err(format!("{key_id}: there is no such signer").into())
    }
}

fn timestamp(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("must be like 2026-11-21T09:30:00Z")
}

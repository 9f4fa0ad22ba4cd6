//! `locker-svc attestation`: records and signs attestations of images.

use std::{
    error::Error,
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Subcommand;
use shared_model::{Problem, text};
use shared_runtime::{Clock, Context, base::signing_key};

use crate::{
    attestations::{self, PAYLOAD_TYPE, RecordOutcome},
    dsse::{self, DsseEnvelope},
    image_digest::ImageDigest,
};

#[derive(Subcommand, Debug)]
pub enum AttestationCommand {
    /// Record an attestation, after checking that a registered attestor signed it
    Record {
        /// A DSSE envelope with an in-toto statement whose subjects are images
        file: PathBuf,
    },
    /// Sign an attestation of an image and print the envelope; needs no settings and no database
    Sign(SignAttestation),
}

#[derive(clap::Args, Clone, Debug)]
pub struct SignAttestation {
    /// File with the signing key: PKCS#8 PEM, Ed25519 (openssl genpkey -algorithm ed25519)
    #[arg(long)]
    key: PathBuf,
    /// The image: sha256: and 64 hexadecimal digits
    #[arg(long)]
    image: ImageDigest,
    /// The verifier that the statement names
    #[arg(long, default_value = "urn:fourfold:operator")]
    verifier: String,
}

pub async fn run(command: AttestationCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        AttestationCommand::Record { file } => record(context, &file).await,
        AttestationCommand::Sign(sign) => sign.run(),
    }
}

async fn record(context: &Context, file: &Path) -> Result<(), Box<dyn Error>> {
    let at = file.display();
    let mut text = Vec::new();
    // One byte more than allowed, so that parsing reports the size instead of broken JSON.
    let most = dsse::MAX_BYTES as u64 + 1;
    File::open(file)
        .and_then(|file| file.take(most).read_to_end(&mut text))
        .map_err(|error| format!("{at}: {error}"))?;
    let envelope =
        DsseEnvelope::parse(&text).map_err(|problems| format!("{at}: {}", describe("envelope", &problems)))?;
    if envelope.payload_type() != PAYLOAD_TYPE {
        return Err(format!("{at}: /payloadType must be {PAYLOAD_TYPE}").into());
    }
    let now = context.clock.now();
    let recorded = context.write(move |conn| Ok(attestations::record(conn, &envelope, now)?)).await?;
    match recorded {
        RecordOutcome::Stored(images, by) => {
            let by: Vec<_> = by.iter().map(ToString::to_string).collect();
            images.iter().try_for_each(|image| writeln!(io::stdout(), "{image}: attested by {}", by.join(", ")))?;
            Ok(())
        }
        RecordOutcome::NoSigner => {
            Err(format!("{at}: no registered and unrevoked attestor has signed this envelope").into())
        }
        RecordOutcome::InvalidStatement(problems) => Err(format!("{at}: {}", describe("statement", &problems)).into()),
    }
}

fn describe(what: &str, problems: &[Problem]) -> String {
    let lines = problems.iter().map(|Problem { at, rule }| format!("\n  {what}{} {rule}", text::printable(at)));
    format!("nothing was recorded:{}", lines.collect::<String>())
}

impl SignAttestation {
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        let Self { key, image, verifier } = self;
        let envelope = attestations::sign(&image, &verifier, &signing_key::read(&key)?, Clock::System.now());
        Ok(writeln!(io::stdout(), "{}", envelope.to_json())?)
    }
}

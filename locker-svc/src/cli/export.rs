//! `locker-svc export`: builds, lists, revokes and verifies exports.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
    time::Duration,
};

use clap::Subcommand;
use shared_runtime::{Context, base::progress, service::cli::CommandFuture};

use super::verify_export;
use crate::{
    exports::{
        build::{self, BuildRequest},
        collect_garbage, manifest, revoke, store,
    },
    ids::{ExportId, RoomId},
};

#[derive(Subcommand, Debug)]
pub enum ExportCommand {
    /// Pack a file or a folder into an export; run it again to resume after an interruption
    Build {
        /// The room: room_ and 32 hexadecimal digits; its owner may download the export
        #[arg(long, value_name = "ROOM_ID")]
        room: RoomId,
        /// The length of a part, like 512KiB or 1GiB
        #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size)]
        part_bytes: u64,
        /// How long it can be downloaded: 7d, 12h, at most 100years [default: until it is revoked]
        #[arg(long, value_name = "DURATION", value_parser = lifetime)]
        expires_in: Option<Duration>,
        /// Abandon an interrupted build of the same path, and start again
        #[arg(long)]
        restart: bool,
        /// The file, or the folder, which becomes a tar archive
        path: PathBuf,
    },
    /// Print all exports, newest first
    List,
    /// Revoke an export: its links stop working immediately, and its parts are removed
    Revoke {
        /// Its id, as `export list` prints it: exp_ and 32 hexadecimal digits
        export: ExportId,
    },
    /// Remove blobs of expired and revoked exports and abandoned builds
    Gc {
        /// A build without progress for this long is abandoned: 12h, 7d
        #[arg(long, value_name = "DURATION", default_value = "7d", value_parser = span)]
        abandoned_after: Duration,
    },
    /// Print the public key that verifies manifests
    Key,
    /// Check a folder of downloaded parts against their manifest.json, offline; exit with 1 when anything is wrong
    Verify {
        /// The folder with the parts and their manifest.json, and nothing else
        folder: PathBuf,
        /// The public key in hexadecimal digits, or a file that contains it
        #[arg(long, value_name = "KEY")]
        public_key: String,
        /// Write all parts to this file outside of the folder, if every check passes
        #[arg(long, value_name = "FILE")]
        assemble: Option<PathBuf>,
    },
}

impl ExportCommand {
    /// Runs the commands that need neither a database nor settings.
    pub fn offline(&self) -> Option<CommandFuture> {
        let Self::Verify { folder, public_key, assemble } = self else { return None };
        let (folder, public_key, assemble) = (folder.clone(), public_key.clone(), assemble.clone());
        Some(Box::pin(async move { verify_export::run(&folder, &public_key, assemble.as_deref()) }))
    }
}

pub async fn run(command: ExportCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        ExportCommand::Build { room, part_bytes, expires_in, restart, path } => {
            let request = BuildRequest { room, path, part_bytes, expires_in, restart, id: None };
            let bar = progress::byte_bar(0);
            let mut watch = |progress: build::Progress| {
                bar.set_length(progress.total);
                bar.set_position(progress.done);
            };
            let export = build::build(context, request, &mut watch).await?;
            bar.finish_and_clear();
            let (count, bytes) = (export.part_count.unwrap_or_default(), export.bytes.unwrap_or_default());
            // The export exists, so a closed standard error must not make the command fail.
            let _ = writeln!(
                io::stderr(),
                "{}: {count} part(s), {bytes} bytes, sha256 {}",
                export.file_name,
                export.sha256.unwrap_or_default()
            );
            Ok(writeln!(io::stdout(), "{}", export.id)?)
        }
        ExportCommand::List => list(context).await,
        ExportCommand::Revoke { export } => {
            let result = match revoke(context, export).await? {
                None => return Err(format!("there is no export {export}").into()),
                Some(true) => "revoked",
                Some(false) => "had already ended",
            };
            Ok(writeln!(io::stdout(), "{export}: {result}")?)
        }
        ExportCommand::Gc { abandoned_after } => {
            let collected = collect_garbage(context, abandoned_after).await?;
            let (expired, given_up, blobs) = (collected.expired, collected.given_up, collected.blobs);
            Ok(writeln!(io::stdout(), "{expired} expired, {given_up} abandoned, {blobs} blobs removed")?)
        }
        ExportCommand::Key => {
            let key = manifest::signing_key(&context.secret).verifying_key();
            Ok(writeln!(io::stdout(), "{}", hex::encode(key.as_bytes()))?)
        }
        ExportCommand::Verify { folder, public_key, assemble } => {
            verify_export::run(&folder, &public_key, assemble.as_deref())
        }
    }
}

async fn list(context: &Context) -> Result<(), Box<dyn Error>> {
    let now = context.clock.now();
    let exports = context.read(|conn| Ok(store::list_all(conn)?)).await?;
    let mut out = io::stdout().lock();
    for export in exports {
        let number = |number: Option<i64>| number.map_or("-".to_owned(), |number| number.to_string());
        let expires = export.expires_at.map_or("never".to_owned(), |at| at.to_string());
        writeln!(
            out,
            "{} {} {:8} {:>3} parts {:>12} bytes  expires {expires}  {}",
            export.id,
            export.room_id,
            export.state_at(now).as_str(),
            number(export.part_count),
            number(export.bytes),
            export.file_name,
        )?;
    }
    Ok(())
}

/// A size: digits, optionally followed by KiB, MiB or GiB.
fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 4] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let unit = UNITS.iter().find_map(|(name, unit)| text.strip_suffix(name).map(|digits| (digits, unit)));
    let size = unit.and_then(|(digits, unit)| digits.trim().parse::<u64>().ok()?.checked_mul(*unit));
    // 5 GiB is the largest object that S3 accepts in one request.
    size.filter(|size| (1..=5 << 30).contains(size))
        .ok_or_else(|| "must be from 1 to 5GiB, like 65536, 512KiB or 64MiB".to_owned())
}

fn span(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "must be like 7d or 12h".to_owned())
}

/// How long an export lives: one second to a hundred years.
fn lifetime(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(100 * 31_557_600);
    let span = span(text)?;
    let is_sensible = (Duration::from_secs(1)..=LONGEST).contains(&span);
    is_sensible.then_some(span).ok_or_else(|| "must be from 1s to 100years, like 12h, 7d or 1year".to_owned())
}

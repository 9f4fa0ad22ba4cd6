//! Finds the built programs of the services, next to this program.

use std::{path::PathBuf, process::Command};

use anyhow::{Context as _, Result, bail};

// The program of a service. Under `cargo run`, builds it first, so that the measured program matches the source.
pub fn of(service: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program is in no folder")?;
    // Cargo names the folder after the profile, but for `dev`.
    let profile = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_debug = profile == "debug";
    if let Some(cargo) = std::env::var_os("CARGO") {
        let profile = if is_debug { "dev" } else { profile };
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "-p", service, "--profile", profile]);
        // Cargo's variables about this package would make build scripts run again and rebuild crates.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
                build.env_remove(name);
            }
        }
        let built = build.status()?;
        if !built.success() {
            bail!("cannot build {service}");
        }
    }
    let program = folder.join(service);
    if !program.is_file() {
        bail!("there is no {}; build it with cargo build --release -p {service}", program.display());
    }
    if is_debug {
        println!("This is a debug build: its figures do not apply to a release. Use cargo run --release.");
    }
    Ok(program)
}

//! The services as they are built, beside this very program.

use std::{path::PathBuf, process::Command};

use anyhow::{Context as _, Result, bail};

/// The built program of a service. Under `cargo run` it is built first, so that what is measured is what is written.
pub fn of(service: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program is in no folder")?;
    let is_release = folder.ends_with("release");
    if let Some(cargo) = std::env::var_os("CARGO") {
        let profile: &[&str] = if is_release { &["--release"] } else { &[] };
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "-p", service]).args(profile);
        // What cargo tells this program of its own package would have build scripts run again, and crates with them.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
                build.env_remove(name);
            }
        }
        let built = build.status()?;
        if !built.success() {
            bail!("{service} does not build");
        }
    }
    let program = folder.join(service);
    if !program.is_file() {
        bail!("there is no {}; cargo build --release -p {service} makes it", program.display());
    }
    if !is_release {
        println!("This is a debug build: the figures say nothing about the service. Use cargo run --release.");
    }
    Ok(program)
}

//! The local stack: `cargo run` starts all four services with an issuer of tokens and sample data.

mod arguments;
mod banner;
mod certificate;
mod client;
mod containers;
mod databases;
mod error;
mod home;
mod issuer;
mod keys;
mod manifest;
mod model;
mod places;
mod plan;
mod ports;
mod receiver;
mod samples;
mod shell;
mod stack;
mod surfaces;
mod token_command;
mod tokens;

use std::{
    env,
    error::Error,
    io::{self, Write as _},
    process::ExitCode,
};

use actix_web::rt::System;
use clap::Parser as _;
use shared_runtime::{
    base::{telemetry, tls},
    service::printed,
};

use arguments::{Arguments, Command, Containers};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if printed::to_nobody(&*error) => printed::TO_NOBODY.into(),
        Err(error) => {
            // Where standard error is closed there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let rust_log = env::var("RUST_LOG").ok();
    if let Some(Err(rule)) = rust_log.as_deref().map(telemetry::filter) {
        return Err(format!("RUST_LOG {rule}").into());
    }
    // The banner stays readable: nothing is logged but what is worth a look.
    telemetry::start_logging(rust_log.as_deref(), "warn");
    tls::install_cryptography();
    match arguments.command {
        Some(Command::Token(token)) => token_command::run(token),
        Some(Command::Env(env)) => Ok(shell::print(&env.data)?),
        Some(Command::Containers(Containers::Prepare(prepare))) => Ok(containers::prepare::run(&prepare.data)?),
        Some(Command::Containers(Containers::Attend(attend))) => {
            Ok(System::new().block_on(containers::attend::run(&attend.data))?)
        }
        None => Ok(System::new().block_on(stack::run(arguments.run))?),
    }
}

//! The local stack: `cargo run` starts all four services with an issuer of tokens and sample data.

mod arguments;
mod banner;
mod certificate;
mod client;
mod databases;
mod error;
mod home;
mod issuer;
mod keys;
mod manifest;
mod model;
mod plan;
mod ports;
mod print;
mod samples;
mod shell;
mod stack;
mod surfaces;
mod token_command;
mod tokens;

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use actix_web::rt::System;
use clap::Parser as _;
use shared_runtime::base::{telemetry, tls};

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // The banner stays readable: nothing is logged but what is worth a look.
    telemetry::start_logging(std::env::var("RUST_LOG").ok().as_deref(), "warn");
    tls::install_cryptography();
    let outcome = match arguments.command {
        Some(Command::Token(token)) => token_command::run(token),
        None => System::new().block_on(stack::run(arguments.run)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where standard error is closed there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod addresses;
mod arguments;
mod banner;
mod certificate;
mod client;
mod containers;
mod data_folder;
mod databases;
mod error;
mod issuer;
mod keys;
mod launch;
mod model;
mod ports;
mod receiver;
mod reference;
mod sample_ids;
mod samples;
mod service_name;
mod shell;
mod stack;
mod stack_file;
mod token_command;
mod tokens;

use std::{
    env,
    error::Error,
    io::{self, Write as _},
    process::ExitCode,
};

use actix_web::rt::System;
use shared_runtime::{
    base::{telemetry, tls},
    service::printed,
};

use arguments::{Arguments, Command, Containers};

fn main() -> ExitCode {
    match run(Arguments::read(env::args_os()).unwrap_or_else(|error| error.exit())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if printed::is_closed_pipe(&*error) => printed::CLOSED_PIPE.into(),
        Err(error) => {
            // If standard error is closed, nobody can read the message.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(Arguments { data, run, command }: Arguments) -> Result<(), Box<dyn Error>> {
    let rust_log = env::var("RUST_LOG").ok();
    if let Some(Err(rule)) = rust_log.as_deref().map(telemetry::filter) {
        return Err(format!("RUST_LOG {rule}").into());
    }
    // Warnings only, so that the banner stays on the screen.
    telemetry::start_logging(rust_log.as_deref(), "warn");
    tls::install_cryptography();
    match command {
        Some(Command::Token(token)) => token_command::run(&data, token),
        Some(Command::Env) => Ok(shell::print(&data)?),
        Some(Command::Containers(Containers::Prepare)) => Ok(containers::prepare::run(&data)?),
        Some(Command::Containers(Containers::Attend)) => Ok(System::new().block_on(containers::attend::run(&data))?),
        Some(Command::Reference { folder }) => Ok(reference::write(&folder)?),
        None => Ok(System::new().block_on(stack::run(&data, run))?),
    }
}

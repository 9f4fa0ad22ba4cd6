//! `locker-svc` at the command line, beside a service on the same database.

use std::process::{Command, Output, Stdio};

use shared_testing::Stage;

/// The program with these arguments, without an environment.
pub fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locker-svc"));
    command.args(arguments).env_clear().stdin(Stdio::null());
    command
}

/// The program with these arguments, on the database and blob store of the stage.
pub fn command(stage: &Stage, arguments: &[&str]) -> Command {
    let mut command = bare(arguments);
    command
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET)
        .env("BLOB_STORE", format!("file:{}", stage.folder().join("blobs").display()))
        .current_dir(stage.folder());
    command
}

/// Runs the program with these arguments on the stage.
pub fn locker(stage: &Stage, arguments: &[&str]) -> Output {
    command(stage, arguments).output().expect("the command runs")
}

/// Everything that a command printed: standard output, then standard error.
pub fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

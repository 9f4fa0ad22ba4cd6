//! The command line of every service: `serve` (default), `migrate`, `healthcheck`, `openapi`, `grant`, and the service's
//! own commands.

use std::{
    error::Error as StdError,
    io::{self, Write as _},
    pin::Pin,
    process::{self, ExitCode},
    time::Duration,
};

use actix_web::rt::{self, System};
use clap::{
    ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
    error::{ContextKind, ErrorKind},
};
use shared_model::text::printable;

use super::{
    definition::Service,
    grant_command::{self, GrantCommand},
    printed, server,
    shutdown::Signals,
};
use crate::{
    base::{allocator, clock::Clock, failpoint, limited_body, metrics, program_pages, telemetry, tls},
    context::{
        Context,
        settings::{CheckedGroups, Mistakes, Settings, SettingsArguments, lookalikes, optional},
    },
    mcp,
    state::db::Db,
};
use shared_model::{Failure, Random};

pub use super::operator_error::error_for_operator;

pub type CommandFuture = Pin<Box<dyn Future<Output = Result<(), Box<dyn StdError>>>>>;

pub trait Commands: Subcommand + 'static {
    /// Runs a command without settings and without a database; `None` for the others.
    fn run_offline(&self) -> Option<CommandFuture> {
        None
    }

    /// Another service with its own database and port, for a command that serves it; `None` for the others.
    fn served(&self) -> Result<Option<Service>, Box<dyn StdError>> {
        Ok(None)
    }

    fn run(self, context: Context) -> CommandFuture;
}

#[derive(Parser)]
struct CommandLine<C: Subcommand> {
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(subcommand)]
    command: Option<Command<C>>,
}

/// Settings before they are checked: the common ones, and the command line with those of the service's own groups.
struct GivenSettings {
    common: SettingsArguments,
    matches: ArgMatches,
}

#[derive(Subcommand)]
enum Command<C: Subcommand> {
    #[command(flatten)]
    Common(CommonCommand),
    #[command(flatten)]
    Own(C),
}

#[derive(Subcommand)]
enum CommonCommand {
    /// Serve until SIGTERM or Ctrl-C (the default command)
    Serve,
    /// Update the database's schema, or check whether it is up to date
    Migrate {
        /// Change nothing; exit with 1 if migrations are pending
        #[arg(long)]
        check: bool,
        /// Change the SERVICE_SECRET to the one that is set now. The service must be stopped
        #[arg(long, conflicts_with = "check")]
        new_secret: bool,
    },
    /// Check whether the service on this machine is ready; exit with 1 if it is not
    Healthcheck,
    /// Print the OpenAPI document
    Openapi,
    /// Print server.json, by which registries of MCP servers know this service
    ServerJson {
        /// Its name in the registry, of a domain that you own, for example com.example/cloud
        #[arg(value_parser = mcp::registry_name)]
        name: String,
    },
    /// List, show and revoke grants of access
    #[command(subcommand)]
    Grant(GrantCommand),
}

/// A command without the type of the service's own commands, so that what carries it out is compiled once.
enum Task {
    Common(CommonCommand),
    Offline(CommandFuture),
    Serve(Box<Service>),
    OnContext(Box<dyn FnOnce(Context) -> CommandFuture>),
}

impl Task {
    fn of(command: impl Commands) -> Result<Self, Box<dyn StdError>> {
        if let Some(done) = command.run_offline() {
            return Ok(Self::Offline(done));
        }
        Ok(match command.served()? {
            Some(other) => Self::Serve(Box::new(other)),
            None => Self::OnContext(Box::new(|context| command.run(context))),
        })
    }
}

pub fn main<C: Commands>(service: Service) -> ExitCode {
    // First of all, because it only affects later allocations.
    allocator::purge_soon();
    let command = command::<C>(&service);
    let mut matches = command.clone().try_get_matches().unwrap_or_else(|error| without_settings(error).exit());
    let common = SettingsArguments::from_matches(&command, &mut matches).unwrap_or_else(|error| error.exit());
    let line = CommandLine::<C>::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    telemetry::start_logging(common.rust_log.as_deref(), telemetry::DEFAULT_FILTER);
    failpoint::configure();
    let task = match line.command {
        None => Ok(Task::Common(CommonCommand::Serve)),
        Some(Command::Common(command)) => Ok(Task::Common(command)),
        Some(Command::Own(command)) => Task::of(command),
    };
    carry_out(service, task, GivenSettings { common, matches })
}

/// The error without a usage line that would list each setting of the environment as if the command needed it.
fn without_settings(mut error: clap::Error) -> clap::Error {
    if matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict) {
        error.remove(ContextKind::Usage);
    }
    error
}

fn carry_out(service: Service, task: Result<Task, Box<dyn StdError>>, settings: GivenSettings) -> ExitCode {
    match task.and_then(|task| System::new().block_on(run(service, task, settings))) {
        Ok(code) => code,
        Err(error) if printed::is_closed_pipe(&*error) => printed::CLOSED_PIPE.into(),
        Err(error) => {
            // Not a log line: a person typed the command.
            let _ = writeln!(io::stderr(), "error: {}", shown(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

/// A message as a terminal shows it.
fn shown(message: &str) -> String {
    // The line breaks are ours, but quoted text may be anybody's: it must not control the terminal. Tabs are libpq's.
    let lines = message.trim_end().lines().map(|line| printable(&line.replace('\t', "  ")).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn command<C: Commands>(service: &Service) -> clap::Command {
    let name = format!("{}-svc", service.surface.name);
    // The groups come first: clap takes the doc comment of a group for the text about the whole.
    let command = service
        .settings_groups()
        .iter()
        .fold(CommandLine::<C>::command(), |command, group| (group.augment)(command))
        .bin_name(&name)
        .display_name(&name)
        .version(metrics::VERSION)
        .about(service.surface.title)
        .after_help("Settings are environment variables or options of the same names; --help lists them.")
        .after_long_help("Exit codes: 0 success, 1 failure, 2 wrong command line.");
    let command = command.mut_subcommand("grant", |grant| grant.hide(!service.takes_tokens()));
    optional::arrange(command, &service.unused_settings())
}

async fn run(service: Service, task: Task, settings: GivenSettings) -> Result<ExitCode, Box<dyn StdError>> {
    match task {
        Task::Common(command) => return run_common(service, command, settings).await,
        Task::Offline(done) => done.await?,
        Task::Serve(other) => serve(*other, settings).await?,
        Task::OnContext(run) => run(context(&service, settings).await?).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn run_common(
    service: Service,
    command: CommonCommand,
    settings: GivenSettings,
) -> Result<ExitCode, Box<dyn StdError>> {
    match command {
        CommonCommand::Serve => serve(service, settings).await?,
        CommonCommand::Migrate { check: true, .. } => {
            settings.common.must_have_database(service.surface)?;
            let db = server::open_database(&service, &checked(&service, settings)?).await?;
            let pending = db.pending_migrations().await?;
            say_migrations("pending", &pending)?;
            return Ok(if pending.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        CommonCommand::Migrate { new_secret: true, .. } => {
            settings.common.must_have_database(service.surface)?;
            let settings = checked(&service, settings)?;
            let identity = server::identity(&service, &settings).taking_secret();
            let db = Db::open(&settings.database_url, settings.connections, identity).await?;
            // A running service would continue with the old secret. On PostgreSQL migrating checks that there is none.
            db.lock_for_serving()?;
            let applied = db.migrate().await.map_err(of_migrator)?;
            db.close().await;
            say_migrations("applied", &applied)?;
            writeln!(io::stdout(), "the database now has the SERVICE_SECRET that is set")?;
        }
        CommonCommand::Migrate { .. } => {
            let db = server::open_database(&service, &checked(&service, settings)?).await?;
            let applied = db.migrate().await.map_err(of_migrator)?;
            // Otherwise a -wal file stays next to a SQLite database.
            db.close().await;
            say_migrations("applied", &applied)?;
        }
        CommonCommand::Healthcheck => healthcheck(settings.common.ops_address(service.surface)?).await?,
        CommonCommand::Openapi => {
            io::stdout().write_all(service.openapi().as_bytes())?;
        }
        CommonCommand::ServerJson { name } => {
            let base_url = settings.common.public_url()?;
            let described = mcp::server_json(service.surface, metrics::VERSION, &base_url, &name);
            writeln!(io::stdout(), "{described:#}")?;
        }
        CommonCommand::Grant(_) if !service.takes_tokens() => {
            return Err("this service takes no access tokens, so it has no grants".into());
        }
        CommonCommand::Grant(command) => grant_command::run(command, &context(&service, settings).await?).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// PostgreSQL says that this role may not, but not which role may.
fn of_migrator(failure: Failure) -> Box<dyn StdError> {
    let text = failure.to_string();
    if text.contains("permission denied") {
        format!("{text}: this needs the migrator's role").into()
    } else {
        failure.into()
    }
}

/// One migration a line.
fn say_migrations(what: &str, names: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if names.is_empty() {
        return writeln!(out, "the schema is up to date");
    }
    names.iter().try_for_each(|name| writeln!(out, "{what}: {name}"))
}

fn checked(service: &Service, settings: GivenSettings) -> Result<Settings, Mistakes> {
    check(service, settings, |_, _| {})
}

/// A service that serves needs more than a command: the key of its log.
fn checked_to_serve(service: &Service, settings: GivenSettings) -> Result<Settings, Mistakes> {
    check(service, settings, |settings, mistakes| {
        let is_postgres = settings.database_url.as_deref().is_some_and(|url| url.starts_with("postgres"));
        if service.signs_log() && is_postgres && settings.log_signing_key.is_none() {
            mistakes.note("LOG_SIGNING_KEY", "is needed with PostgreSQL: a file with an Ed25519 key in PKCS#8 PEM");
        }
    })
}

fn check(
    service: &Service,
    settings: GivenSettings,
    check_further: impl FnOnce(&SettingsArguments, &mut Mistakes),
) -> Result<Settings, Mistakes> {
    let GivenSettings { common, matches } = settings;
    let mut groups = CheckedGroups::default();
    let checked = common.check_with(service.surface, &service.routes().limits(), |common, mistakes| {
        for group in service.settings_groups() {
            (group.check)(&matches, common, mistakes, &mut groups);
        }
        check_further(common, mistakes);
    })?;
    Ok(Settings { groups, ..checked })
}

/// For commands that need an existing database: none is created.
async fn context(service: &Service, settings: GivenSettings) -> Result<Context, Box<dyn StdError>> {
    settings.common.must_have_database(service.surface)?;
    Ok(server::context(service, checked(service, settings)?, Clock::System, Random::System).await?)
}

async fn serve(service: Service, settings: GivenSettings) -> Result<(), Box<dyn StdError>> {
    let ignored = optional::set_but_unused(&service.unused_settings());
    if !ignored.is_empty() {
        tracing::warn!(settings = ignored.join(", "), "settings are set that this service does not use");
    }
    let mut signals = Signals::listen()?;
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (variable, setting) in lookalikes(&service.setting_names(), variables) {
        tracing::warn!(variable, setting, "this environment variable is not a setting; did you mean the other name?");
    }
    let start = server::start(service.clone(), checked_to_serve(&service, settings)?, Clock::System, Random::System);
    let running = tokio::select! {
        running = start => running?,
        () = signals.next() => {
            // Nobody was served yet, and a migration is either complete or undone.
            tracing::info!("stopped before it was ready");
            process::exit(0);
        }
    };
    rt::spawn(program_pages::release_startup_pages());
    signals.next().await;
    tracing::info!("stopping: requests in flight may finish; another signal after one second stops immediately");
    signals.unless_again(running.stop()).await;
    Ok(())
}

const STATE_BYTES: usize = 16 * 1024;

async fn healthcheck(address: std::net::SocketAddr) -> Result<(), Box<dyn StdError>> {
    tls::install_cryptography();
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(3)).build()?;
    let url = format!("http://{address}/readyz");
    match client.get(&url).send().await {
        Ok(response) => {
            let status = response.status();
            print_state(reqwest::Body::from(response)).await?;
            if status.is_success() { Ok(()) } else { Err(format!("not ready: {status} at {url}").into()) }
        }
        Err(error) => Err(format!("{} at {url}", cause(&error)).into()),
    }
}

/// Prints the parts of the readiness answer, a line each, and nothing for another answer.
async fn print_state(answer: reqwest::Body) -> io::Result<()> {
    let answer = limited_body::read(answer, STATE_BYTES).await.unwrap_or_default();
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap_or_default();
    for (part, state) in answer["parts"].as_object().into_iter().flatten() {
        // One line, whatever the cause has: libpq answers with line breaks and tabs.
        let state = state.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(io::stdout(), "{}: {}", printable(part), printable(&state))?;
    }
    Ok(())
}

/// Why no answer came: the innermost cause of the client's error.
fn cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer within 3 seconds".to_owned();
    }
    let mut innermost: &dyn StdError = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.downcast_ref::<io::Error>().map_or_else(|| innermost.to_string(), |error| error.kind().to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_role_without_permission_is_told_which_role_it_needs() {
        let said = |what: &str| super::of_migrator(shared_model::Failure::fault(what)).to_string();
        assert_eq!(
            said("permission denied for schema a"),
            "permission denied for schema a: this needs the migrator's role"
        );
        assert_eq!(said("the disk is full"), "the disk is full");
    }

    #[test]
    fn a_message_keeps_its_lines_and_has_no_tabs() {
        let message = "connection refused\n\tIs the server running? \u{1b}[2J\n";
        assert_eq!(super::shown(message), "connection refused\n  Is the server running? \\u{1b}[2J");
    }
}

//! The command line that every service has: `serve` (default), `migrate`, `healthcheck`, `openapi`, `grant revoke`,
//! and the service's own provisioning commands.

use std::{
    error::Error as StdError,
    io::{self, Write as _},
    pin::Pin,
    process::{self, ExitCode},
    time::Duration,
};

use actix_web::rt::{self, System};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use shared_model::text::printable;

use super::{definition::Service, printed, server, shutdown::Signals};
use crate::{
    base::{allocator, clock::Clock, failpoint, limited_body, metrics, program_pages, random::Random, telemetry, tls},
    context::{
        Context,
        settings::{Mistakes, Settings, SettingsArguments, lookalikes, on_command_line},
    },
    identity,
    state::db::{Conn, Db},
};

/// What a command of a service returns.
pub type CommandFuture = Pin<Box<dyn Future<Output = Result<(), Box<dyn StdError>>>>>;

/// A service's own commands.
pub trait Commands: Subcommand + 'static {
    /// Runs a command that needs no context, so that it makes no database and wants no settings; `None` for the others.
    fn run_offline(&self) -> Option<CommandFuture> {
        None
    }

    /// Another service, with its own database and port, which the command serves; `None` for the others.
    fn served(&self) -> Result<Option<Service>, Box<dyn StdError>> {
        Ok(None)
    }

    /// Runs a command.
    fn run(self, context: Context) -> CommandFuture;
}

/// A service without commands of its own.
#[derive(Subcommand, Debug)]
pub enum NoCommands {}

impl Commands for NoCommands {
    fn run(self, _: Context) -> CommandFuture {
        match self {}
    }
}

#[derive(Parser)]
struct CommandLine<C: Subcommand> {
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(subcommand)]
    command: Option<Command<C>>,
}

#[derive(Subcommand)]
enum Command<C: Subcommand> {
    /// Serve until SIGTERM or Ctrl-C (this is what happens without a command)
    Serve,
    /// Bring the database's schema up to date, or only say whether it is
    Migrate {
        /// Change nothing; exit with 1 when migrations are pending
        #[arg(long)]
        check: bool,
        /// Change SERVICE_SECRET: the database takes the one that is set now for its own. The service must be stopped
        #[arg(long, conflicts_with = "check")]
        new_secret: bool,
    },
    /// Ask a running service on this machine whether it is ready; exit with 1 when it is not
    Healthcheck,
    /// Print the OpenAPI document
    Openapi,
    /// End grants of access
    #[command(subcommand)]
    Grant(GrantCommand),
    #[command(flatten)]
    Own(C),
}

#[derive(Subcommand)]
enum GrantCommand {
    /// End a grant now: its tokens are refused from here on, on every replica
    Revoke {
        /// The `grant_id` claim of its tokens, like grant_cloud_ada
        #[arg(value_parser = clap::builder::NonEmptyStringValueParser::new())]
        grant_id: String,
    },
}

/// Runs a service's command line.
pub fn main<C: Commands>(service: Service) -> ExitCode {
    allocator::keep_little();
    let matches = command::<C>(&service).get_matches();
    let arguments = CommandLine::<C>::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    telemetry::start_logging(arguments.settings.rust_log.as_deref(), telemetry::DEFAULT);
    failpoint::configure();
    match System::new().block_on(run(service, arguments)) {
        Ok(code) => code,
        Err(error) if printed::to_nobody(&*error) => printed::TO_NOBODY.into(),
        Err(error) => {
            // Not a log line: this is for whoever typed the command.
            let text = error.to_string();
            // Lines of ours; what else it quotes may be anybody's.
            let lines: Vec<_> = text.trim_end().lines().map(printable).collect();
            let _ = writeln!(io::stderr(), "error: {}", lines.join("\n"));
            ExitCode::FAILURE
        }
    }
}

/// The grammar of a service's command line.
fn command<C: Commands>(service: &Service) -> clap::Command {
    let name = format!("{}-svc", service.surface.name);
    let command = CommandLine::<C>::command()
        .bin_name(&name)
        .display_name(&name)
        .version(metrics::VERSION)
        .about(service.surface.title)
        .after_help("Settings are environment variables, or options of the same names: --help lists them.")
        .after_long_help("Exit codes: 0 it is done, 1 it is not, 2 the command line is not understood.");
    let command = command.mut_subcommand("grant", |grant| grant.hide(!service.takes_tokens()));
    on_command_line::arrange(command, &service.unused_settings())
}

async fn run<C: Commands>(service: Service, arguments: CommandLine<C>) -> Result<ExitCode, Box<dyn StdError>> {
    let settings = arguments.settings;
    match arguments.command.unwrap_or(Command::Serve) {
        Command::Serve => serve(service, settings).await?,
        Command::Migrate { check: true, .. } => {
            settings.must_have_database(service.surface)?;
            let db = server::open_database(&service, &checked(&service, settings)?).await?;
            let pending = db.pending_migrations().await?;
            say_migrations("pending", &pending)?;
            return Ok(if pending.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Command::Migrate { new_secret: true, .. } => {
            settings.must_have_database(service.surface)?;
            let settings = checked(&service, settings)?;
            let identity = server::identity(&service, &settings).taking_secret();
            let db = Db::open(&settings.database_url, settings.connections, identity).await?;
            // A service that runs would go on with the old secret.
            db.lock_for_serving()?;
            let applied = db.migrate().await?;
            db.close().await;
            say_migrations("applied", &applied)?;
            writeln!(io::stdout(), "the database has the SERVICE_SECRET that is set now")?;
        }
        Command::Migrate { .. } => {
            let db = server::open_database(&service, &checked(&service, settings)?).await?;
            let applied = db.migrate().await?;
            // So that no -wal is left beside a SQLite file.
            db.close().await;
            say_migrations("applied", &applied)?;
        }
        Command::Healthcheck => healthcheck(settings.ops_address(service.surface)?).await?,
        Command::Openapi => {
            io::stdout().write_all(service.openapi().as_bytes())?;
        }
        Command::Grant(_) if !service.takes_tokens() => {
            return Err("this service takes no access tokens, so it has no grants".into());
        }
        Command::Grant(GrantCommand::Revoke { grant_id }) => {
            let context = context(&service, settings).await?;
            let now = context.clock.now();
            let revoked = grant_id.clone();
            let transaction = move |conn: &mut Conn| {
                Ok((identity::revoke(conn, &revoked, now)?, identity::was_seen(conn, &revoked)?))
            };
            let said = match context.write(transaction).await.map_err(told)? {
                (false, _) => "was revoked before",
                (true, true) => "revoked",
                (true, false) => "revoked, but no token of it was ever seen here: is this its grant_id?",
            };
            writeln!(io::stdout(), "{grant_id}: {said}")?;
        }
        Command::Own(command) => {
            if let Some(done) = command.run_offline() {
                done.await?;
            } else if let Some(other) = command.served()? {
                serve(other, settings).await?;
            } else {
                command.run(context(&service, settings).await?).await?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What became of the migrations, one a line, or is to become of them.
fn say_migrations(what: &str, names: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if names.is_empty() {
        return writeln!(out, "the schema is up to date");
    }
    names.iter().try_for_each(|name| writeln!(out, "{what}: {name}"))
}

fn checked(service: &Service, settings: SettingsArguments) -> Result<Settings, Mistakes> {
    settings.check_with(service.surface, &service.routes().limits(), service.check_settings)
}

/// The settings of what is to be served.
fn checked_to_serve(service: &Service, settings: SettingsArguments) -> Result<Settings, Mistakes> {
    settings.check_with(service.surface, &service.routes().limits(), |settings, mistakes| {
        (service.check_settings)(settings, mistakes);
        let is_sqlite = settings.database_url.as_deref().is_none_or(|url| url.starts_with("sqlite:"));
        if service.signs_log() && !is_sqlite && settings.log_signing_key.is_none() {
            mistakes.note("LOG_SIGNING_KEY", "is needed with PostgreSQL: a file with an Ed25519 key in PKCS#8 PEM");
        }
    })
}

/// For commands beside a service: a database that is not there is a mistake of theirs, and none is made.
async fn context(service: &Service, settings: SettingsArguments) -> Result<Context, Box<dyn StdError>> {
    settings.must_have_database(service.surface)?;
    Ok(server::context(service, checked(service, settings)?, Clock::System, Random::System).await?)
}

/// For a person at a command line, who is the operator: refusal and failure alike are told.
pub fn told(error: shared_model::Error) -> Box<dyn StdError> {
    match error {
        shared_model::Error::Refused(refusal) => refusal.message.into_owned().into(),
        shared_model::Error::Failed(failure) => failure.into(),
    }
}

async fn serve(service: Service, settings: SettingsArguments) -> Result<(), Box<dyn StdError>> {
    let ignored = on_command_line::set_for_nothing(&service.unused_settings());
    if !ignored.is_empty() {
        tracing::warn!(settings = ignored.join(", "), "settings that this service has no use for are set");
    }
    let mut signals = Signals::listen()?;
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (variable, setting) in lookalikes(variables) {
        tracing::warn!(variable, setting, "this variable of the environment is no setting: was the other one meant?");
    }
    let start = server::start(service.clone(), checked_to_serve(&service, settings)?, Clock::System, Random::System);
    let running = tokio::select! {
        running = start => running?,
        () = signals.next() => {
            // Whatever the start waits for, nobody was served, and a migration is whole or was not.
            tracing::info!("stopped before it served");
            process::exit(0);
        }
    };
    rt::spawn(program_pages::forget_start());
    signals.next().await;
    tracing::info!("stopping: requests in flight may finish; another signal, a second or more from now, stops at once");
    signals.unless_again(running.stop()).await;
    Ok(())
}

/// Bytes of a readiness probe's answer at most.
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

/// The parts of a readiness probe, a line each: none of what is no such answer, whose status says enough.
async fn print_state(answer: reqwest::Body) -> io::Result<()> {
    let answer = limited_body::read(answer, STATE_BYTES).await.unwrap_or_default();
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap_or_default();
    for (part, state) in answer["parts"].as_object().into_iter().flatten() {
        writeln!(io::stdout(), "{}: {}", printable(part), printable(state.as_str().unwrap_or_default()))?;
    }
    Ok(())
}

/// Why no answer came, in a few words: what lies under the client's own errors.
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

//! Checks the command line that all services have in common.

use std::{
    io::pipe,
    path::Path,
    process::{Command, Output, Stdio},
};

use shared_runtime::service::Service;

use crate::{database::Database, servers, stage::SERVICE_SECRET};

/// Checks the program (`env!("CARGO_BIN_EXE_cloud-svc")`) of a service.
pub fn check(binary: &str, service: &Service) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = Database::fresh(servers::of_this_run().as_ref(), folder.path());
    let line = CommandLine { binary, folder: folder.path(), database_url: &database.url };
    line.says_what_it_and_its_commands_are(service);
    line.shows_a_command_s_own_options_first();
    line.takes_only_the_settings_that_are_of_use(service);
    line.says_what_migrate_did();
    line.tells_mistakes(service);
    line.ends_quietly_when_nobody_reads();
}

struct CommandLine<'t> {
    binary: &'t str,
    folder: &'t Path,
    database_url: &'t str,
}

impl CommandLine<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        // Without the caller's environment, which may contain settings.
        command.args(arguments).env_clear().current_dir(self.folder).stdin(Stdio::null());
        command.env("DATABASE_URL", self.database_url).env("SERVICE_SECRET", SERVICE_SECRET);
        command
    }

    /// The output of a command, which must succeed.
    #[track_caller]
    fn printed(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the binary starts");
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("text")
    }

    /// The error output of a command, which must fail with this exit code.
    #[track_caller]
    fn refused(&self, code: i32, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the binary starts");
        let said = String::from_utf8(stderr).expect("text");
        assert_eq!(status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(String::from_utf8_lossy(&stdout), "", "{arguments:?}");
        assert!(said.starts_with("error: "), "{arguments:?}: {said}");
        said
    }

    fn says_what_it_and_its_commands_are(&self, service: &Service) {
        let help = self.printed(&["-h"]);
        assert_eq!(help.lines().next(), Some(service.surface.title));
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        for command in commands {
            assert!(command.split_whitespace().count() > 2, "a command without a text: {command}");
        }
    }

    fn shows_a_command_s_own_options_first(&self) {
        let name = Path::new(self.binary).file_name().expect("a name").to_string_lossy();
        assert_eq!(self.printed(&["--version"]), format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
        for command in [&[][..], &["migrate"]] {
            let (short, long) = ("-h", "--help");
            let short = self.printed(&[command, &[short]].concat());
            assert!(!short.contains("--database-url"), "{command:?}: {short}");
            let long = self.printed(&[command, &[long]].concat());
            let (own, settings) = long.split_once("\nSettings:\n").expect("settings have a heading");
            assert!(!own.contains("--database-url") && own.contains("--help"), "{command:?}: {long}");
            assert!(settings.contains("--database-url"), "{command:?}: {long}");
        }
        let lines = self.printed(&["migrate", "-h"]).lines().count();
        assert!(lines < 15, "a short help of {lines} lines");
    }

    fn takes_only_the_settings_that_are_of_use(&self, service: &Service) {
        let help = self.printed(&["--help"]);
        let unused = service.unused_settings();
        for (variable, option) in
            ["ISSUER", "JWKS", "BLOB_STORE", "OUTBOUND_ALLOW", "ROLE"].map(|name| (name, option(name)))
        {
            let is_unused = unused.iter().any(|setting| setting.variable() == variable);
            assert_eq!(help.contains(&format!("  {option} ")), !is_unused, "{help}");
            if is_unused {
                let said = self.refused(2, &["migrate", &option, "x"]);
                assert!(said.contains("this service has no use for it: it "), "{said}");
            }
        }
    }

    fn says_what_migrate_did(&self) {
        // A SQLite file does not exist before the first migration.
        if !self.database_url.starts_with("sqlite:") {
            let pending = self.command(&["migrate", "--check"]).output().expect("the binary starts");
            assert_eq!(pending.status.code(), Some(1));
            assert!(pending.stdout.starts_with(b"pending: "), "{pending:?}");
        }
        let applied = self.printed(&["migrate"]);
        assert!(!applied.is_empty() && applied.lines().all(|line| line.starts_with("applied: ")), "{applied}");
        for command in [&["migrate"][..], &["migrate", "--check"]] {
            assert_eq!(self.printed(command), "the schema is up to date\n");
        }
    }

    fn tells_mistakes(&self, service: &Service) {
        self.refused(2, &["migrat"]);
        self.refused(2, &["grant", "revoke"]);
        self.refused(2, &["migrate", "--nonsense"]);
        if !service.takes_tokens() {
            assert!(!self.printed(&["-h"]).contains("grant"));
            self.refused(1, &["grant", "revoke", "grant_1"]);
        }
        self.refused(1, &["migrate", "--database-url", "mysql://host/database"]);
        // A command without its subcommand lists the subcommands.
        let Output { status, stderr, .. } = self.command(&["grant"]).output().expect("the binary starts");
        assert_eq!(status.code(), Some(2));
        assert!(String::from_utf8_lossy(&stderr).contains("Usage: "));
    }

    fn ends_quietly_when_nobody_reads(&self) {
        for command in [&["openapi"][..], &["migrate"], &["--help"], &["--version"]] {
            // Like `| head`, which closes the pipe before the program has written all.
            let (nobody, stdout) = pipe().expect("a pipe");
            drop(nobody);
            let output = self.command(command).stdout(stdout).output().expect("the binary starts");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command:?}");
            assert!(matches!(output.status.code(), Some(0 | 141)), "{command:?}: {}", output.status);
        }
    }
}

fn option(variable: &str) -> String {
    format!("--{}", variable.replace('_', "-").to_ascii_lowercase())
}

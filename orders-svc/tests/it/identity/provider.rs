//! The authorization server of these tests: `oidc-provider` in its own process, which can be stopped and started again.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use orders_svc::service;
use shared_runtime::{
    identity::settings::{IssuerSettings, JwksSource},
    state::rate_limit::RateLimits,
};
use shared_testing::{Caller, Stage, StageBuilder, Text as _};
use tempfile::TempDir;

/// One authorization server; its keys outlive its process.
pub struct Provider {
    /// `iss`, and where it listens.
    pub issuer: String,
    address: SocketAddr,
    process: Option<Child>,
    folder: TempDir,
}

impl Provider {
    /// Starts one on a free port, with fresh keys of all kinds.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (process, issuer) = launch(0, folder.path());
        let address = issuer.trim_start_matches("http://").parse().expect("an address of this machine");
        Self { issuer, address, process: Some(process), folder }
    }

    pub fn stop(&mut self) {
        let mut process = self.process.take().expect("it runs");
        process.kill().expect("our own child can be killed");
        process.wait().expect("our own child can be waited for");
    }

    /// Starts it again on the same port with the same keys.
    pub fn start_again(&mut self) {
        assert!(self.process.is_none(), "it runs already");
        let (process, issuer) = launch(self.address.port(), self.folder.path());
        assert_eq!(issuer, self.issuer);
        self.process = Some(process);
    }

    /// A service that trusts it, without rate limits.
    pub fn trusted_by_a_stage(&self) -> StageBuilder {
        let jwks = JwksSource::Url(format!("{}/jwks", self.issuer));
        let issuer = IssuerSettings { issuer: self.issuer.clone(), jwks };
        let limits = ["anonymous", "read"].map(|class| (class.to_owned(), 1_000_000));
        Stage::of(service()).settings(|settings| {
            settings.issuer = Some(issuer);
            settings.rate_limits = RateLimits(limits.into());
        })
    }

    /// An access token of this client for the stage.
    pub async fn token(&self, client: &str, stage: &Stage) -> String {
        self.token_with(client, stage.base_url(), &[]).await
    }

    /// An access token for any resource; the headers tell the server what to change.
    pub async fn token_with(&self, client: &str, resource: &str, headers: &[(&str, &str)]) -> String {
        let resource = resource.replace(':', "%3A").replace('/', "%2F");
        let form = format!(
            "grant_type=client_credentials&client_id={client}&client_secret=the+secret+of+{client}\
             &scope=net.orders.read+net.orders.write&resource={resource}"
        );
        let request = Caller::at(self.address).post("/token").body("application/x-www-form-urlencoded", form);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, *value));
        request.await.status(200)["access_token"].text().to_owned()
    }

    /// Signs with fresh keys of all kinds from now on; the old ones are still published.
    pub async fn rotate(&self) {
        Caller::at(self.address).post("/control/rotate").await.status(200);
    }

    /// Signs with fresh keys of all kinds and publishes no old ones, as after a leak.
    pub async fn replace_keys(&self) {
        Caller::at(self.address).post("/control/replace").await.status(200);
    }

    /// How often its keys were fetched since the start.
    pub async fn fetches(&self) -> u64 {
        Caller::at(self.address).get("/control/fetches").await.status(200)["fetches"].as_u64().expect("a number")
    }

    /// URL of its metadata.
    pub async fn discovery(&self) -> serde_json::Value {
        Caller::at(self.address).get("/.well-known/openid-configuration").await.status(200).json().clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        if self.process.is_some() {
            self.stop();
        }
    }
}

/// How long one may take to make its keys on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

fn launch(port: u16, folder: &Path) -> (Child, String) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oidc");
    let what_to_do =
        "oidc-provider is not there: run `./test`, or `npm ci` in orders-svc/tests/oidc (Node.js 18 or later)";
    assert!(place.join("node_modules/oidc-provider").is_dir(), "{what_to_do}");
    // Node.js 18 has been seen to hang before its first line, while it makes keys: once in some hundred starts.
    for _ in 0..3 {
        let mut process = Command::new("node")
            .arg(place.join("provider.mjs"))
            .arg(port.to_string())
            .arg(folder.join("keys.json"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("reader: {error}. {what_to_do}"));
        let output = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        let (told, issuer) = mpsc::channel();
        thread::spawn(move || told.send(output.lines().map_while(Result::ok).find(|line| line.starts_with("http://"))));
        match issuer.recv_timeout(PATIENCE) {
            Ok(Some(issuer)) => return (process, issuer),
            Ok(None) => panic!("oidc-provider did not start: {:?}", process.wait()),
            Err(_) => {
                process.kill().expect("our own child can be killed");
                process.wait().expect("our own child can be waited for");
            }
        }
    }
    panic!("oidc-provider has said nothing three times, each for {PATIENCE:?}");
}

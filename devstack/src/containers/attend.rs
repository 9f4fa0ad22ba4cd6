//! Beside services that run: the issuer, the samples, and the banner.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
};

use shared_runtime::{
    Clock, Context, Random,
    base::telemetry::Stopwatch,
    context::settings::SettingsArguments,
    service::{server, shutdown::Signals},
};

use super::{ISSUER_PORT, ORIGIN, given, places, port};
use crate::{
    banner::{self, Paste},
    certificate::Certificate,
    client::Client,
    error::{StackError, cannot},
    home::Home,
    issuer::Issuer,
    keys::{self, KeptKey},
    manifest::Manifest,
    receiver::Receiver,
    samples, shell,
    surfaces::SurfaceName,
};

/// Where the folder of Locker's exports is in this container too.
const LOCKER_BLOBS: &str = "file:/mnt/locker/blobs";

/// Makes the samples, prints the banner, and answers until it is stopped.
pub async fn run(data: &Path) -> Result<(), StackError> {
    let started = Stopwatch::start();
    let mut signals = Signals::listen()?;
    let home = Home::at(data)?;
    let _tenancy = home.move_in()?;
    let issuer_key = KeptKey::load(&home, keys::ISSUER)?;
    let signer_key = KeptKey::load_or_make(&home, keys::SIGNER)?;
    let attestor = KeptKey::load_or_make(&home, keys::ATTESTOR)?;
    let signer = &signer_key.key;

    let contexts = contexts(&home).await?;
    let trust = &contexts[&SurfaceName::Trust];
    samples::trust::register(trust, signer.verifying_key()).await?;
    let log = trust_svc::log::key::signer(trust).map_err(cannot("read the log's key"))?;
    let certificate = Certificate::load_or_make(&home, Clock::System.now())?;
    let places = places(&certificate);

    let receiver = Receiver::start(&home, ORIGIN)?;
    let everywhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, ISSUER_PORT));
    let mut issuer = Issuer::start(everywhere, &places, &issuer_key, receiver.clone())?;
    let mut manifest = places.manifest(&issuer_key, &signer_key, log.verifier_key().to_string());
    manifest.samples = Manifest::samples_of_last_start(&home, &manifest)?;
    let ways = manifest.surfaces.iter().map(|(surface, entry)| (entry.base_url.clone(), within(*surface)));
    let client = Client::by(ways.collect())?;
    manifest.samples = samples::make::missing(&manifest, &client, &contexts, signer, &attestor.key, &receiver).await?;
    let trust_url = &manifest.surfaces[&SurfaceName::Trust].base_url;
    let publish = samples::trust::write_ready_body(&home, trust_url, signer, Clock::System.now())?;
    shell::write(&home, &manifest)?;
    manifest.write(&home)?;
    // Sessions that nobody needs any more.
    drop(contexts);
    banner::print(&banner::text(&Paste::BesideContainers, &manifest, &publish, started.elapsed())?)?;
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        _ = &mut issuer.task => Err(StackError::new("the issuer has stopped by itself; the log above says why")),
    };
    signals.unless_again(issuer.stop()).await;
    outcome
}

/// As this container reaches a service.
fn within(surface: SurfaceName) -> String {
    format!("http://{}:{}", surface.as_str(), port(surface))
}

/// The databases of the services, as their own provisioning commands open them.
async fn contexts(home: &Home) -> Result<BTreeMap<SurfaceName, Context>, StackError> {
    let mut contexts = BTreeMap::new();
    for surface in [SurfaceName::Locker, SurfaceName::Orders, SurfaceName::Trust] {
        let file = |name: &str| Some(home.path(&given(surface, name)).display().to_string());
        let is = |other| surface == other;
        let arguments = SettingsArguments {
            database_url_file: file("DATABASE_URL"),
            database_connections: Some("1".to_owned()),
            service_secret_file: file("SERVICE_SECRET"),
            blob_store: is(SurfaceName::Locker).then(|| LOCKER_BLOBS.to_owned()),
            log_signing_key: is(SurfaceName::Trust).then(|| file(keys::LOG)).flatten(),
            ..SettingsArguments::default()
        };
        let service = surface.service();
        let settings = arguments.check(service.surface, &[]).map_err(cannot(format!("use {}", surface.as_str())))?;
        let context = server::context(&service, settings, Clock::System, Random::System)
            .await
            .map_err(cannot(format!("open the database of {}", surface.as_str())))?;
        contexts.insert(surface, context);
    }
    Ok(contexts)
}

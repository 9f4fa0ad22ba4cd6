//! Next to services in containers: runs the issuer, makes the samples, prints the banner.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
};

use shared_model::Random;
use shared_runtime::{
    Clock, Context,
    base::telemetry::Stopwatch,
    context::settings::SettingsArguments,
    service::{server, shutdown::Signals},
};

use super::{ISSUER_PORT, ORIGIN, addresses, given, port};
use crate::{
    banner::{self, Paste},
    certificate::Certificate,
    client::Client,
    data_folder::DataFolder,
    error::{StackError, cannot},
    issuer::Issuer,
    keys::{self, KeyFile},
    receiver::Receiver,
    samples,
    service_name::ServiceName,
    shell,
    stack_file::StackFile,
};

// The volume of Locker's exports, as docker-compose.yml mounts it in this container.
const LOCKER_BLOBS: &str = "file:/mnt/locker/blobs";

pub async fn run(data: &Path) -> Result<(), StackError> {
    let started = Stopwatch::start();
    let mut signals = Signals::listen()?;
    let folder = DataFolder::at(data)?;
    let _lock = folder.lock()?;
    let issuer_key = KeyFile::load(&folder, keys::ISSUER)?;
    let signer_key = KeyFile::load_or_make(&folder, keys::SIGNER)?;
    let attestor = KeyFile::load_or_make(&folder, keys::ATTESTOR)?;
    let signer = &signer_key.key;

    let contexts = contexts(&folder).await?;
    let trust = &contexts[&ServiceName::Trust];
    // Before anything is published: Trust refuses events of unknown signers.
    samples::trust::register(trust, signer.verifying_key()).await?;
    let log = trust_svc::log::key::signer(trust).map_err(cannot("read the log's key"))?;
    let certificate = Certificate::load_or_make(&folder, Clock::System.now())?;
    let addresses = addresses(&certificate);

    let receiver = Receiver::start(&folder, ORIGIN)?;
    // Docker forwards to the container's address, not to its loopback.
    let everywhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, ISSUER_PORT));
    let mut issuer = Issuer::start(everywhere, &addresses, &issuer_key, receiver.clone())?;
    let mut stack_file = addresses.stack_file(&issuer_key, &signer_key, log.verifier_key().to_string());
    stack_file.samples = StackFile::samples_of_last_start(&folder, &stack_file)?;
    let routes = stack_file.services.iter().map(|(service, entry)| (entry.base_url.clone(), within(*service)));
    let client = Client::with_routes(routes.collect())?;
    stack_file.samples =
        samples::make::missing(&stack_file, &client, &contexts, signer, &attestor.key, &receiver).await?;
    let trust_url = &stack_file.services[&ServiceName::Trust].base_url;
    let publish = samples::trust::write_ready_body(&folder, trust_url, signer, Clock::System.now())?;
    shell::write(&folder, &stack_file, None)?;
    // Written last: a program that waits for this file finds everything else complete.
    stack_file.write(&folder)?;
    // The stack runs for days; these database connections are needed only to make samples.
    drop(contexts);
    banner::print(&banner::text(&Paste::BesideContainers, &stack_file, &publish, started.elapsed())?)?;
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        _ = &mut issuer.task => Err(StackError::new("the issuer stopped unexpectedly; see the log above")),
    };
    signals.unless_again(issuer.stop()).await;
    outcome
}

/// The URL of a service from inside this container.
fn within(service: ServiceName) -> String {
    format!("http://{}:{}", service.as_str(), port(service))
}

/// Opens the databases as the services' command lines do. Cloud's samples are made over HTTP alone.
async fn contexts(folder: &DataFolder) -> Result<BTreeMap<ServiceName, Context>, StackError> {
    let mut contexts = BTreeMap::new();
    for service in [ServiceName::Locker, ServiceName::Orders, ServiceName::Trust] {
        let file = |name: &str| Some(folder.path(&given(service, name)).display().to_string());
        let is = |other| service == other;
        let arguments = SettingsArguments {
            database_url_file: file("DATABASE_URL"),
            // The service next door needs the others.
            database_connections: Some("1".to_owned()),
            service_secret_file: file("SERVICE_SECRET"),
            blob_store: is(ServiceName::Locker).then(|| LOCKER_BLOBS.to_owned()),
            log_signing_key: is(ServiceName::Trust).then(|| file(keys::LOG)).flatten(),
            ..SettingsArguments::default()
        };
        let definition = service.definition();
        let settings = arguments.check(definition.surface, &[]).map_err(cannot(format!("use {}", service.as_str())))?;
        let context = server::context(&definition, settings, Clock::System, Random::System)
            .await
            .map_err(cannot(format!("open the database of {}", service.as_str())))?;
        contexts.insert(service, context);
    }
    Ok(contexts)
}

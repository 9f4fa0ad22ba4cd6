//! The stack from start to stop: issuer, services, samples, banner; then it waits.

use std::collections::BTreeMap;

use shared_runtime::{
    Clock,
    base::telemetry::Stopwatch,
    service::{server::Running, shutdown::Signals},
};

use crate::{
    arguments::Run,
    banner::{self, Paste},
    client::Client,
    error::{StackError, cannot},
    home::Home,
    issuer::Issuer,
    keys::{self, KeptKey},
    manifest::Manifest,
    plan::Plan,
    ports::loopback,
    receiver::Receiver,
    samples::{self, trust::ReadyBody},
    shell,
    surfaces::SurfaceName,
};

/// Runs the stack until a signal asks it to stop or a part of it dies.
pub async fn run(arguments: Run) -> Result<(), StackError> {
    let started = Stopwatch::start();
    let mut signals = Signals::listen()?;
    let home = Home::make(&arguments.data)?;
    let _tenancy = home.move_in()?;
    let mut stack = tokio::select! {
        stack = Stack::start(&home, &arguments) => stack?,
        // Nothing has been promised to anybody yet.
        () = signals.next() => return Ok(()),
    };
    let banner = banner::text(&Paste::InFolder(&home), &stack.manifest, &stack.publish, started.elapsed())?;
    banner::print(&banner)?;
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        part = stack.died() => Err(StackError::new(format!("{part} has stopped by itself; the log above says why"))),
    };
    signals.unless_again(stack.stop()).await;
    outcome
}

struct Stack {
    issuer: Issuer,
    services: BTreeMap<SurfaceName, Running>,
    manifest: Manifest,
    publish: ReadyBody,
}

impl Stack {
    async fn start(home: &Home, arguments: &Run) -> Result<Self, StackError> {
        let issuer_key = KeptKey::load_or_make(home, keys::ISSUER)?;
        let signer_key = KeptKey::load_or_make(home, keys::SIGNER)?;
        let plan = Plan::make(home, arguments)?;
        let port = plan.ports.issuer;
        let places = plan.places();
        let receiver = Receiver::start(home, &places.issuer)?;
        let issuer = Issuer::start(loopback(port), &places, &issuer_key, receiver.clone())?;
        let (locker, cloud, orders, trust) = tokio::try_join!(
            plan.start(SurfaceName::Locker),
            plan.start(SurfaceName::Cloud),
            plan.start(SurfaceName::Orders),
            plan.start(SurfaceName::Trust),
        )?;
        let services = BTreeMap::from([locker, cloud, orders, trust]);
        let signer = &signer_key.key;
        let trust = &services[&SurfaceName::Trust].context;
        samples::trust::register(trust, signer.verifying_key()).await?;

        let log = trust_svc::log::key::signer(trust).map_err(cannot("read the log's key"))?;
        let mut manifest = places.manifest(&issuer_key, &signer_key, log.verifier_key().to_string());
        manifest.samples = Manifest::samples_of_last_start(home, &manifest)?;
        if !arguments.no_samples {
            let attestor = KeptKey::load_or_make(home, keys::ATTESTOR)?;
            let contexts = services.iter().map(|(surface, running)| (*surface, running.context.clone())).collect();
            let client = Client::new()?;
            manifest.samples =
                samples::make::missing(&manifest, &client, &contexts, signer, &attestor.key, &receiver).await?;
        }
        let trust_url = &manifest.surfaces[&SurfaceName::Trust].base_url;
        let publish = samples::trust::write_ready_body(home, trust_url, signer, Clock::System.now())?;
        shell::write(home, &manifest)?;
        // Last: who waits for it finds everything else.
        manifest.write(home)?;
        Ok(Self { issuer, services, manifest, publish })
    }

    /// Waits until a part of the stack ends by itself, which none should; tells which.
    async fn died(&mut self) -> String {
        let mut watches: Vec<_> = Vec::new();
        for (surface, running) in &mut self.services {
            watches.push(Box::pin(async move {
                running.ended().await;
                surface.as_str().to_owned()
            }));
        }
        let services = futures_util::future::select_all(watches);
        tokio::select! {
            (part, ..) = services => part,
            _ = &mut self.issuer.task => "the issuer".to_owned(),
        }
    }

    async fn stop(self) {
        let services = self.services.into_values().map(Running::stop);
        futures_util::future::join_all(services).await;
        // The issuer goes last: requests in flight may still need its keys.
        self.issuer.stop().await;
    }
}

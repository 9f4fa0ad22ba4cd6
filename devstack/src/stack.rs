//! Starts the stack (issuer, services, samples, banner), waits, and stops it.

use std::{collections::BTreeMap, path::Path};

use shared_runtime::{
    Clock,
    base::telemetry::Stopwatch,
    service::{server::Running, shutdown::Signals},
};

use crate::{
    arguments::Run,
    banner::{self, Paste},
    client::Client,
    data_folder::DataFolder,
    error::{StackError, cannot},
    issuer::Issuer,
    keys::{self, KeyFile},
    launch::Launch,
    ports::loopback,
    receiver::Receiver,
    samples::{self, trust::ReadyBody},
    service_name::ServiceName,
    shell,
    stack_file::StackFile,
};

/// Runs the stack until a signal arrives or a part of it ends.
pub async fn run(data: &Path, arguments: Run) -> Result<(), StackError> {
    let started = Stopwatch::start();
    let mut signals = Signals::listen()?;
    let folder = DataFolder::make(data)?;
    // Before anything in the folder is read or written.
    let _lock = folder.lock()?;
    let mut stack = tokio::select! {
        stack = Stack::start(&folder, &arguments) => stack?,
        // Ctrl-C during the start: nothing accepts requests yet that would need an orderly stop.
        () = signals.next() => return Ok(()),
    };
    let banner = banner::text(&Paste::InFolder(&folder), &stack.stack_file, &stack.publish, started.elapsed())?;
    banner::print(&banner)?;
    let outcome = tokio::select! {
        () = signals.next() => Ok(()),
        part = stack.died() => Err(StackError::new(format!("{part} stopped unexpectedly; see the log above"))),
    };
    signals.unless_again(stack.stop()).await;
    outcome
}

struct Stack {
    issuer: Issuer,
    services: BTreeMap<ServiceName, Running>,
    stack_file: StackFile,
    publish: ReadyBody,
}

impl Stack {
    async fn start(folder: &DataFolder, arguments: &Run) -> Result<Self, StackError> {
        let issuer_key = KeyFile::load_or_make(folder, keys::ISSUER)?;
        let signer_key = KeyFile::load_or_make(folder, keys::SIGNER)?;
        let launch = Launch::make(folder, arguments)?;
        let port = launch.ports.issuer;
        let addresses = launch.addresses();
        let receiver = Receiver::start(folder, &addresses.issuer)?;
        // Before the services: they fetch its keys when they start.
        let issuer = Issuer::start(loopback(port), &addresses, &issuer_key, receiver.clone())?;
        // All at once: each spends most of its start waiting for its database.
        let services = futures_util::future::try_join_all(ServiceName::ALL.map(|name| launch.start(name))).await?;
        let services = BTreeMap::from_iter(services);
        let signer = &signer_key.key;
        let trust = &services[&ServiceName::Trust].context;
        // Before the samples: Trust refuses events of unknown signers.
        samples::trust::register(trust, signer.verifying_key()).await?;

        let log = trust_svc::log::key::signer(trust).map_err(cannot("read the log's key"))?;
        let mut stack_file = addresses.stack_file(&issuer_key, &signer_key, log.verifier_key().to_string());
        stack_file.samples = StackFile::samples_of_last_start(folder, &stack_file)?;
        if !arguments.no_samples {
            let attestor = KeyFile::load_or_make(folder, keys::ATTESTOR)?;
            let contexts = services.iter().map(|(service, running)| (*service, running.context.clone())).collect();
            let client = Client::new()?;
            stack_file.samples =
                samples::make::missing(&stack_file, &client, &contexts, signer, &attestor.key, &receiver).await?;
        }
        let trust_url = &stack_file.services[&ServiceName::Trust].base_url;
        let publish = samples::trust::write_ready_body(folder, trust_url, signer, Clock::System.now())?;
        shell::write(folder, &stack_file, Some(launch.ports.receiver))?;
        // Written last: a program that waits for this file finds everything else ready.
        stack_file.write(folder)?;
        Ok(Self { issuer, services, stack_file, publish })
    }

    /// Waits until a part of the stack ends, which is always an error. Returns its name.
    async fn died(&mut self) -> String {
        let mut watches: Vec<_> = Vec::new();
        for (service, running) in &mut self.services {
            watches.push(Box::pin(async move {
                running.ended().await;
                service.as_str().to_owned()
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
        // The issuer stops last: requests in flight may still need its keys.
        self.issuer.stop().await;
    }
}

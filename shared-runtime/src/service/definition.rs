//! The definition of a service.

use std::{borrow::Cow, pin::Pin, sync::Arc};

use actix_web::web;
use clap::{Args as _, Command};
use shared_model::{Error, Failure};
use tokio::sync::watch;

use super::metrics;
use crate::{
    base::{metrics::Metric, surface::Surface},
    context::{
        Context,
        settings::{
            AnyGroup, DescribedSetting, SettingsArguments, SettingsGroup, described,
            optional::{self, BLOB_STORE, ISSUER, JWKS, LOG_SIGNING_KEY, OUTBOUND_ALLOW, OptionalSetting, ROLE},
        },
    },
    http::{measures::STREAMED, openapi, routes::Routes},
    identity::{self, OnFirstSeen},
    jobs::{self, Jobs},
    mcp::Tools,
    pages::{Pages, assets, reference, sign_in},
    state::{
        db::Migrations,
        sweep::{Removal, Sweep},
    },
};

#[derive(Clone)]
pub struct Service {
    pub surface: &'static Surface,
    pub migrations: Migrations,
    /// Runs when a grant is seen for the first time, in the transaction that records it.
    pub on_first_seen: OnFirstSeen,
    pub(super) routes: fn(&mut Routes),
    pub(super) state: ConfigureState,
    pub(super) prepare: Prepare,
    pub(super) tools: Option<fn() -> Tools>,
    pages: Vec<fn(&mut Pages)>,
    pub(super) jobs: Jobs,
    pub(super) works: Option<Works>,
    pub(super) sweeps: &'static [Sweep],
    pub(super) removal: Option<MakeRemoval>,
    /// Its OpenAPI document as it is checked in.
    document: Option<&'static str>,
    uses: Vec<OptionalSetting>,
    groups: Vec<AnyGroup>,
    metrics: Vec<&'static Metric>,
}

type ConfigureState = Arc<dyn Fn(&Context, &mut web::ServiceConfig) + Send + Sync>;

/// Makes what all workers share, before anything is served.
type Prepare = Arc<dyn Fn(Context) -> Pin<Box<dyn Future<Output = Result<Prepared, Failure>>>> + Send + Sync>;

/// Removes things that are stored outside of the database.
type MakeRemoval = Arc<dyn Fn(&Context) -> Removal + Send + Sync>;

/// Runs until the service stops.
pub(super) type Background = Pin<Box<dyn Future<Output = ()>>>;

/// Background work in addition to the jobs. Ends when the receiver changes.
pub(super) type Works =
    Arc<dyn Fn(Context, watch::Receiver<bool>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Puts state into the app of each worker.
pub(super) type PutState = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// What a service makes before it serves: state that all workers share, and work in the background.
pub struct Prepared {
    pub(super) states: Vec<PutState>,
    pub(super) background: Background,
}

impl Prepared {
    /// `background` runs until the service stops.
    pub fn new(background: impl Future<Output = ()> + 'static) -> Self {
        Self { states: Vec::new(), background: Box::pin(background) }
    }

    /// Adds state, which verbs take as [`crate::http::arguments::State`]. One of each type.
    pub fn state<T: Send + Sync + 'static>(mut self, state: Arc<T>) -> Self {
        let data = web::Data::from(state);
        self.states.push(Arc::new(move |app| {
            app.app_data(data.clone());
        }));
        self
    }
}

impl Service {
    /// Only routes and a schema.
    pub fn new(surface: &'static Surface, routes: fn(&mut Routes), migrations: Migrations) -> Self {
        Self {
            surface,
            migrations,
            on_first_seen: |_, _, _| Ok(()),
            routes,
            state: Arc::new(|_, _| {}),
            prepare: Arc::new(|_| Box::pin(async { Ok(Prepared::new(async {})) })),
            tools: None,
            pages: vec![assets::declare],
            jobs: jobs::none(),
            works: None,
            sweeps: &[],
            removal: None,
            document: None,
            uses: Vec::new(),
            groups: Vec::new(),
            metrics: metrics::common(),
        }
    }

    pub fn on_first_seen(mut self, on_first_seen: OnFirstSeen) -> Self {
        self.on_first_seen = on_first_seen;
        self
    }

    /// With state that verbs take as [`crate::http::arguments::State`], made once for each worker thread.
    pub fn state<T: Send + Sync + 'static>(mut self, make: impl Fn(&Context) -> T + Send + Sync + 'static) -> Self {
        self.state = Arc::new(move |context, app| {
            app.app_data(web::Data::new(make(context)));
        });
        self
    }

    /// Runs `make` once, before anything is served. If it fails, the service does not start.
    pub fn prepared<Made>(mut self, make: impl Fn(Context) -> Made + Send + Sync + 'static) -> Self
    where
        Made: Future<Output = Result<Prepared, Failure>> + 'static,
    {
        self.prepare = Arc::new(move |context| Box::pin(make(context)));
        self
    }

    /// With a public log, whose checkpoints it signs.
    pub fn keeps_log(mut self) -> Self {
        self.uses.push(LOG_SIGNING_KEY);
        self
    }

    pub(super) fn signs_log(&self) -> bool {
        self.uses.contains(&LOG_SIGNING_KEY)
    }

    /// The tools for agents; `None` for a service without.
    pub fn described_tools(&self) -> Option<Tools> {
        self.tools.map(|tools| tools())
    }

    /// With tools for agents, served at [`crate::mcp::PATH`].
    pub fn tools(mut self, tools: fn() -> Tools) -> Self {
        self.tools = Some(tools);
        self
    }

    /// With pages for people, and a sign-in if one of them takes [`crate::pages::SignedIn`].
    pub fn pages(mut self, declare: fn(&mut Pages)) -> Self {
        self.pages.push(declare);
        self
    }

    /// Its own pages, the API reference, and the sign-in where a page needs it.
    pub fn page_table(&self) -> Pages {
        let mut declared = self.pages.clone();
        declared.push(reference::declare);
        if self.tools.is_some() {
            declared.push(reference::declare_of_mcp);
        }
        let pages = Pages::from_declarations(self.surface, &declared);
        // Declared twice, because only a full table knows whether a page needs the sign-in.
        if !pages.sign_people_in() {
            return pages;
        }
        declared.push(sign_in::declare);
        Pages::from_declarations(self.surface, &declared)
    }

    pub fn jobs(mut self, jobs: impl Fn(&Context) -> Vec<jobs::JobKind> + Send + Sync + 'static) -> Self {
        self.jobs = Arc::new(jobs);
        self.metrics.extend(metrics::of_jobs());
        self.uses.push(ROLE);
        self
    }

    /// With background work that is not a queue of jobs. It must end soon after its receiver says so.
    pub fn works<W>(mut self, works: fn(Context, watch::Receiver<bool>) -> W) -> Self
    where
        W: Future<Output = ()> + Send + 'static,
    {
        self.works = Some(Arc::new(move |context, stopped| Box::pin(works(context, stopped))));
        self.uses.push(ROLE);
        self
    }

    /// With its OpenAPI document as it is checked in; a test compares it with the code.
    pub fn document(mut self, document: &'static str) -> Self {
        self.document = Some(document);
        self
    }

    pub fn sweeps(mut self, sweeps: &'static [Sweep]) -> Self {
        self.sweeps = sweeps;
        self
    }

    /// With things outside of the database, which `run` removes after each sweep when no row refers to them.
    pub fn removes<Runs>(mut self, name: &'static str, run: fn(Context) -> Runs) -> Self
    where
        Runs: Future<Output = Result<u64, Error>> + Send + 'static,
    {
        self.removal = Some(Arc::new(move |context| {
            let context = context.clone();
            Removal { name, run: Box::new(move || Box::pin(run(context.clone()))) }
        }));
        self
    }

    /// With blobs.
    pub fn stores_blobs(mut self) -> Self {
        self.uses.push(BLOB_STORE);
        self
    }

    pub(super) fn has_blobs(&self) -> bool {
        self.uses.contains(&BLOB_STORE)
    }

    /// With calls to addresses that users choose.
    pub fn calls_out(mut self) -> Self {
        self.uses.push(OUTBOUND_ALLOW);
        self
    }

    /// With settings of its own, which verbs read with `context.settings.groups.get()`.
    pub fn settings<G: SettingsGroup>(mut self) -> Self {
        self.groups.push(AnyGroup::of_type::<G>());
        self
    }

    /// The settings that it has in addition to the common ones.
    pub(super) fn settings_groups(&self) -> Vec<AnyGroup> {
        let mut groups = self.groups.clone();
        if self.page_table().sign_people_in() {
            groups.push(AnyGroup::of_type::<sign_in::SignInSettings>());
        }
        groups
    }

    fn settings_command(&self) -> Command {
        let common = SettingsArguments::augment_args(Command::new("settings"));
        self.settings_groups().iter().fold(common, |command, group| (group.augment)(command))
    }

    /// The environment variables that it knows.
    pub fn setting_names(&self) -> Vec<String> {
        described(&self.settings_command()).into_iter().map(|setting| setting.name).collect()
    }

    /// The settings that it uses.
    pub fn described_settings(&self) -> Vec<DescribedSetting> {
        described(&optional::arrange(self.settings_command(), &self.unused_settings()))
    }

    /// With metrics of its own.
    pub fn metrics(mut self, metrics: &[&'static Metric]) -> Self {
        self.metrics.extend(metrics);
        self
    }

    /// Its metrics, except those of the process.
    pub fn all_metrics(&self) -> Vec<&'static Metric> {
        let is_stream = self.routes().contracts().any(|contract| contract.success.is_stream);
        let of_streams = is_stream.then_some(&STREAMED);
        let of_tokens = identity::METRICS.into_iter().filter(|_| self.takes_tokens());
        self.metrics.iter().copied().chain(of_streams).chain(of_tokens).collect()
    }

    /// Whether an operation needs an access token.
    pub fn takes_tokens(&self) -> bool {
        self.routes().contracts().any(|contract| contract.required().is_some())
    }

    /// Common settings that it does not use.
    pub fn unused_settings(&self) -> Vec<OptionalSetting> {
        let takes_tokens = self.takes_tokens();
        let is_used = |setting: &OptionalSetting| match *setting {
            ISSUER | JWKS => takes_tokens,
            other => self.uses.contains(&other),
        };
        optional::ALL.into_iter().filter(|setting| !is_used(setting)).collect()
    }

    /// Its routes, with those that every service has.
    pub fn routes(&self) -> Routes {
        let mut declared = vec![self.routes, super::self_description::declare as fn(&mut Routes)];
        if self.tools.is_some() {
            declared.push(super::self_description::declare_of_mcp);
        }
        Routes::from_declarations(self.surface, &declared)
    }

    pub fn published_openapi(&self) -> Cow<'static, str> {
        // Made at each start, it would take a moment, and more memory than the service needs for anything else.
        self.document.map_or_else(|| Cow::Owned(self.openapi()), Cow::Borrowed)
    }

    /// The OpenAPI document of its routes.
    pub fn openapi(&self) -> String {
        openapi::text(self.surface, &self.routes().contracts().collect::<Vec<_>>())
    }
}

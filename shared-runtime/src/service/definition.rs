//! What a service is made of.

use std::{borrow::Cow, pin::Pin, sync::Arc};

use actix_web::web;
use shared_model::{Error, Failure};
use tokio::sync::watch;

use crate::{
    base::surface::Surface,
    context::{
        Context,
        settings::{
            Mistakes, SettingsArguments,
            on_command_line::{
                BLOB_STORE, ISSUER, JWKS, LOG_SIGNING_KEY, LOG_WITNESSES, LOG_WITNESSES_NEEDED, OUTBOUND_ALLOW,
                OptionalSetting, SIGN_IN_CLIENT_ID, WORKERS,
            },
        },
    },
    http::{openapi, routes::Routes},
    identity::OnFirstSeen,
    jobs::{self, Jobs},
    mcp::Tools,
    pages::{Pages, assets, reference, sign_in},
    state::{
        db::Migrations,
        sweep::{Removal, Sweep},
    },
};

/// A service, ready to be started.
#[derive(Clone)]
pub struct Service {
    /// Its constants.
    pub surface: &'static Surface,
    /// Its schema.
    pub migrations: Migrations,
    /// What happens in the database when a grant is seen for the first time, in the transaction that records it.
    pub on_first_seen: OnFirstSeen,
    pub(super) routes: fn(&mut Routes),
    pub(super) state: ConfigureState,
    pub(super) prepare: Prepare,
    pub(super) check_settings: fn(&SettingsArguments, &mut Mistakes),
    pub(super) tools: Option<fn() -> Tools>,
    pages: Vec<fn(&mut Pages)>,
    pub(super) jobs: Jobs,
    pub(super) works: Option<Works>,
    pub(super) sweeps: &'static [Sweep],
    pub(super) removal: Option<MakeRemoval>,
    /// Its OpenAPI document as it is checked in.
    document: Option<&'static str>,
    /// Settings that only some services have a use for, and this one has.
    uses: Vec<OptionalSetting>,
}

/// Puts a service's own state into an app.
type ConfigureState = Arc<dyn Fn(&Context, &mut web::ServiceConfig) + Send + Sync>;

/// Makes what all workers share, before anything is served.
type Prepare =
    Arc<dyn Fn(Context) -> Pin<Box<dyn Future<Output = Result<(Prepared, Background), Failure>>>> + Send + Sync>;

/// What removes things outside of the database.
type MakeRemoval = Arc<dyn Fn(&Context) -> Removal + Send + Sync>;

/// Runs beside what is served, until the service stops.
pub(super) type Background = Pin<Box<dyn Future<Output = ()>>>;

/// Works in the background where jobs are worked on, until it is told to stop.
pub(super) type Works =
    Arc<dyn Fn(Context, watch::Receiver<bool>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Puts it into an app.
pub(super) type Prepared = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// The migrations of the calling crate: `migrations/sqlite` and `migrations/postgres`.
#[macro_export]
macro_rules! migrations {
    () => {{
        use $crate::state::db::diesel_migrations;
        const SQLITE: $crate::state::db::diesel_migrations::EmbeddedMigrations =
            $crate::state::db::diesel_migrations::embed_migrations!("migrations/sqlite");
        const POSTGRES: $crate::state::db::diesel_migrations::EmbeddedMigrations =
            $crate::state::db::diesel_migrations::embed_migrations!("migrations/postgres");
        $crate::state::db::Migrations { sqlite: || SQLITE, postgres: || POSTGRES }
    }};
}

impl Service {
    /// A service with these routes and this schema, and nothing else.
    pub fn new(surface: &'static Surface, routes: fn(&mut Routes), migrations: Migrations) -> Self {
        Self {
            surface,
            migrations,
            on_first_seen: |_, _, _| Ok(()),
            routes,
            state: Arc::new(|_, _| {}),
            prepare: Arc::new(|_| {
                let nothing: (Prepared, Background) = (Arc::new(|_| {}), Box::pin(async {}));
                Box::pin(async { Ok(nothing) })
            }),
            check_settings: |_, _| {},
            tools: None,
            pages: vec![assets::declare],
            jobs: jobs::none(),
            works: None,
            sweeps: &[],
            removal: None,
            document: None,
            uses: Vec::new(),
        }
    }

    /// With something to do when a grant is seen for the first time.
    pub fn on_first_seen(mut self, on_first_seen: OnFirstSeen) -> Self {
        self.on_first_seen = on_first_seen;
        self
    }

    /// With state of its own, which verbs take as [`crate::http::arguments::State`]: made once for each worker thread.
    pub fn state<T: Send + Sync + 'static>(mut self, make: impl Fn(&Context) -> T + Send + Sync + 'static) -> Self {
        self.state = Arc::new(move |context, app| {
            app.app_data(web::Data::new(make(context)));
        });
        self
    }

    /// With state of its own, which verbs take as [`crate::http::arguments::State`]: made once, before anything is
    /// served. Where it cannot be made, the service does not start. `background` runs beside until the service stops.
    pub fn prepared<T, Made, Runs>(mut self, make: fn(Context) -> Made, background: fn(Arc<T>, Context) -> Runs) -> Self
    where
        T: Send + Sync + 'static,
        Made: Future<Output = Result<T, Failure>> + 'static,
        Runs: Future<Output = ()> + 'static,
    {
        self.prepare = Arc::new(move |context| {
            let made = make(context.clone());
            Box::pin(async move {
                let state = web::Data::new(made.await?);
                let background: Background = Box::pin(background(state.clone().into_inner(), context));
                let prepared: Prepared = Arc::new(move |app| {
                    app.app_data(state.clone());
                });
                Ok((prepared, background))
            })
        });
        self
    }

    /// With a log for everyone to check, whose checkpoints it signs.
    pub fn keeps_log(mut self) -> Self {
        self.uses.push(LOG_SIGNING_KEY);
        self
    }

    /// Whether it keeps a log.
    pub(super) fn signs_log(&self) -> bool {
        self.uses.contains(&LOG_SIGNING_KEY)
    }

    /// With tools for agents, which the route of [`crate::mcp::PATH`] serves.
    pub fn tools(mut self, tools: fn() -> Tools) -> Self {
        self.tools = Some(tools);
        self
    }

    /// With pages for people; where any of them is [`crate::pages::SignedIn`]'s, with the sign-in too.
    pub fn pages(mut self, declare: fn(&mut Pages)) -> Self {
        self.pages.push(declare);
        self
    }

    /// All its pages: its own, the reference of its operations, and the sign-in where it is needed.
    pub fn page_table(&self) -> Pages {
        let mut declared = self.pages.clone();
        declared.push(reference::declare);
        if self.tools.is_some() {
            declared.push(reference::declare_of_mcp);
        }
        let pages = Pages::of(self.surface, &declared);
        if !pages.sign_people_in() {
            return pages;
        }
        declared.push(sign_in::declare);
        Pages::of(self.surface, &declared)
    }

    /// With work in the background.
    pub fn jobs(mut self, jobs: impl Fn(&Context) -> Vec<jobs::JobKind> + Send + Sync + 'static) -> Self {
        self.jobs = Arc::new(jobs);
        self.uses.push(WORKERS);
        self
    }

    /// With work in the background that is no queue of jobs: it runs where those would, and ends soon after its receiver says
    /// that it is to stop.
    pub fn works<W>(mut self, works: fn(Context, watch::Receiver<bool>) -> W) -> Self
    where
        W: Future<Output = ()> + Send + 'static,
    {
        self.works = Some(Arc::new(move |context, stopped| Box::pin(works(context, stopped))));
        self.uses.push(WORKERS);
        self
    }

    /// With its OpenAPI document, as it is checked in: making it anew takes a moment at each start, and more memory than the
    /// service needs for anything else. A test compares the two.
    pub fn document(mut self, document: &'static str) -> Self {
        self.document = Some(document);
        self
    }

    /// With rows of its tables that expire.
    pub fn sweeps(mut self, sweeps: &'static [Sweep]) -> Self {
        self.sweeps = sweeps;
        self
    }

    /// With things outside of the database that its rows refer to no more, which `run` removes after each sweep.
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

    /// With things too large for the database.
    pub fn stores_blobs(mut self) -> Self {
        self.uses.push(BLOB_STORE);
        self
    }

    /// Whether it has things too large for the database.
    pub(super) fn has_blobs(&self) -> bool {
        self.uses.contains(&BLOB_STORE)
    }

    /// With calls to addresses that others name.
    pub fn calls_out(mut self) -> Self {
        self.uses.push(OUTBOUND_ALLOW);
        self
    }

    /// With a log that witnesses watch; `check` notes what is wrong with the settings that name them.
    pub fn asks_witnesses(mut self, check: fn(&SettingsArguments, &mut Mistakes)) -> Self {
        self.check_settings = check;
        self.uses.extend([LOG_WITNESSES, LOG_WITNESSES_NEEDED]);
        self.calls_out()
    }

    /// Whether any of its operations asks for an access token.
    pub fn takes_tokens(&self) -> bool {
        self.routes().contracts().any(|contract| contract.required().is_some())
    }

    /// The settings that it has no use for.
    pub fn unused_settings(&self) -> Vec<OptionalSetting> {
        let (takes_tokens, signs_in) = (self.takes_tokens(), self.page_table().sign_people_in());
        let is_used = |setting: &OptionalSetting| match *setting {
            ISSUER | JWKS => takes_tokens,
            SIGN_IN_CLIENT_ID => signs_in,
            other => self.uses.contains(&other),
        };
        let all = [
            ISSUER,
            JWKS,
            SIGN_IN_CLIENT_ID,
            BLOB_STORE,
            LOG_SIGNING_KEY,
            LOG_WITNESSES,
            LOG_WITNESSES_NEEDED,
            OUTBOUND_ALLOW,
            WORKERS,
        ];
        all.into_iter().filter(|setting| !is_used(setting)).collect()
    }

    /// Its table of routes, with those that every service has.
    pub fn routes(&self) -> Routes {
        let mut declared = vec![self.routes, super::self_description::declare as fn(&mut Routes)];
        if self.tools.is_some() {
            declared.push(super::self_description::declare_of_mcp);
        }
        Routes::of(self.surface, &declared)
    }

    /// Its OpenAPI document as it is served.
    pub fn published_openapi(&self) -> Cow<'static, str> {
        self.document.map_or_else(|| Cow::Owned(self.openapi()), Cow::Borrowed)
    }

    /// Its OpenAPI document, made of its routes.
    pub fn openapi(&self) -> String {
        openapi::text(self.surface, &self.routes().contracts().collect::<Vec<_>>())
    }
}

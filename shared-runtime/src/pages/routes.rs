//! The routes of a service's pages.

use std::sync::Arc;

use actix_web::{guard, http::Method, web};
use shared_model::Error;

use super::{
    declaration::{Count, Link, PageDeclaration, Site},
    documents::Documents,
    page::PageResponse,
    request::{PageArgument, PageRequest, SignedIn},
    serve::{self, CallPage, Running},
    session::Session,
    shown_paths::ShownPaths,
    stylesheet::Stylesheet,
    text::Text,
    unknown,
};
use crate::{
    base::surface::Surface,
    http::{
        admission::PAGES,
        contract::{Access, Contract},
    },
};

/// A service's pages, and the links in their header.
pub struct Pages {
    surface: &'static Surface,
    site: Site,
    stylesheets: Vec<&'static str>,
    state: Vec<PutState>,
    table: Vec<Entry>,
}

/// Puts state that pages share into an app.
type PutState = Box<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

struct Entry {
    page: Arc<PageDeclaration>,
    call: Arc<CallPage>,
}

impl Pages {
    pub fn from_declarations(surface: &'static Surface, declare: &[fn(&mut Self)]) -> Self {
        let mut pages =
            Self { surface, site: Site::default(), stylesheets: Vec::new(), state: Vec::new(), table: Vec::new() };
        declare.iter().for_each(|declare| declare(&mut pages));
        pages
    }

    /// CSS rules for the pages of this service, in addition to those that all services have.
    pub fn stylesheet(&mut self, css: &'static str) -> &mut Self {
        self.stylesheets.push(css);
        self
    }

    /// A link in the header of every page.
    pub fn link(&mut self, path: &'static str, name: Text) -> &mut Self {
        self.site.links.push(Link { path, name, count: None });
        self
    }

    /// The same with a count of what waits behind it.
    pub fn counted_link(&mut self, path: &'static str, name: Text, count: Count) -> &mut Self {
        self.site.links.push(Link { path, name, count: Some(count) });
        self
    }

    /// Scopes that the sign-in requests.
    pub fn asks_for(&mut self, scopes: &[&'static str]) -> &mut Self {
        self.site.scopes.extend(scopes);
        self
    }

    /// The main walkthrough, for `/docs` and `/llms.txt`: operation ids in order, each with a sentence.
    pub fn guide(&mut self, steps: &'static [(&'static str, &'static str)]) -> &mut Self {
        self.site.guide = steps;
        self
    }

    /// Guides and reference, for `/docs` and `/llms.txt`.
    pub fn documents(&mut self, documents: Documents) -> &mut Self {
        self.site.documents = documents;
        self
    }

    /// State that pages take with [`super::PageRequest::state`], shared by all workers.
    pub(super) fn state<T: Send + Sync + 'static>(&mut self, state: T) {
        let state = web::Data::new(state);
        self.state.push(Box::new(move |app| _ = app.app_data(state.clone())));
    }

    /// A page: GET and HEAD. `id` is its name in logs and metrics.
    pub fn get<V, Verb, Out, S>(&mut self, path: &'static str, id: &'static str, verb: Verb) -> &mut PageDeclaration
    where
        V: PageArgument,
        Verb: Fn(V) -> Out + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<PageResponse> + 'static,
    {
        self.add(Method::GET, path, id, verb)
    }

    /// The target of a form, for people who have signed in.
    pub fn post<Verb, Out, S>(&mut self, path: &'static str, id: &'static str, verb: Verb) -> &mut PageDeclaration
    where
        Verb: Fn(SignedIn) -> Out + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<PageResponse> + 'static,
    {
        self.add(Method::POST, path, id, verb)
    }

    fn add<V, Verb, Out, S>(
        &mut self,
        method: Method,
        path: &'static str,
        id: &'static str,
        verb: Verb,
    ) -> &mut PageDeclaration
    where
        V: PageArgument,
        Verb: Fn(V) -> Out + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<PageResponse> + 'static,
    {
        let mut contract = Contract::new(self.surface, method, path, id, &PAGES);
        // The edge must not ask browsers for bearer tokens; the session is checked in `serve`.
        contract.access = Access::Public;
        // The only code that is compiled for each page.
        let call = move |visit: PageRequest, session: Option<Arc<Session>>| {
            let running = verb(V::from_request(visit, session)?);
            let running: Running = Box::pin(async move { Ok(running.await?.into()) });
            Ok(running)
        };
        let page = Arc::new(PageDeclaration::new(contract, V::SIGNS_IN));
        let entry = self.table.push_mut(Entry { page, call: Arc::new(call) });
        Arc::get_mut(&mut entry.page).expect("a page is shared only when its app is configured")
    }

    /// For logs and metrics.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.table.iter().map(|entry| &entry.page.contract)
    }

    /// Those for people who have signed in.
    pub fn of_people(&self) -> impl Iterator<Item = &Contract> {
        self.table.iter().filter(|entry| entry.page.signs_in).map(|entry| &entry.page.contract)
    }

    /// Whether a page needs a sign-in.
    pub fn sign_people_in(&self) -> bool {
        self.of_people().next().is_some()
    }

    /// Adds the pages to an app: one resource for each path.
    pub fn configure(&self, app: &mut web::ServiceConfig) {
        app.app_data(web::Data::new(self.site.clone()));
        app.app_data(web::Data::new(Stylesheet::new(&self.stylesheets)));
        self.state.iter().for_each(|put| put(app));
        let mut paths: Vec<&'static str> = Vec::new();
        for contract in self.contracts() {
            if !paths.contains(&contract.path) {
                paths.push(contract.path);
            }
        }
        let takes_get = |path: &str| self.contracts().any(|page| page.path == path && page.method == Method::GET);
        let shown = ShownPaths::new(paths.iter().map(|&path| (path, takes_get(path))));
        app.app_data(web::Data::new(shown));
        for path in paths {
            let mut resource = web::resource(path);
            let mut methods = Vec::new();
            for entry in self.table.iter().filter(|entry| entry.page.contract.path == path) {
                let method = entry.page.contract.method.clone();
                methods.push(method.to_string());
                let (page, call) = (Arc::clone(&entry.page), Arc::clone(&entry.call));
                let route = web::route()
                    .to(move |request, payload| serve::answer(Arc::clone(&page), Arc::clone(&call), request, payload));
                resource = resource.route(if method == Method::GET {
                    methods.push("HEAD".to_owned());
                    route.guard(guard::Any(guard::Get()).or(guard::Head()))
                } else {
                    route.guard(guard::fn_guard(move |guarded| guarded.head().method == method))
                });
            }
            app.service(resource.default_service(serve::wrong_method(methods)));
        }
        unknown::configure(app);
    }
}

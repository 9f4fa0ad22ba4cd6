//! The table of a service's pages.

use std::sync::Arc;

use actix_web::{HttpRequest, Route, guard, http::Method, web};
use shared_model::Error;

use super::{
    declared::{Declared, Link, Site},
    page::Shown,
    serve,
    sign_in::Discovery,
    visit::{SignedIn, Visitor},
};
use crate::{
    base::surface::Surface,
    http::{
        admission::PAGES,
        contract::{Access, Contract},
    },
};

/// A service's pages, and what its header links to.
pub struct Pages {
    surface: &'static Surface,
    site: Site,
    table: Vec<Entry>,
}

/// One line of the table.
struct Entry {
    page: Arc<Declared>,
    route: Box<dyn Fn(Arc<Declared>) -> Route + Send + Sync>,
}

impl Pages {
    /// The pages that these functions declare.
    pub fn of(surface: &'static Surface, declare: &[fn(&mut Self)]) -> Self {
        let mut pages = Self { surface, site: Site::default(), table: Vec::new() };
        declare.iter().for_each(|declare| declare(&mut pages));
        pages
    }

    /// A link in the header of every page.
    pub fn link(&mut self, path: &'static str, name: &'static str) -> &mut Self {
        self.site.links.push(Link { path, name });
        self
    }

    /// The scopes that somebody who signs in is asked to grant.
    pub fn asks_for(&mut self, scopes: &[&'static str]) -> &mut Self {
        self.site.scopes.extend(scopes);
        self
    }

    /// The main walkthrough, for `/docs` and `/llms.txt`: ids of operations in their order, each with a sentence.
    pub fn guide(&mut self, steps: &'static [(&'static str, &'static str)]) -> &mut Self {
        self.site.guide = steps;
        self
    }

    /// A page: GET, and HEAD with it. `id` is its name in the log and the metrics.
    pub fn get<V, Verb, Out, S>(&mut self, path: &'static str, id: &'static str, verb: Verb) -> &mut Declared
    where
        V: Visitor,
        Verb: Fn(V) -> Out + Clone + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<Shown> + 'static,
    {
        self.add(Method::GET, path, id, verb)
    }

    /// Where a form of somebody who has signed in is submitted.
    pub fn post<Verb, Out, S>(&mut self, path: &'static str, id: &'static str, verb: Verb) -> &mut Declared
    where
        Verb: Fn(SignedIn) -> Out + Clone + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<Shown> + 'static,
    {
        self.add(Method::POST, path, id, verb)
    }

    fn add<V, Verb, Out, S>(
        &mut self,
        method: Method,
        path: &'static str,
        id: &'static str,
        verb: Verb,
    ) -> &mut Declared
    where
        V: Visitor,
        Verb: Fn(V) -> Out + Clone + Send + Sync + 'static,
        Out: Future<Output = Result<S, Error>> + 'static,
        S: Into<Shown> + 'static,
    {
        let mut contract = Contract::new(self.surface, method, path, id, &PAGES);
        contract.access = Access::Public;
        let route = move |page: Arc<Declared>| {
            let verb = verb.clone();
            web::route().to(move |request: HttpRequest, payload: web::Payload| {
                serve::answer(Arc::clone(&page), verb.clone(), request, payload)
            })
        };
        let page = Arc::new(Declared { contract, fields: &[], signs_in: V::SIGNS_IN, ignores_others: false });
        let entry = self.table.push_mut(Entry { page, route: Box::new(route) });
        Arc::get_mut(&mut entry.page).expect("a page is shared only when its app is configured")
    }

    /// What the log and the metrics know of them.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.table.iter().map(|entry| &entry.page.contract)
    }

    /// Whether any of them is for people who have signed in.
    pub fn sign_people_in(&self) -> bool {
        self.table.iter().any(|entry| entry.page.signs_in)
    }

    /// Hands the pages to actix, before the operations: one resource for each path.
    pub fn configure(&self, app: &mut web::ServiceConfig) {
        app.app_data(web::Data::new(self.site.clone())).app_data(web::Data::new(Discovery::default()));
        let mut paths: Vec<&'static str> = Vec::new();
        for contract in self.contracts() {
            if !paths.contains(&contract.path) {
                paths.push(contract.path);
            }
        }
        for path in paths {
            let mut resource = web::resource(path);
            let mut methods = Vec::new();
            for entry in self.table.iter().filter(|entry| entry.page.contract.path == path) {
                let method = entry.page.contract.method.clone();
                methods.push(method.to_string());
                let route = (entry.route)(Arc::clone(&entry.page));
                resource = resource.route(if method == Method::GET {
                    methods.push("HEAD".to_owned());
                    route.guard(guard::Any(guard::Get()).or(guard::Head()))
                } else {
                    route.guard(guard::fn_guard(move |guarded| guarded.head().method == method))
                });
            }
            app.service(resource.default_service(serve::wrong_method(methods)));
        }
    }
}

//! The table of routes: one statement gives URL, method, limit class, operation id, and — from the verb's own
//! signature — permission, body, headers, refusals and the OpenAPI document.

use std::{rc::Rc, sync::Arc};

use actix_web::{
    HttpRequest, HttpResponse, Route, guard,
    http::{Method, header},
    web,
};
use shared_model::{Error, code};

use crate::{
    base::surface::Surface,
    http::{
        admission,
        arguments::{Argument, caller::Required},
        edge,
        openapi::OperationDoc,
        reply::Success,
    },
    service::self_description,
    state::rate_limit::LimitClass,
};

/// A verb: an async function of [`Argument`]s.
pub trait Verb<Arguments>: Clone + Send + 'static {
    /// What it returns when it succeeds.
    type Answered: Success;
    /// Its future.
    type Out: Future<Output = Result<Self::Answered, Error>>;
    /// Calls it.
    fn call(&self, arguments: Arguments) -> Self::Out;
}

/// What admission must know of an operation.
#[derive(Debug)]
pub struct Operation {
    /// The name in the OpenAPI document; idempotency keys are bound to it.
    pub id: &'static str,
    /// The method; a GET serves HEAD as well.
    pub method: Method,
    /// The URL template.
    pub path: &'static str,
    /// What a caller must hold; `None` for a public operation.
    pub permission: Option<Required>,
    /// The limit it is charged to.
    pub limit: &'static LimitClass,
    /// Whether it takes a body.
    pub body: BodyPolicy,
    /// Bytes of the body at most.
    pub body_bytes: usize,
    /// Whether it takes an idempotency key, so that it can be sent again without happening twice.
    pub takes_key: bool,
    /// The manners of the service.
    pub surface: &'static Surface,
}

/// Whether an operation takes a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPolicy {
    /// None; whatever comes is left unread.
    None,
    /// Absent or one JSON object.
    Optional,
    /// One JSON object.
    Required,
}

/// Collects a service's routes.
pub struct Routes {
    surface: &'static Surface,
    table: Vec<Entry>,
}

/// One line of the table.
pub struct Entry {
    /// What admission must know.
    pub operation: Arc<Operation>,
    /// What a reader of the OpenAPI document must know.
    pub doc: OperationDoc,
    route: Box<dyn Fn() -> Route + Send + Sync>,
}

impl Routes {
    /// The routes of a service.
    pub fn of(surface: &'static Surface, declare: fn(&mut Self)) -> Self {
        let mut routes = Self { surface, table: Vec::new() };
        declare(&mut routes);
        self_description::routes(&mut routes);
        routes
    }

    /// A read: GET, and HEAD with it. What is returned takes the refusals that only this verb has.
    pub fn get<A: Argument + 'static, V: Verb<A> + Sync>(
        &mut self,
        path: &'static str,
        limit: &'static LimitClass,
        id: &'static str,
        verb: V,
        says: &'static str,
    ) -> &mut OperationDoc
    where
        V::Answered: 'static,
    {
        self.add(Method::GET, path, limit, id, verb, says)
    }

    /// A command: POST. What is returned takes the refusals that only this verb has.
    pub fn post<A: Argument + 'static, V: Verb<A> + Sync>(
        &mut self,
        path: &'static str,
        limit: &'static LimitClass,
        id: &'static str,
        verb: V,
        says: &'static str,
    ) -> &mut OperationDoc
    where
        V::Answered: 'static,
    {
        self.add(Method::POST, path, limit, id, verb, says)
    }

    fn add<A: Argument + 'static, V: Verb<A> + Sync>(
        &mut self,
        method: Method,
        path: &'static str,
        limit: &'static LimitClass,
        id: &'static str,
        verb: V,
        says: &'static str,
    ) -> &mut OperationDoc
    where
        V::Answered: 'static,
    {
        let mut doc = OperationDoc::new(self.surface, id, path, says);
        A::describe(&mut doc);
        <V::Answered as Success>::describe(&mut doc);
        assert!(doc.is_decided(), "{id}: the first argument of a verb is Caller<…> or Anyone");
        let operation = Arc::new(Operation {
            id,
            method,
            path,
            permission: doc.permission(),
            limit,
            body: doc.body_policy(),
            body_bytes: self.surface.body_bytes,
            takes_key: doc.takes_key(),
            surface: self.surface,
        });
        let served = Arc::clone(&operation);
        let route = move || {
            let operation = Arc::clone(&served);
            let verb = verb.clone();
            web::route().to(move |request: HttpRequest, payload: web::Payload| {
                serve(Arc::clone(&operation), verb.clone(), request, payload)
            })
        };
        let entry = self.table.push_mut(Entry { operation, doc, route: Box::new(route) });
        &mut entry.doc
    }

    /// The table, in the order of declaration.
    pub fn entries(&self) -> &[Entry] {
        &self.table
    }

    /// Every limit that a request can be charged to.
    pub fn limits(&self) -> Vec<&'static LimitClass> {
        let own =
            self.table.iter().flat_map(|entry| entry.doc.charged().iter().copied().chain([entry.operation.limit]));
        let mut limits = vec![&admission::ANONYMOUS];
        for limit in own {
            if !limits.contains(&limit) {
                limits.push(limit);
            }
        }
        limits
    }

    /// Hands the routes to actix: one resource for each path, with the surface's answer to a wrong method.
    pub fn configure(&self, app: &mut web::ServiceConfig) {
        let mut paths: Vec<&'static str> = Vec::new();
        for entry in &self.table {
            if !paths.contains(&entry.operation.path) {
                paths.push(entry.operation.path);
            }
        }
        for path in paths {
            let mut resource = web::resource(path);
            let mut methods = Vec::new();
            for entry in self.table.iter().filter(|entry| entry.operation.path == path) {
                let method = entry.operation.method.clone();
                methods.push(method.to_string());
                let route = (entry.route)();
                resource = resource.route(if method == Method::GET {
                    methods.push("HEAD".to_owned());
                    route.guard(guard::Any(guard::Get()).or(guard::Head()))
                } else {
                    route.guard(guard::fn_guard(move |context| context.head().method == method))
                });
            }
            methods.push("OPTIONS".to_owned());
            let allow: Rc<str> = methods.join(", ").into();
            let wrong_method = self.surface.wrong_method;
            resource = resource.default_service(web::route().to(move |request: HttpRequest| {
                let allow = Rc::clone(&allow);
                async move {
                    edge::answer(&request, None, async {
                        if wrong_method.status == 405 && request.method() == Method::OPTIONS {
                            return Ok(edge::no_content(&allow));
                        }
                        Err(Error::from(if wrong_method.status == 405 {
                            wrong_method.refusal().header(header::ALLOW.as_str(), &*allow)
                        } else {
                            wrong_method.because("There is no such route or method.")
                        }))
                    })
                    .await
                }
            }));
            app.service(resource);
        }
    }
}

async fn serve<A: Argument, V: Verb<A>>(
    operation: Arc<Operation>,
    verb: V,
    request: HttpRequest,
    payload: web::Payload,
) -> HttpResponse {
    edge::answer(&request, Some(&operation), async {
        admission::admit(edge::context(&request), &request, payload, &operation).await?;
        let arguments = A::extract(&request, &operation)?;
        Ok(verb.call(arguments).await?.into_reply())
    })
    .await
}

/// The answer to a URL that is no route.
pub(crate) async fn unknown_route(request: HttpRequest) -> HttpResponse {
    edge::answer(&request, None, async { Err(code::NOT_FOUND.because("There is no such route.").into()) }).await
}

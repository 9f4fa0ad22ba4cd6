//! The table of routes: method, URL, operation id, limit and verb. Permission, body and headers follow from the
//! verb's signature.

use std::{pin::Pin, sync::Arc};

use actix_web::{HttpRequest, HttpResponse, Resource, guard, http::Method, web};
use shared_model::Error;

use super::{
    admission,
    argument::{self, AdmittedRequest, Argument},
    contract::{Access, Contract},
    edge,
    grant_check::GrantCheck,
    meant_operation,
    reply::{Reply, Success},
    route_tree::{self, Branch},
    unrouted,
};
use crate::{base::surface::Surface, state::rate_limit::LimitClass};

/// A verb: an async function of [`Argument`]s.
pub trait Verb<Arguments>: Send + Sync + 'static {
    type Answered: Success;
    type Out: Future<Output = Result<Self::Answered, Error>> + 'static;
    fn call(&self, arguments: Arguments) -> Self::Out;
}

macro_rules! argument_lists {
    ($(($($argument:ident),*);)+) => {$(
        impl<$($argument: Argument),*> Argument for ($($argument,)*) {
            fn describe(contract: &mut Contract) {
                $($argument::describe(contract);)*
            }

            fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
                Ok(($($argument::extract(request)?,)*))
            }
        }

        #[expect(non_snake_case, reason = "a macro names values after their types")]
        impl<Function, Out, Answered, $($argument: Argument),*> Verb<($($argument,)*)> for Function
        where
            Function: Fn($($argument),*) -> Out + Send + Sync + 'static,
            Out: Future<Output = Result<Answered, Error>> + 'static,
            Answered: Success + 'static,
        {
            type Answered = Answered;
            type Out = Out;

            fn call(&self, ($($argument,)*): ($($argument,)*)) -> Out {
                self($($argument),*)
            }
        }
    )+};
}

argument_lists! {
    (A);
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
}

/// A service's routes.
///
/// ```
/// use shared_model::Error;
/// use shared_runtime::{Answer, Anyone, Routes, state::rate_limit::LimitClass};
///
/// const READ: LimitClass = LimitClass { name: "read", per_minute: 60 };
///
/// /// Says hello.
/// async fn hello(_: Anyone) -> Result<Answer<String>, Error> {
///     Ok(Answer::ok(&"hello".to_owned())?)
/// }
///
/// fn declare(routes: &mut Routes) {
///     routes.get("/v1/hello", "say_hello", &READ, hello).summary("A greeting.");
/// }
/// ```
pub struct Routes {
    surface: &'static Surface,
    table: Vec<RouteEntry>,
}

/// One line of the table.
struct RouteEntry {
    contract: Arc<Contract>,
    call: Arc<CallVerb>,
}

pub(super) type Running = Pin<Box<dyn Future<Output = Result<Reply, Error>>>>;

type CallVerb = dyn Fn(&AdmittedRequest<'_>) -> Result<Running, Error> + Send + Sync;

/// An operation, for calls from within the service.
#[derive(Clone)]
pub struct Operation {
    pub contract: Arc<Contract>,
    call: Arc<CallVerb>,
}

impl RouteEntry {
    fn operation(&self) -> Operation {
        Operation { contract: Arc::clone(&self.contract), call: Arc::clone(&self.call) }
    }
}

impl Operation {
    /// Reads the arguments and calls the verb.
    pub(super) fn call(&self, request: &AdmittedRequest<'_>) -> Result<Running, Error> {
        (self.call)(request)
    }
}

impl Routes {
    pub fn from_declarations(surface: &'static Surface, declare: &[fn(&mut Self)]) -> Self {
        let mut routes = Self { surface, table: Vec::new() };
        for declare in declare {
            declare(&mut routes);
        }
        routes
    }

    /// A read: GET and HEAD. The returned contract takes the summary and the verb's own refusals.
    pub fn get<A: Argument + 'static, V: Verb<A>>(
        &mut self,
        path: &'static str,
        id: &'static str,
        limit: &'static LimitClass,
        verb: V,
    ) -> &mut Contract
    where
        V::Answered: 'static,
    {
        self.add(Method::GET, path, id, limit, verb)
    }

    /// A command: POST.
    pub fn post<A: Argument + 'static, V: Verb<A>>(
        &mut self,
        path: &'static str,
        id: &'static str,
        limit: &'static LimitClass,
        verb: V,
    ) -> &mut Contract
    where
        V::Answered: 'static,
    {
        self.add(Method::POST, path, id, limit, verb)
    }

    /// Bytes at the URL that names them: PUT, which has the same effect when it is repeated.
    pub fn put<A: Argument + 'static, V: Verb<A>>(
        &mut self,
        path: &'static str,
        id: &'static str,
        limit: &'static LimitClass,
        verb: V,
    ) -> &mut Contract
    where
        V::Answered: 'static,
    {
        self.add(Method::PUT, path, id, limit, verb)
    }

    fn add<A: Argument + 'static, V: Verb<A>>(
        &mut self,
        method: Method,
        path: &'static str,
        id: &'static str,
        limit: &'static LimitClass,
        verb: V,
    ) -> &mut Contract
    where
        V::Answered: 'static,
    {
        let mut contract = Contract::new(self.surface, method, path, id, limit);
        A::describe(&mut contract);
        V::Answered::describe(&mut contract);
        // Checked at start, so that no operation can be public by accident.
        let is_decided = !matches!(contract.access, Access::Undecided);
        assert!(is_decided, "{id}: the first argument of a verb is Caller<…> or Anyone");
        // The only code that is compiled for each verb; everything around it takes a boxed future.
        let call = move |request: &AdmittedRequest<'_>| {
            let running = verb.call(A::extract(request)?);
            let running: Running = Box::pin(async move { Ok(running.await?.into_reply()) });
            Ok(running)
        };
        let entry = self.table.push_mut(RouteEntry { contract: Arc::new(contract), call: Arc::new(call) });
        Arc::get_mut(&mut entry.contract).expect("a contract is shared only when its app is configured")
    }

    /// In the order of declaration.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.table.iter().map(|entry| &*entry.contract)
    }

    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.table.iter().map(RouteEntry::operation)
    }

    pub fn limits(&self) -> Vec<&'static LimitClass> {
        let own = self.contracts().flat_map(|contract| contract.also_charged.iter().copied().chain([contract.limit]));
        let mut limits = vec![&admission::ANONYMOUS, &admission::PAGES];
        for limit in own {
            if !limits.contains(&limit) {
                limits.push(limit);
            }
        }
        limits
    }

    /// Adds the routes to an app: one resource for each path, with an answer to wrong methods, and one for unknown
    /// paths.
    pub fn configure(&self, app: &mut web::ServiceConfig) {
        let mut paths: Vec<&'static str> = Vec::new();
        let mut patterns = Vec::new();
        for contract in self.contracts() {
            if !paths.contains(&contract.path) {
                paths.push(contract.path);
                patterns.push(contract.pattern());
            }
        }
        let branches = paths
            .iter()
            .zip(&patterns)
            .map(|(&path, pattern)| Branch::new(pattern, move |resource| self.answer(path, resource)));
        route_tree::configure(branches.collect(), app);
        app.default_service(unrouted::unknown_route(paths.into()));
    }

    /// The resource with the operations of a path.
    fn answer(&self, path: &'static str, mut resource: Resource) -> Resource {
        let (mut methods, mut contracts) = (Vec::new(), Vec::new());
        for entry in self.table.iter().filter(|entry| entry.contract.path == path) {
            let method = entry.contract.method.clone();
            methods.push(method.to_string());
            contracts.push(&*entry.contract);
            let operation = entry.operation();
            let route = web::route().to(move |request, payload| serve(operation.clone(), request, payload));
            resource = resource.route(if method == Method::GET {
                methods.push("HEAD".to_owned());
                // RFC 9110 §9.1: a resource with GET must support HEAD.
                route.guard(guard::Any(guard::Get()).or(guard::Head()))
            } else {
                route.guard(guard::fn_guard(move |guarded| guarded.head().method == method))
            });
        }
        resource.default_service(unrouted::wrong_method(
            self.surface,
            methods,
            meant_operation::of_path(path, self.table.iter().map(|entry| &*entry.contract)),
            &contracts,
        ))
    }
}

/// 401 instead of what a read has found, if the grant has ended while it waited. A command is done by then.
pub(super) async fn check_reader(contract: &Contract, check: Option<GrantCheck>) -> Result<(), Error> {
    match check.filter(|_| contract.method == Method::GET) {
        Some(check) => check.run().await,
        None => Ok(()),
    }
}

async fn serve(operation: Operation, request: HttpRequest, payload: web::Payload) -> HttpResponse {
    let contract = &*operation.contract;
    edge::answer(&request, Some(contract), async {
        let admitted = admission::admit(argument::context(&request), &request, payload, contract).await?;
        let (running, check) = (operation.call(&admitted)?, admitted.grant_check());
        // The body can be large, and the verb has read what it needs.
        drop(admitted);
        let reply = running.await?;
        check_reader(contract, check).await?;
        Ok(reply)
    })
    .await
}

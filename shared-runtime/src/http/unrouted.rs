//! Answers for unknown URLs, and for methods that a URL does not have.

use std::{rc::Rc, sync::Arc};

use actix_web::{
    HttpRequest, Route,
    http::{Method, header},
    web,
};
use shared_model::{NextAction, Problem, Refusal, code, words};

use super::{admission, argument, contract::Contract, cors, edge};
use crate::base::surface::Surface;

/// For methods that the resource does not have, and for OPTIONS. `contracts` are those of its operations.
pub(super) fn wrong_method(
    surface: &'static Surface,
    methods: Vec<String>,
    meant: Vec<(Method, Vec<Problem>)>,
    contracts: &[&Contract],
) -> Route {
    let preflight = cors::preflight(&methods, contracts);
    let resource = Rc::new((methods, meant, preflight));
    web::route().to(move |request: HttpRequest| {
        let resource = Rc::clone(&resource);
        async move {
            let (methods, meant, preflight) = &*resource;
            edge::answer(&request, None, async {
                if cors::is_preflight(&request) {
                    // Before the limit: it costs less than a refusal, and one comes before each request.
                    return Ok(cors::allowed(preflight));
                }
                admission::charge_anonymous(argument::context(&request), &request).await?;
                let code = surface.wrong_method;
                let allow = || format!("{}, OPTIONS", methods.join(", "));
                if code.status == 405 && request.method() == Method::OPTIONS {
                    return Ok(edge::no_content(&allow()));
                }
                let problems = meant.iter().find(|(method, _)| method == request.method());
                let problems = problems.map_or_else(Vec::new, |(_, problems)| problems.clone());
                let mut message = format!("This route takes {}.", words::join_and(methods));
                if let [first, ..] = &problems[..] {
                    message.push_str(&format!(" For what {} usually means, the path {}", request.method(), first.rule));
                }
                let refusal = code.because(message).next(NextAction::UseMethod { methods: methods.clone(), problems });
                // A surface may declare 404 for wrong methods. Then OPTIONS is 404 too, and the methods are named
                // without it.
                let allow = if code.status == 405 { allow() } else { methods.join(", ") };
                Err(refusal.header(header::ALLOW.as_str(), allow).into())
            })
            .await
        }
    })
}

pub(super) fn unknown_route(paths: Arc<[&'static str]>) -> Route {
    let preflight: Rc<[_]> = cors::preflight(&["GET", "POST", "PUT"].map(str::to_owned), &[]).into();
    web::route().to(move |request: HttpRequest| {
        let (paths, preflight) = (Arc::clone(&paths), Rc::clone(&preflight));
        async move {
            edge::answer(&request, None, async {
                if cors::is_preflight(&request) {
                    // A browser shows no page a refusal of this question. So it asks, and then reads the 404.
                    return Ok(cors::allowed(&preflight));
                }
                admission::charge_anonymous(argument::context(&request), &request).await?;
                Err(no_such_route(&request, &paths).into())
            })
            .await
        }
    })
}

/// Names the template of the route, and no part of the URL.
fn no_such_route(request: &HttpRequest, paths: &[&'static str]) -> Refusal {
    // A URL may contain a secret, and refusals end up in logs of clients.
    let refusal = code::NOT_FOUND.refusal();
    match intended(paths, request.path()) {
        Some(path) => {
            let problem = Problem { at: "path".to_owned(), rule: format!("must be {path}") };
            refusal
                .because(format!("There is no such route. Did you mean {path}?"))
                .next(NextAction::CorrectRequest { problems: vec![problem] })
        }
        None => {
            let href = argument::context(request).href("/openapi.json");
            let message = "There is no such route. /openapi.json lists all routes.";
            refusal.because(message).next(NextAction::ReadDocument { href })
        }
    }
}

/// The only route that differs in slashes or in case, or by segments missing at its beginning.
fn intended(paths: &[&'static str], wrong: &str) -> Option<&'static str> {
    let wrong = segments(wrong);
    let fits = |path: &str| {
        let path = segments(path);
        let Some(missing) = path.len().checked_sub(wrong.len()) else { return false };
        let is_parameter = |segment: &str| segment.starts_with('{');
        let mut pairs = path[missing..].iter().zip(&wrong);
        path.get(missing).is_some_and(|first| !is_parameter(first))
            && pairs.all(|(own, sent)| is_parameter(own) || own.eq_ignore_ascii_case(sent))
    };
    let only = |mut fitting: Box<dyn Iterator<Item = &'static str> + '_>| {
        let first = fitting.next();
        first.filter(|_| fitting.next().is_none())
    };
    let fitting = || paths.iter().copied().filter(|path| fits(path));
    let is_whole = |path: &&'static str| segments(path).len() == wrong.len();
    only(Box::new(fitting().filter(is_whole)))
        .or_else(|| only(Box::new(fitting())))
        .or_else(|| misspelled(paths, &wrong))
}

/// The only route that is nearest by letters, with the same number of segments.
fn misspelled(paths: &[&'static str], wrong: &[&str]) -> Option<&'static str> {
    let distance = |path: &str| {
        let path = segments(path);
        let letters = |(own, sent): (&&str, &&str)| {
            if own.starts_with('{') {
                return Some(0);
            }
            // Short words are soon another word: `v1` and `v2`.
            let most = (own.len() / 3).min(2);
            // Lengths first: comparing the letters of a long segment takes tens of milliseconds.
            if own.len().abs_diff(sent.len()) > most {
                return None;
            }
            let typos = strsim::damerau_levenshtein(own, sent);
            (typos <= most).then_some(typos)
        };
        if path.len() != wrong.len() {
            return None;
        }
        path.iter().zip(wrong).map(letters).sum::<Option<usize>>()
    };
    let near: Vec<_> = paths.iter().filter_map(|path| Some((distance(path)?, *path))).collect();
    let least = near.iter().map(|(distance, _)| *distance).min()?;
    let mut nearest = near.iter().filter(|(distance, _)| *distance == least);
    let (_, path) = nearest.next()?;
    nearest.next().is_none().then_some(path)
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_mistake_leads_to_the_intended_route() {
        let paths = [
            "/v1/documents",
            "/v1/documents/{file_id}",
            "/v1/files/{file_id}/parts",
            "/v2/documents",
            "/a/{b}",
            "/short",
            "/w/short",
        ];
        for (wrong, right) in [
            ("//short", Some("/short")),
            ("/v1/documents/", Some("/v1/documents")),
            ("//v1//documents", Some("/v1/documents")),
            ("/V1/Documents", Some("/v1/documents")),
            ("/v1/documents/file_42/", Some("/v1/documents/{file_id}")),
            ("/files/file_42/parts", Some("/v1/files/{file_id}/parts")),
            ("/v1/document/file_42", Some("/v1/documents/{file_id}")),
            ("/v1/documents/file_42/", Some("/v1/documents/{file_id}")),
            ("/v1/fliles/file_42/prats", Some("/v1/files/{file_id}/parts")),
            ("/v3/documents", None),
            ("/v1/dokumente", Some("/v1/documents")),
            ("/v1/dokumentation", None),
            ("/documents", None),
            ("/", None),
            ("/x", None),
            ("/v1/documents/file_42/x", None),
        ] {
            assert_eq!(intended(&paths, wrong), right, "{wrong}");
        }
    }
}

//! Resources below one another, as their paths are.
//!
//! actix tries one resource after another, and paths with parameters by regular expression. With a scope for each
//! segment that several paths share, it tries few. For `/v1/files/{file_id}/trash` that is one expression in the place
//! of twenty.

use actix_web::{Resource, Scope, web};

/// A path, or what is left of it below a scope, with what its resource answers.
pub struct Branch<'t> {
    path: &'t str,
    make: Box<dyn FnOnce(Resource) -> Resource + 't>,
}

enum Grown {
    Resource(Resource),
    Scope(Scope),
}

impl<'t> Branch<'t> {
    pub fn new(path: &'t str, make: impl FnOnce(Resource) -> Resource + 't) -> Self {
        Self { path, make: Box::new(make) }
    }
}

/// Adds the resources of these paths to an app.
pub fn configure(branches: Vec<Branch<'_>>, app: &mut web::ServiceConfig) {
    for grown in grow(branches, area) {
        match grown {
            Grown::Resource(resource) => app.service(resource),
            Grown::Scope(scope) => app.service(scope),
        };
    }
}

/// Puts the paths with the same beginning below one scope. `beginning` gives its length.
fn grow(branches: Vec<Branch<'_>>, beginning: fn(&str) -> usize) -> Vec<Grown> {
    let mut groups: Vec<(&str, Vec<Branch<'_>>)> = Vec::new();
    for branch in branches {
        let same = &branch.path[..beginning(branch.path)];
        match groups.iter_mut().find(|(other, _)| *other == same) {
            Some((_, group)) => group.push(branch),
            None => groups.push((same, vec![branch])),
        }
    }
    groups.into_iter().map(|(same, group)| grown(same, group)).collect()
}

fn grown(same: &str, mut group: Vec<Branch<'_>>) -> Grown {
    if group.len() == 1
        && let Some(Branch { path, make }) = group.pop()
    {
        return Grown::Resource(make(web::resource(path)));
    }
    let below = group.into_iter().map(|branch| Branch { path: &branch.path[same.len()..], ..branch }).collect();
    Grown::Scope(grow(below, segment).into_iter().fold(web::scope(same), |scope, grown| match grown {
        Grown::Resource(resource) => scope.service(resource),
        Grown::Scope(inner) => scope.service(inner),
    }))
}

/// The first two segments of a whole path, or all of it if one is a parameter. Pages may begin with the same segment.
fn area(path: &str) -> usize {
    let end = path.match_indices('/').nth(2).map_or(path.len(), |(at, _)| at);
    if path[..end].matches('/').count() == 2 && !path[..end].contains('{') { end } else { path.len() }
}

fn segment(path: &str) -> usize {
    path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at)
}

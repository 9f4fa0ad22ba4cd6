//! The tool call that a next action amounts to: agents have tools, not the URLs that the action names.

use actix_web::http::Method;
use serde_json::Value;
use shared_model::NextAction;

use super::{arguments::Arguments, tool::Tool, tools::Tools, written::short_tag};
use crate::http::operations::Operations;

/// The name of a tool and its arguments, if a tool covers the URL of the action.
pub(super) fn for_action<'t>(
    tools: &'t Tools,
    operations: &Operations,
    action: &NextAction,
) -> Option<(&'t str, Value)> {
    let (href, etag, method) = match action {
        NextAction::Refresh { href, etag } => (href, etag.as_deref(), Method::GET),
        NextAction::Poll { href, .. } => (href, None, Method::GET),
        NextAction::RequestReview { href } => (href, None, Method::POST),
        NextAction::Rebase { href, etag } => (href, etag.as_deref(), Method::POST),
        _ => return None,
    };
    let url = url::Url::parse(href).ok()?;
    let path = url.path().to_owned();
    let of_method = || operations.contracts().filter(|contract| contract.method == method);
    let with_tool = of_method().filter_map(|contract| Some((contract, tool_of(tools, contract.id)?)));
    let exact = with_tool.filter_map(|(contract, tool)| Some((contract, tool, values(contract.path, &path)?)));
    // The longest template is the most specific one.
    let (contract, tool, mut arguments) = exact.max_by_key(|(contract, ..)| contract.path.len())?;
    let takes_tag = contract.headers.iter().any(|header| header.name == "If-Match");
    if let Some(etag) = etag.filter(|_| takes_tag) {
        arguments.insert("if_match".to_owned(), short_tag(etag).into());
    }
    for (name, value) in url.query_pairs() {
        arguments.insert(name.into_owned(), value.into());
    }
    arguments.retain(|name, _| tool.takes(name));
    Some((tool.name, Value::Object(arguments)))
}

fn tool_of<'t>(tools: &'t Tools, id: &str) -> Option<&'t Tool> {
    tools.tools.iter().find(|tool| tool.operations.contains(&id))
}

/// The values of the path's parameters, if the path fits the template.
fn values(template: &str, path: &str) -> Option<Arguments> {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    let mut values = Arguments::new();
    loop {
        match (template.next(), path.next()) {
            (None, None) => return Some(values),
            (Some(part), Some(value)) => match part.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => {
                    values.insert(name.to_owned(), value.into());
                }
                None if part == value => {}
                None => return None,
            },
            _ => return None,
        }
    }
}

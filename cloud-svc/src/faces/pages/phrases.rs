//! Small pieces of pages: names, times, links.

use maud::{Markup, html};
use shared_model::Timestamp;
// With the other phrases, so that a page takes all of them from here.
pub use shared_runtime::pages::{bytes, counted, time};
use shared_runtime::{
    identity::{Actor, ActorKind},
    pages::{SignedIn, Text},
};
use url::{Url, form_urlencoded};

use crate::base::{
    author,
    ids::{FileId, ProposalId},
};

// `bdi` keeps a right-to-left name from reordering the text around it.
pub fn name(text: &str) -> Markup {
    html! { bdi { @if text.is_empty() { (text!("(no name)")) } @else { (text) } } }
}

// A reader must see whether a person or a program acted.
pub fn actor(actor: &Actor) -> Markup {
    let kind = match actor.kind {
        ActorKind::User => None,
        ActorKind::Agent => Some(text!("agent")),
        ActorKind::Service => Some(text!("service")),
    };
    html! { (name(&actor.display_name)) @if let Some(kind) = kind { " (" (kind) ")" } }
}

/// Whether the visitor is this actor.
pub fn is_mine(visit: &SignedIn, actor: &Actor) -> bool {
    visit.identity().actor.as_ref().is_some_and(|own| author::key(own) == author::key(actor))
}

/// For a moment in the past.
pub fn ago(now: Timestamp, at: Timestamp) -> Markup {
    let seconds = usize::try_from(now.seconds() - at.seconds()).unwrap_or_default();
    let text = match seconds {
        ..60 => text!("less than a minute ago").into(),
        60..3_600 => counted(seconds / 60, text!("{n} minute ago"), text!("{n} minutes ago")),
        3_600..86_400 => counted(seconds / 3_600, text!("{n} hour ago"), text!("{n} hours ago")),
        _ => counted(seconds / 86_400, text!("{n} day ago"), text!("{n} days ago")),
    };
    html! { time datetime=(at) { (text) } }
}

/// A link in untrusted content.
// The schemes are checked again, because stored content keeps the rules of its time. The target stands beside the link,
// because the text may name another site.
pub fn outward(target: &str, text: &Markup) -> Markup {
    let Some(place) = led_to(target) else { return text.clone() };
    html! {
        a href=(target) rel="noopener noreferrer nofollow ugc" { (text) }
        " " span.target { "(" bdi { (place) } ")" }
    }
}

/// The host of a page, or the addresses of a `mailto:`; `None` if the link must not be followed.
pub fn led_to(target: &str) -> Option<String> {
    let url = Url::parse(target).ok()?;
    match url.scheme() {
        "http" | "https" => url.host_str().map(str::to_owned),
        "mailto" => Some(url.path().chars().take(190).collect()),
        _ => None,
    }
}

/// The page of a file.
pub fn file_href(id: FileId) -> String {
    format!("/f/{id}")
}

/// The page of a proposal.
pub fn proposal_href(id: ProposalId) -> String {
    format!("/w/proposals/{id}")
}

/// A path with a query. Parameters without a value are left out.
pub fn address(path: &str, query: &[(&str, &str)]) -> String {
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(query.iter().filter(|(_, value)| !value.is_empty()));
    let text = text.finish();
    if text.is_empty() { path.to_owned() } else { format!("{path}?{text}") }
}

// Above all content: people who read it must not think that the service wrote it.
pub fn untrusted(what: Text) -> Markup {
    html! { p.untrusted { strong { (text!("Written by others.")) } " " (text!("{what} comes from people and programs, not from this service.", what = what)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_followed_becomes_a_link() {
        let text = html! { "x" };
        for refused in [
            "javascript:alert(1)",
            "data:text/html,x",
            "/f/file_1",
            "//evil.example",
            "JaVaScRiPt:1",
            "ftp://a.example/",
        ] {
            assert_eq!(outward(refused, &text).into_string(), "x", "{refused}");
        }
        let link = outward("https://good.example/a?b=\"c", &text).into_string();
        assert!(
            link.starts_with(
                "<a href=\"https://good.example/a?b=&quot;c\" rel=\"noopener noreferrer nofollow ugc\">x</a>"
            ),
            "{link}"
        );
        assert!(link.contains("(<bdi>good.example</bdi>)"), "{link}");
    }

    #[test]
    fn quantities_are_said_in_words() {
        assert_eq!([bytes(999), bytes(1_000), bytes(2_150_000)], ["999 bytes", "1.0 kB", "2.1 MB"]);
    }

    #[test]
    fn an_address_has_what_has_a_value() {
        assert_eq!(address("/w", &[("q", "a&b"), ("cursor", "")]), "/w?q=a%26b");
        assert_eq!(address("/w", &[("q", "")]), "/w");
    }
}

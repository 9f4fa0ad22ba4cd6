//! The targets of links, and whether their text hides them.

use percent_encoding::percent_decode_str;
use shared_model::text::is_invisible;
use url::{Host, ParseError, Url};

use crate::passage::Link;

// Top-level domains that are file extensions too.
const ENDINGS_OF_FILES: [&str; 7] = ["md", "rs", "py", "sh", "pl", "so", "zip"];

/// The hosts of a target: one of a page, and one of each address in a `mailto:`. In lower case and punycode; as it is
/// written if it is not a valid host.
pub fn domains(target: &str) -> Vec<String> {
    // Browsers ignore control characters and spaces around a URL, and tabs and line breaks in it. They begin `//host`
    // with the scheme of the page.
    let target: String = target.trim_matches(|c: char| c <= ' ').replace(['\t', '\r', '\n'], "");
    let is_slash = |c: &char| matches!(c, '/' | '\\');
    let without_scheme = target.chars().take_while(is_slash).count() >= 2;
    let target = if without_scheme { format!("https:{target}") } else { target };
    let url = match Url::parse(&target) {
        Ok(url) => url,
        Err(ParseError::RelativeUrlWithoutBase) => return Vec::new(),
        // Browsers open some hosts that this parser refuses.
        Err(_) => return written_host(&target).into_iter().collect(),
    };
    if url.scheme() == "mailto" {
        // A copy could be sent to a stranger although the first address is well known.
        let copies = url.query_pairs().filter(|(name, _)| ["to", "cc", "bcc"].contains(&name.to_lowercase().as_str()));
        let copies: Vec<String> = copies.map(|(_, addresses)| addresses.into_owned()).collect();
        let first = percent_decode_str(url.path()).decode_utf8_lossy();
        let lists = [first.as_ref()].into_iter().chain(copies.iter().map(String::as_str));
        return lists.flat_map(|list| list.split(',')).filter_map(domain_of_address).collect();
    }
    // `example.com.` is the same host.
    url.host_str().map(|host| host.trim_end_matches('.').to_owned()).into_iter().collect()
}

/// Whether this is a host and not only what somebody wrote in place of one.
pub fn is_host(domain: &str) -> bool {
    Host::parse(domain).is_ok()
}

/// What replaces the host in a URL that cannot be parsed.
fn written_host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once(':')?;
    let rest = rest.trim_start_matches(|c: char| matches!(c, '/' | '\\') || c.is_control());
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    (!host.is_empty()).then(|| host.to_lowercase())
}

/// Whether the text of a link is empty or names another site.
pub fn hides_its_target(link: &Link<'_>) -> bool {
    let seen: String = link.text.chars().filter(|c| !is_invisible(*c) && !c.is_control()).collect();
    if seen.trim().is_empty() {
        return true;
    }
    // One owner has all hosts of a registrable domain: "bank.com" may lead to "login.bank.com".
    let led_to: Vec<String> = domains(&link.target).iter().map(|domain| registrable(domain).to_owned()).collect();
    let mut hosts = hosts_in(seen.trim(), &link.target).into_iter();
    hosts.any(|host| !led_to.iter().any(|domain| domain == registrable(&host)))
}

/// The hosts that a text names: in each word that begins like a URL, and in a text of one word.
fn hosts_in(text: &str, target: &str) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && c != '/';
    // A sentence may lack a space after its period ("works.So"), so a bare host counts only if it is alone.
    let is_alone = !text.contains(char::is_whitespace);
    let host_of = |word: &str| {
        let word = word.trim_matches(is_edge);
        let lower = word.to_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") || lower.starts_with("mailto:") {
            return domains(word).into_iter().next();
        }
        let end = word.find(['/', '?', '#', ':']).unwrap_or(word.len());
        let host = match word[..end].rsplit_once('@') {
            Some((_, host)) => host,
            None => &word[..end],
        };
        let Ok(Host::Domain(host)) = Host::parse(host) else { return None };
        let is_named = lower.starts_with("www.") || (is_alone && is_domain(&host) && !is_file(word, target));
        is_named.then_some(host)
    };
    text.split_whitespace().filter_map(host_of).collect()
}

/// Whether somebody can own this name.
fn is_domain(host: &str) -> bool {
    psl::domain(host.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

/// Whether a word is the file name of the target, though it could be a domain: `README.md`.
fn is_file(word: &str, target: &str) -> bool {
    let has_ending = word.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS_OF_FILES.contains(&ending));
    let name = target.split(['?', '#']).next().and_then(|path| path.rsplit_once('/'));
    has_ending && name.is_some_and(|(_, name)| name == word)
}

/// The part of a host that somebody owns: `example.co.uk`. Other names and IP addresses stay as they are.
fn registrable(host: &str) -> &str {
    psl::domain_str(host).unwrap_or(host)
}

fn domain_of_address(address: &str) -> Option<String> {
    let (_, domain) = address.trim().rsplit_once('@')?;
    let written = (!domain.is_empty()).then(|| domain.to_lowercase());
    Host::parse(domain).map_or(written, |host| Some(host.to_string()))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::passage::Place;

    fn hides(text: &str, target: &str) -> bool {
        let (text, target) = (Cow::Borrowed(text), Cow::Borrowed(target));
        hides_its_target(&Link { place: Place::Part("b"), text, target })
    }

    #[test]
    fn domains_are_those_of_pages_and_of_mailboxes() {
        assert_eq!(domains("https://EXAMPLE.com:8443/a?b"), ["example.com"]);
        assert_eq!(domains("https://user:pass@b\u{fc}cher.example./"), ["xn--bcher-kva.example"]);
        assert_eq!(domains("http://[::1]/"), ["[::1]"]);
        assert_eq!(
            domains("mailto:a@one.example,b%40two.example?BCC=c%40three.example&subject=d@four.example"),
            ["one.example", "two.example", "three.example"]
        );
        assert_eq!(domains("mailto:nobody"), [""; 0]);
        assert_eq!(domains("http://"), [""; 0]);
        assert_eq!(domains("/a/b"), [""; 0]);
    }

    #[test]
    fn a_host_that_cannot_be_parsed_is_as_it_is_written() {
        for target in [
            "https://xn--0.evil.example/a",
            "https://me:you@XN--0.evil.example?b",
            "https:\\\\xn--0.evil.example\\a",
            "mailto:me@xn--0.evil.example",
        ] {
            assert_eq!(domains(target), ["xn--0.evil.example"], "{target}");
            assert!(!is_host(&domains(target)[0]));
        }
    }

    #[test]
    fn two_slashes_lead_to_another_site() {
        for target in
            ["//evil.example/a", " \t/\\evil.example", "\\\\evil.example", "///evil.example", "/\t/evil.example"]
        {
            assert_eq!(domains(target), ["evil.example"], "{target}");
        }
    }

    #[test]
    fn a_text_that_names_another_site_hides_the_target() {
        for (text, target) in [
            ("", "https://example.com"),
            (" \u{200b}\u{2060}", "https://example.com"),
            ("bank.com", "https://bank.com.evil.example/"),
            ("https://bank.com/login", "https://evil.example/bank.com"),
            ("See www.bank.com, please", "https://evil.example"),
            ("ba\u{200b}nk.com", "https://evil.example"),
            ("b\u{430}nk.com", "https://bank.com"),
            ("ada@bank.com", "mailto:ada@evil.example"),
            ("one.github.io", "https://two.github.io"),
            ("README.md", "https://evil.example/else.md"),
        ] {
            assert!(hides(text, target), "{text} {target}");
        }
    }

    #[test]
    fn a_text_that_names_the_site_or_none_does_not() {
        for (text, target) in [
            ("the bank", "https://bank.com"),
            ("bank.com", "https://www.bank.com/login"),
            ("https://www.bank.co.uk/a", "http://login.bank.co.uk"),
            ("b\u{fc}cher.de", "https://xn--bcher-kva.de/"),
            ("ada@bank.com", "https://bank.com/ada"),
            ("README.md", "https://git.example.com/a/README.md?b#c"),
            ("version 1.2.3", "https://example.com"),
            ("3.5", "https://example.com"),
            ("...", "https://example.com"),
            ("10.0.0.1", "https://example.com"),
            ("it works.So does this", "https://example.com"),
        ] {
            assert!(!hides(text, target), "{text} {target}");
        }
    }
}

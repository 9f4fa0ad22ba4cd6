//! Whatever the text, reading it as the URL of a webhook does not panic. An accepted one names the same public host to
//! other parsers.

use std::net::IpAddr;

use cloud_svc::news::webhooks::url::check;
use shared_runtime::{
    Outbound,
    state::outbound::{AllowRule, Target, is_public},
};

pub fn run(bytes: &[u8]) {
    let text = crate::text::text(bytes);
    let _ = text.parse::<AllowRule>();
    let target = Target::parse(text);
    if let Ok(target) = &target {
        assert!(!target.host().is_empty() && target.port() > 0, "{text:?}");
        let again = Target::parse(&target.to_string()).expect("what is read is written as a URL");
        assert_eq!(&again, target);
        same_host(text, target);
    }
    if check(text, &Outbound::new(&[])).is_ok() {
        let target = target.expect("an accepted URL is one");
        assert!(target.is_https() && target.port() == 443 && target.literal().is_none(), "{text:?}");
        assert!(target.host().parse::<IpAddr>().is_err_and(|_| target.host().contains('.')), "{text:?}");
    }
}

/// A program that reads the URL differently could be sent to a host that we have not checked.
fn same_host(text: &str, target: &Target) {
    let Some(other) = text.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_ascii_lowercase)) else {
        return;
    };
    match target.literal() {
        Some(address) => {
            // In the usual spelling both see the same address; another spelling is a name for the other parser.
            if let Ok(literal) = other.trim_matches(['[', ']']).parse::<IpAddr>() {
                assert_eq!((literal, is_public(literal)), (address, is_public(address)), "{text:?}");
            }
        }
        // That parser leaves escapes as they are.
        None if other.contains('%') => {}
        None => assert_eq!(other, target.host(), "{text:?}"),
    }
}

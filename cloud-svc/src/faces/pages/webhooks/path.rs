//! Where the page of all webhooks is.

pub const PATH: &str = "/w/webhooks";

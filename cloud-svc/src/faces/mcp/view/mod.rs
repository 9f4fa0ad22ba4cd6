//! The view of plans and proposals that a chat client shows beside the results of tools.
//!
//! The view is one page of HTML, the same for everybody. It learns from a result which resource to show, and asks its
//! client for it. It decides nothing: its links lead to the page of the plan.

mod review;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};
use shared_runtime::{mcp::View, pages::content_style};

pub(super) use self::review::{SCHEME, read};
use crate::faces::pages::STYLE;

pub(super) const VIEW: &str = "ui://cloud/review.html";

pub(super) const VIEWS: &[View] = &[View { uri: VIEW, html }];

const SCRIPT: &str = include_str!("view.js");

fn html() -> String {
    let (style, digest) = (content_style(STYLE), STANDARD.encode(Sha256::digest(SCRIPT)));
    // Clients have a policy of their own. This one also holds where they have none.
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">\n<title>Review</title>\n<style>{style}\nbody {{ padding: 1rem; }}</style>\n\
         <main id=\"shown\" aria-live=\"polite\"></main>\n<script>{SCRIPT}</script>\n</html>\n"
    )
}

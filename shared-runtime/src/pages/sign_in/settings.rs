//! The setting of the sign-in, in services with pages for people who have signed in.

use url::Url;

use crate::context::settings::{HEADING, Mistakes, SettingsArguments, SettingsGroup, is_loopback};

/// Options about the sign-in, as they are given.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct SignInSettings {
    /// Client id with which the pages sign people in: a public client with PKCE at the issuer [default: nobody can sign in]
    #[arg(long, env, global = true)]
    sign_in_client_id: Option<String>,
}

/// The client id under which the pages send people to the issuer.
#[derive(Clone, Debug)]
pub struct SignInClient(pub String);

impl SettingsGroup for SignInSettings {
    type Checked = SignInClient;

    fn check(self, common: &SettingsArguments, mistakes: &mut Mistakes) -> Option<SignInClient> {
        let client_id = self.sign_in_client_id?;
        let rule = rule_broken_by(&client_id, common.issuer.as_deref());
        mistakes.check("SIGN_IN_CLIENT_ID", rule.map_or(Ok(()), Err)).map(|()| SignInClient(client_id))
    }
}

fn rule_broken_by(client_id: &str, issuer: Option<&str>) -> Option<&'static str> {
    if client_id.len() > 255 || !client_id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some("must be 1 to 255 visible ASCII characters");
    }
    match issuer.map(Url::parse) {
        Some(Ok(url)) if url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url) => None,
        // The metadata of the authorization server is fetched from this URL.
        _ => Some("needs an ISSUER that is an https URL (http only on this machine)"),
    }
}

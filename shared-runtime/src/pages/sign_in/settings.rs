//! The setting of the sign-in, in services with pages for people who have signed in.

use url::Url;

use crate::context::settings::{HEADING, Mistakes, SettingsArguments, SettingsGroup};

/// Options about the sign-in, as they are given.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct SignInSettings {
    /// Client id with which the pages sign people in: a public client with PKCE at the issuer [default: nobody can sign in]
    #[arg(long, env, global = true)]
    sign_in_client_id: Option<String>,
    /// Origin of the issuer for this service's own calls, like http://issuer:8080 [default: that of ISSUER]
    #[arg(long, env, global = true)]
    issuer_internal_url: Option<String>,
}

/// How the pages sign people in.
#[derive(Clone, Debug)]
pub struct SignInClient {
    pub id: String,
    /// The origin for the service's own calls, if it is not that of the issuer.
    pub internal: Option<String>,
}

impl SettingsGroup for SignInSettings {
    type Checked = SignInClient;

    fn check(self, common: &SettingsArguments, mistakes: &mut Mistakes) -> Option<SignInClient> {
        let issuer = common.issuer.as_deref();
        // Checked without a client id, too: a mistake must not wait until there is one.
        let internal = self.issuer_internal_url.map(|url| internal_origin(&url, issuer));
        let internal = internal.and_then(|origin| mistakes.check("ISSUER_INTERNAL_URL", origin));
        let id = self.sign_in_client_id?;
        let rule = rule_broken_by(&id, issuer);
        mistakes.check("SIGN_IN_CLIENT_ID", rule.map_or(Ok(()), Err))?;
        Some(SignInClient { id, internal })
    }
}

/// In clear text only beside an issuer in clear text, which is on the developer's machine: a network of containers.
fn internal_origin(url: &str, issuer: Option<&str>) -> Result<String, &'static str> {
    let issuer = issuer.ok_or("needs an ISSUER")?;
    let parsed = Url::parse(url).ok();
    let parsed = parsed.filter(|url| url.path() == "/" && url.query().is_none() && url.fragment().is_none());
    let is_safe = |url: &Url| match url.scheme() {
        "https" => true,
        "http" => issuer.starts_with("http://"),
        _ => false,
    };
    let origin = parsed.filter(is_safe).map(|url| url.origin().ascii_serialization());
    origin.ok_or("must be an https URL without a path (http only with an ISSUER on this machine)")
}

fn rule_broken_by(client_id: &str, issuer: Option<&str>) -> Option<&'static str> {
    if client_id.len() > 255 || !client_id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some("must be 1 to 255 visible ASCII characters");
    }
    // The metadata of the authorization server is fetched from this URL.
    issuer.is_none().then_some("needs an ISSUER")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_internal_url_is_an_origin_and_in_clear_text_only_for_developers() {
        let local = Some("http://127.0.0.1:8080");
        assert_eq!(internal_origin("http://stack:8080", local).as_deref(), Ok("http://stack:8080"));
        assert_eq!(
            internal_origin("https://id.internal/", Some("https://id.example")).as_deref(),
            Ok("https://id.internal")
        );
        for (url, issuer) in [
            ("http://stack:8080", Some("https://id.example")),
            ("http://stack:8080", None),
            ("https://id.internal", None),
            ("https://id.internal/realm", local),
            ("https://id.internal?x", local),
            ("ftp://id.internal", local),
            ("stack:8080", local),
        ] {
            assert!(internal_origin(url, issuer).is_err(), "{url}");
        }
    }
}

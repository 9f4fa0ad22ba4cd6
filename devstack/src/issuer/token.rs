//! `POST /token`: exchanges an authorization code for an access token (RFC 6749 §4.1.3, RFC 7636 §4.6).

use actix_web::{HttpResponse, http::StatusCode, http::header, web};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_runtime::Clock;

use super::{
    codes::{CodeGrant, Codes},
    fields::Fields,
};
use crate::{keys::KeyFile, tokens::Claims};

pub const PATH: &str = "/token";
/// Seconds until a sample person has to sign in again.
const LIFETIME: i64 = 8 * 3600;

pub fn routes(app: &mut web::ServiceConfig) {
    app.route(PATH, web::post().to(exchange));
}

/// Signs access tokens.
pub struct Minter {
    issuer: String,
    key: KeyFile,
}

impl Minter {
    pub fn new(issuer: &str, key: KeyFile) -> Self {
        Self { issuer: issuer.to_owned(), key }
    }

    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    fn token(&self, granted: &CodeGrant) -> String {
        let CodeGrant { service, resource, subject, .. } = granted;
        let mut claims = Claims::new(*service, &self.issuer, resource, subject, Clock::System.now(), LIFETIME);
        claims.set_text("scope", Some(&granted.scope));
        match &granted.agent {
            None => claims.set_display_name(&granted.display_name),
            // Lent by the person, so that nobody takes what it does for the person's own deed.
            Some(name) => claims.lend_to_agent(name),
        }
        claims.sign(&self.key)
    }
}

/// RFC 6749 §5.2.
struct TokenError(StatusCode, &'static str);

async fn exchange(body: web::Bytes, codes: web::Data<Codes>, minter: web::Data<Minter>) -> HttpResponse {
    let (status, body) = match granted(&body, &codes) {
        Ok(granted) => {
            let token = minter.token(&granted);
            let body = json!({
                "access_token": token, "token_type": "Bearer", "expires_in": LIFETIME, "scope": granted.scope,
            });
            (StatusCode::OK, body)
        }
        Err(TokenError(status, error)) => (status, json!({"error": error})),
    };
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(body.to_string())
}

fn granted(body: &[u8], codes: &Codes) -> Result<CodeGrant, TokenError> {
    let bad = |error| TokenError(StatusCode::BAD_REQUEST, error);
    let fields = Fields::read(body).map_err(|_| bad("invalid_request"))?;
    let wanted = |name| fields.get(name).ok_or_else(|| bad("invalid_request"));
    if wanted("grant_type")? != "authorization_code" {
        return Err(bad("unsupported_grant_type"));
    }
    let client_id = wanted("client_id")?;
    let (code, redirect_uri, verifier) = (wanted("code")?, wanted("redirect_uri")?, wanted("code_verifier")?);
    // Redeemed before the other checks: a code that was shown with wrong parameters may be stolen.
    let granted = codes.take(code).ok_or_else(|| bad("invalid_grant"))?;
    if granted.client_id != client_id {
        return Err(TokenError(StatusCode::UNAUTHORIZED, "invalid_client"));
    }
    // Proves that the sender of the code also began the sign-in (PKCE).
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    if granted.redirect_uri != redirect_uri || granted.code_challenge != challenge {
        return Err(bad("invalid_grant"));
    }
    if fields.get("resource").is_some_and(|resource| resource != granted.resource) {
        return Err(bad("invalid_target"));
    }
    Ok(granted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{issuer::clients::CLIENT_ID, service_name::ServiceName};

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    fn code(codes: &Codes) -> String {
        let granted = CodeGrant {
            client_id: CLIENT_ID.to_owned(),
            agent: None,
            redirect_uri: "http://127.0.0.1:8082/sign-in/callback".to_owned(),
            // RFC 7636, appendix B.
            code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
            resource: "http://127.0.0.1:8082".to_owned(),
            service: ServiceName::Cloud,
            subject: "ada".to_owned(),
            display_name: "Ada".to_owned(),
            scope: "cloud.read".to_owned(),
        };
        codes.make(granted).expect("few codes are out")
    }

    fn error(codes: &Codes, change: &[(&str, &str)]) -> Option<&'static str> {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("client_id", CLIENT_ID),
            ("redirect_uri", "http://127.0.0.1:8082/sign-in/callback"),
            ("code_verifier", VERIFIER),
        ];
        fields.retain(|(name, _)| change.iter().all(|(changed, _)| changed != name));
        fields.extend(change);
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        granted(body.as_bytes(), codes).err().map(|error| error.1)
    }

    #[test]
    fn a_code_is_good_once_for_whom_it_was_made() {
        let codes = Codes::default();
        let good = code(&codes);
        assert_eq!(error(&codes, &[("code", &good)]), None);
        assert_eq!(error(&codes, &[("code", &good)]), Some("invalid_grant"), "a second time");
        for (name, value, expected) in [
            ("code_verifier", "another-verifier-of-at-least-43-characters-xxxx", "invalid_grant"),
            ("redirect_uri", "http://127.0.0.1:8083/sign-in/callback", "invalid_grant"),
            ("resource", "http://127.0.0.1:8083", "invalid_target"),
            ("client_id", "another", "invalid_client"),
            ("grant_type", "refresh_token", "unsupported_grant_type"),
        ] {
            let code = code(&codes);
            assert_eq!(error(&codes, &[("code", &code), (name, value)]), Some(expected), "{name}");
        }
        assert_eq!(error(&codes, &[]), Some("invalid_request"), "no code");
    }

    #[test]
    fn a_wrong_verifier_uses_the_code_up() {
        let codes = Codes::default();
        let code = code(&codes);
        assert!(error(&codes, &[("code", &code), ("code_verifier", "wrong")]).is_some());
        assert_eq!(error(&codes, &[("code", &code)]), Some("invalid_grant"));
    }
}

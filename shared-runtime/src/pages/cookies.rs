//! The cookies of a service: names that no other service of the host has, and the attributes that they are set with.

use actix_web::{HttpRequest, http::header};

use crate::{context::Context, http::asked_resource};

/// A cookie of a service, as the request's way to it asks for.
///
/// Over https its name begins with `__Host-`: only this very host can set it, and only over https (RFC 6265bis §4.1.3.2). In clear
/// text, which the settings allow on a loopback address only, browsers take no such cookie.
pub struct Cookie {
    name: String,
    is_secure: bool,
}

impl Cookie {
    /// The cookie with this purpose.
    pub fn of(context: &Context, http: &HttpRequest, purpose: &str) -> Self {
        Self::asked_at(asked_resource::challenge(context, http).resource(), context, purpose)
    }

    /// The cookie with this purpose, as it is at this URL of the service.
    pub fn asked_at(resource: &str, context: &Context, purpose: &str) -> Self {
        let is_secure = resource.starts_with("https://");
        let prefix = if is_secure { "__Host-" } else { "" };
        Self { name: format!("{prefix}{}-{purpose}", context.surface.name), is_secure }
    }

    /// Its name: what is sealed in it is bound to that.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its value in a request.
    pub fn value<'r>(&self, http: &'r HttpRequest) -> Option<&'r str> {
        let lines = http.headers().get_all(header::COOKIE).filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == self.name).map(|(_, value)| value).next()
    }

    /// `Set-Cookie` with this value, for so many seconds.
    pub fn set(&self, value: &str, seconds: i64) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        format!("{}={value}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{secure}", self.name, seconds.max(0))
    }

    /// `Set-Cookie` that removes it.
    pub fn clear(&self) -> String {
        self.set("", 0)
    }
}

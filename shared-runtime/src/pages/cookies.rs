//! Cookies: names that no other service of the host uses, and strict attributes.

use actix_web::{HttpRequest, http::header};

use crate::{base::surface::Surface, context::Context, http::resource_for_host};

/// A cookie of a service.
///
/// Over https its name begins with `__Host-`: only this host can set it, and only over https (RFC 6265bis §4.1.3.2).
/// In clear text, which the settings allow for loopback addresses only, browsers reject such a cookie.
pub struct Cookie {
    name: String,
    is_secure: bool,
}

impl Cookie {
    /// For the resource that matches the request's host.
    pub fn for_request(context: &Context, http: &HttpRequest, purpose: &str) -> Self {
        Self::for_resource(resource_for_host::challenge(context, http).resource(), context.surface, purpose)
    }

    pub fn for_resource(resource: &str, surface: &Surface, purpose: &str) -> Self {
        let is_secure = resource.starts_with("https://");
        let prefix = if is_secure { "__Host-" } else { "" };
        Self { name: format!("{prefix}{}-{purpose}", surface.name), is_secure }
    }

    /// Encrypted values are bound to the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn value<'r>(&self, http: &'r HttpRequest) -> Option<&'r str> {
        pairs(http).find(|(name, _)| *name == self.name).map(|(_, value)| value)
    }

    /// The cookies of the request whose names begin like this one's. Browsers send the oldest first (RFC 6265 §5.4).
    pub fn alike(&self, http: &HttpRequest) -> Vec<Self> {
        let alike = pairs(http).filter(|(name, _)| name.starts_with(&self.name));
        alike.map(|(name, _)| Self { name: name.to_owned(), is_secure: self.is_secure }).collect()
    }

    /// A `Set-Cookie` header with a lifetime in seconds.
    pub fn set(&self, value: &str, seconds: i64) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        // Lax: a link from another site opens a page of a signed-in person. No form of another site can act for them.
        format!("{}={value}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{secure}", self.name, seconds.max(0))
    }

    /// A `Set-Cookie` header that removes the cookie.
    pub fn clear(&self) -> String {
        self.set("", 0)
    }
}

fn pairs(http: &HttpRequest) -> impl Iterator<Item = (&str, &str)> {
    let lines = http.headers().get_all(header::COOKIE).filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

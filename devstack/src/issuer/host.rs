//! The names under which the issuer answers. A page on the internet can point its own name at this machine (DNS
//! rebinding). A browser then takes both for one site. Under such a name, the page could sign in as a sample person.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    error::ErrorMisdirectedRequest,
    http::header,
    middleware::Next,
    web,
};
use url::{Host, Url};

use crate::addresses::Addresses;

/// Hosts of the issuer's URLs. Those of loopback need not be named.
pub struct OwnHosts(Vec<String>);

impl OwnHosts {
    pub fn new(addresses: &Addresses) -> Self {
        // In containers, services call it by another name than browsers do, and webhooks are sent there.
        let urls = [&addresses.issuer, &addresses.receiver].map(|url| Url::parse(url).ok());
        Self(urls.into_iter().flatten().filter_map(|url| url.host_str().map(str::to_owned)).collect())
    }

    fn has(&self, host: &str) -> bool {
        // Any port: somebody may forward another one.
        let Ok(url) = Url::parse(&format!("http://{host}")) else { return false };
        let is_loopback = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        is_loopback || self.0.iter().any(|own| url.host_str() == Some(own.as_str()))
    }
}

/// 421 for a request to another host.
pub async fn check(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_own = request.app_data::<web::Data<OwnHosts>>().is_some_and(|own| own.has(host));
    if !is_own {
        return Err(ErrorMisdirectedRequest("the issuer answers only under its own names"));
    }
    next.call(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_and_those_of_this_machine_are_taken() {
        let own = OwnHosts(vec!["127.0.0.1".to_owned(), "stack".to_owned()]);
        for host in ["127.0.0.1:8080", "localhost:8080", "localhost", "a.localhost:9", "[::1]:8080", "stack:8080"] {
            assert!(own.has(host), "{host}");
        }
        for host in ["", "evil.example", "evil.example:8080", "localhost.evil.example", "stack.example", "10.0.0.1"] {
            assert!(!own.has(host), "{host}");
        }
    }
}

//! Sample people who can sign in, each with a different set of scopes.

use crate::{
    service_name::ServiceName,
    tokens::{self, ADA, BOB, OTHER_WORKSPACE},
};

#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub subject: &'static str,
    pub display_name: &'static str,
    /// Their permissions, in words.
    pub may: &'static str,
    /// Scopes of their access grant; `None` means all scopes of the service.
    scopes: Option<&'static str>,
}

// Reviews need several people with different permissions; on the other services one owner is enough.
const CLOUD: [Person; 4] = [
    Person { subject: ADA.subject, display_name: "Ada", may: "owns workspace 1: everything", scopes: None },
    Person {
        subject: BOB.subject,
        display_name: "Bob",
        may: "reviews in workspace 1: reads, proposes, approves",
        scopes: Some("cloud.read cloud.propose cloud.approve"),
    },
    Person {
        subject: "rita",
        display_name: "Rita",
        may: "reads in workspace 1, and nothing else",
        scopes: Some("cloud.read"),
    },
    Person {
        subject: OTHER_WORKSPACE.subject,
        display_name: "Carol",
        may: "owns workspace 2: everything",
        scopes: None,
    },
];

/// The people who can sign in to a service.
pub fn for_service(service: ServiceName) -> Vec<Person> {
    if service == ServiceName::Cloud {
        return CLOUD.to_vec();
    }
    let own = tokens::CAST.into_iter().filter(|caller| caller.service == service);
    let person = |caller: tokens::Caller| Person {
        subject: caller.subject,
        display_name: caller.display_name,
        may: "everything",
        scopes: None,
    };
    own.map(person).collect()
}

impl Person {
    /// The requested scopes that the person may grant. An empty request means all of them.
    pub fn grants(self, service: ServiceName, asked: &str) -> String {
        let own = self.scopes.unwrap_or_else(|| service.scopes()).split(' ');
        let is_asked = |scope: &&str| asked.is_empty() || asked.split(' ').any(|asked| asked == *scope);
        own.filter(is_asked).collect::<Vec<_>>().join(" ")
    }
}

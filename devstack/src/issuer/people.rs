//! Who can sign in: sample people, each with what a grant of theirs may do.

use crate::{
    surfaces::SurfaceName,
    tokens::{self, ADA, BOB, OTHER_WORKSPACE},
};

/// A sample person.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    /// `sub`.
    pub subject: &'static str,
    /// What people call them.
    pub display_name: &'static str,
    /// What they may do, in words.
    pub may: &'static str,
    /// The scopes of their grant; all of the service where there are none.
    scopes: Option<&'static str>,
}

/// Those of the cloud service; another has its sample callers alone.
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

/// Who can sign in to a service.
pub fn of(surface: SurfaceName) -> Vec<Person> {
    if surface == SurfaceName::Cloud {
        return CLOUD.to_vec();
    }
    let own = tokens::CAST.into_iter().filter(|caller| caller.surface == surface);
    let person = |caller: tokens::Caller| Person {
        subject: caller.subject,
        display_name: caller.display_name,
        may: "everything",
        scopes: None,
    };
    own.map(person).collect()
}

impl Person {
    /// Those of the scopes that are asked for which the person may grant; all of them where none is asked for.
    pub fn grants(self, surface: SurfaceName, asked: &str) -> String {
        let own = self.scopes.unwrap_or_else(|| tokens::scopes_of(surface)).split(' ');
        let is_asked = |scope: &&str| asked.is_empty() || asked.split(' ').any(|asked| asked == *scope);
        own.filter(is_asked).collect::<Vec<_>>().join(" ")
    }
}

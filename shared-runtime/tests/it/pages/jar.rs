//! The cookies of a browser.

use shared_testing::Response;

/// Names and values, the oldest first.
#[derive(Default)]
pub struct Jar(pub Vec<(String, String)>);

impl Jar {
    /// Does what the response says.
    pub fn keep(&mut self, response: &Response) {
        for (_, cookie) in response.headers().iter().filter(|(name, _)| name == "set-cookie") {
            let (pair, attributes) = cookie.split_once(';').expect("attributes");
            let (name, value) = pair.split_once('=').expect("a pair");
            self.0.retain(|(own, _)| own != name);
            if !attributes.contains("Max-Age=0;") {
                self.0.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    /// The value of the header `Cookie`.
    pub fn header(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }
}

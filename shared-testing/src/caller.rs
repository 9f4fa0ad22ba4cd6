//! Callers with a valid token, an invalid token, or none.

use std::{net::SocketAddr, rc::Rc};

use serde_json::Value;

use crate::{
    request::Request,
    test_server::TestServer,
    token::{Issuer, Token},
};

#[derive(Clone)]
pub struct Caller {
    server: Rc<TestServer>,
    access: Access,
}

#[derive(Clone)]
enum Access {
    None,
    Token(Box<Token>),
    Text(String),
}

impl Caller {
    pub(crate) fn anonymous(server: Rc<TestServer>) -> Self {
        Self { server, access: Access::None }
    }

    /// An anonymous caller of any other server on this machine.
    pub fn at(address: SocketAddr) -> Self {
        Self::anonymous(Rc::new(TestServer::at(address)))
    }

    pub(crate) fn with_token(server: Rc<TestServer>, token: Token) -> Self {
        Self { server, access: Access::Token(Box::new(token)) }
    }

    /// Replaces the scopes, separated by spaces.
    pub fn scope(self, scopes: &str) -> Self {
        self.claim("scope", scopes)
    }

    /// Moves the access grant to the workspace `ws_{number}`.
    pub fn workspace(self, number: i64) -> Self {
        self.claim("workspace_id", format!("ws_{number}"))
    }

    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.claims.insert(name.to_owned(), value.into()));
        self
    }

    pub fn without_claim(mut self, name: &str) -> Self {
        self.with(|token| token.claims.remove(name));
        self
    }

    /// Replaces a member of the token's header.
    pub fn token_header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.header.insert(name.to_owned(), value.into()));
        self
    }

    /// Signs the same claims with another issuer's key.
    pub fn signed_by(mut self, issuer: &Issuer) -> Self {
        self.with(|token| token.key = issuer.key.clone());
        self
    }

    /// Sends this text instead of a token.
    pub fn bearer(mut self, text: impl Into<String>) -> Self {
        self.access = Access::Text(text.into());
        self
    }

    pub fn token(&self) -> String {
        self.access_token().expect("an anonymous caller has no token")
    }

    /// A text claim such as `sub` or `grant_id`.
    pub fn claim_text(&self, name: &str) -> String {
        let Access::Token(token) = &self.access else { panic!("only a token has claims") };
        token.claims.get(name).and_then(Value::as_str).expect("a claim that is text").to_owned()
    }

    pub fn get(&self, path: impl Into<String>) -> Request {
        self.request("GET", path)
    }

    pub fn head(&self, path: impl Into<String>) -> Request {
        self.request("HEAD", path)
    }

    pub fn post(&self, path: impl Into<String>) -> Request {
        self.request("POST", path)
    }

    /// A path, or a link of the service, of which the path counts.
    pub fn request(&self, method: &str, path: impl Into<String>) -> Request {
        let mut path = path.into();
        if path.starts_with("http") {
            let host = path.find("://").map_or(0, |at| at + 3);
            path.drain(..path[host..].find('/').map_or(path.len(), |at| host + at));
        }
        let request = Request::new(Rc::clone(&self.server), method, path);
        match self.access_token() {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    fn access_token(&self) -> Option<String> {
        match &self.access {
            Access::None => None,
            Access::Token(token) => Some(token.sign()),
            Access::Text(text) => Some(text.clone()),
        }
    }

    fn with<T>(&mut self, change: impl FnOnce(&mut Token) -> T) {
        match &mut self.access {
            Access::Token(token) => drop(change(token)),
            Access::None | Access::Text(_) => panic!("only a caller with a token has claims"),
        }
    }
}

//! Callers: with a good token, with a broken one, or without any.

use std::{net::SocketAddr, rc::Rc};

use serde_json::Value;

use crate::{
    request::Request,
    test_server::TestServer,
    token::{Issuer, Token},
};

/// Someone who sends requests to the stage: with a token, with a broken one, or without any.
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

    /// Someone without a token who calls another server of this machine, one that is no stage.
    pub fn at(address: SocketAddr) -> Self {
        Self::anonymous(Rc::new(TestServer::at(address)))
    }

    pub(crate) fn with_token(server: Rc<TestServer>, token: Token) -> Self {
        Self { server, access: Access::Token(Box::new(token)) }
    }

    /// With exactly these scopes, separated by blanks.
    pub fn scope(self, scopes: &str) -> Self {
        self.claim("scope", scopes)
    }

    /// With the grant of this workspace: `ws_{number}`.
    pub fn workspace(self, number: i64) -> Self {
        self.claim("workspace_id", format!("ws_{number}"))
    }

    /// With another value of a claim.
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.claims.insert(name.to_owned(), value.into()));
        self
    }

    /// Without a claim.
    pub fn without_claim(mut self, name: &str) -> Self {
        self.with(|token| token.claims.remove(name));
        self
    }

    /// With another value of a member of the token's header.
    pub fn token_header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|token| token.header.insert(name.to_owned(), value.into()));
        self
    }

    /// With the signature of another issuer's key; the claims stay.
    pub fn signed_by(mut self, issuer: &Issuer) -> Self {
        self.with(|token| token.key = issuer.key.clone());
        self
    }

    /// With this text in place of a token.
    pub fn bearer(mut self, text: impl Into<String>) -> Self {
        self.access = Access::Text(text.into());
        self
    }

    /// The token's text. Fails the test when there is none.
    pub fn token(&self) -> String {
        self.access_token().expect("an anonymous caller has no token")
    }

    /// A claim that is text, like `sub` or `grant_id`.
    pub fn claim_text(&self, name: &str) -> String {
        let Access::Token(token) = &self.access else { panic!("only a token has claims") };
        token.claims.get(name).and_then(Value::as_str).expect("a claim that is text").to_owned()
    }

    /// A GET.
    pub fn get(&self, path: impl Into<String>) -> Request {
        self.request("GET", path)
    }

    /// A HEAD.
    pub fn head(&self, path: impl Into<String>) -> Request {
        self.request("HEAD", path)
    }

    /// A POST, without a body until [`Request::json`] gives it one.
    pub fn post(&self, path: impl Into<String>) -> Request {
        self.request("POST", path)
    }

    /// Any method.
    pub fn request(&self, method: &str, path: impl Into<String>) -> Request {
        let request = Request::new(Rc::clone(&self.server), method, path.into());
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

//! `cargo run -- token`: a token that says what one asks for, signed by the stack's own issuer.

use std::{
    error::Error,
    io::{self, Write as _},
};

use shared_runtime::{Clock, import};

use crate::{
    arguments::Token,
    error::StackError,
    home::Home,
    keys::{self, KeptKey},
    manifest::Manifest,
    tokens::{self, Caller, Claims},
};

/// Prints the token.
pub fn run(arguments: Token) -> Result<(), Box<dyn Error>> {
    let Token { data, surface, sub, scope, grant_id, ttl, claims } = arguments;
    tokens::check_scopes(surface, scope.as_deref().unwrap_or_default())?;
    let home = Home::at(&data)?;
    let manifest = Manifest::read(&home)?.ok_or_else(|| {
        StackError::new(format!("there is no stack.json in {}; start the stack first", home.root().display()))
    })?;
    let key = KeptKey::load(&home, keys::ISSUER)?;
    let subject = match &sub {
        Some(subject) => subject,
        None => Caller::find(surface, None).map_or("owner", |caller| caller.subject),
    };
    let audience = match manifest.surfaces.get(&surface) {
        Some(entry) => &entry.base_url,
        None => return Err(format!("stack.json does not know the surface {}", surface.as_str()).into()),
    };
    let mut token = Claims::new(surface, &manifest.issuer.url, audience, subject, Clock::System.now(), ttl);
    token.set_text("scope", scope.as_deref());
    token.set_text("grant_id", grant_id.as_deref());
    claims.into_iter().for_each(|claim| token.set(claim));
    if let Some(sentence) = token.wrong_id() {
        // It is printed all the same: this may be what is to be tried.
        import::print_error_line(format_args!("warning: {sentence}"));
    }
    Ok(writeln!(io::stdout(), "{}", token.sign(&key))?)
}

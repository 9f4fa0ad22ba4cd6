//! `cargo run -- token`: an access token with chosen claims, signed by the stack's issuer.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
};

use shared_runtime::{Clock, import};

use crate::{
    arguments::Token,
    data_folder::DataFolder,
    error::StackError,
    keys::{self, KeyFile},
    stack_file::StackFile,
    tokens::{self, Caller, Claims},
};

pub fn run(data: &Path, arguments: Token) -> Result<(), Box<dyn Error>> {
    let Token { service, sub, scope, grant_id, ttl, claims } = arguments;
    tokens::check_scopes(service, scope.as_deref().unwrap_or_default())?;
    let folder = DataFolder::at(data)?;
    let stack_file = StackFile::read(&folder)?.ok_or_else(|| {
        StackError::new(format!("there is no stack.json in {}; start the stack first", folder.root().display()))
    })?;
    let key = KeyFile::load(&folder, keys::ISSUER)?;
    let subject = match &sub {
        Some(subject) => subject,
        None => Caller::find(service, None).map_or("owner", |caller| caller.subject),
    };
    let audience = match stack_file.services.get(&service) {
        Some(entry) => &entry.base_url,
        None => return Err(format!("stack.json has no service {}", service.as_str()).into()),
    };
    let mut token = Claims::new(service, &stack_file.issuer.url, audience, subject, Clock::System.now(), ttl);
    token.set_text("scope", scope.as_deref());
    token.set_text("grant_id", grant_id.as_deref());
    // After the named options: `--claim` overrides them.
    claims.into_iter().for_each(|claim| token.set(claim));
    if let Some(sentence) = token.wrong_id() {
        // A warning only: tests of refusals need wrong tokens.
        import::print_error_line(format_args!("warning: {sentence}"));
    }
    Ok(writeln!(io::stdout(), "{}", token.sign(&key))?)
}

//! `locker-svc catalogue`: sets the source of the public catalogue.

use std::{
    error::Error,
    io::{self, Write as _},
};

use clap::Subcommand;
use serde_json::json;
use shared_runtime::{Conn, Context};

use crate::catalogue::{FETCH_TIMEOUT, PollResult, follow, store};

#[derive(Subcommand, Debug)]
pub enum CatalogueCommand {
    /// Follow the catalogue at a URL: request it now, and then every 30 seconds from one of the replicas. Exit with 1
    /// if the first request returns no catalogue; a new URL is then not followed
    Follow {
        /// An http or https URL that returns a catalogue, bare or as Locker serves it
        #[arg(value_parser = url)]
        url: String,
    },
    /// Stop following; the served catalogue stays and never becomes stale
    Unfollow,
    /// Print the served catalogue's version and the followed upstream
    Status,
}

pub async fn run(command: CatalogueCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        CatalogueCommand::Follow { url } => follow_url(context, url).await?,
        CatalogueCommand::Unfollow => {
            if !context.write(|conn| Ok(follow::unfollow(conn)?)).await? {
                return Err("Nothing is followed.".into());
            }
        }
        CatalogueCommand::Status => {}
    }
    print_status(context).await
}

async fn follow_url(context: &Context, url: String) -> Result<(), Box<dyn Error>> {
    let (now, wanted) = (context.clock.now(), url.clone());
    let known =
        context.read(move |conn| Ok((store::find_upstream(conn)?, follow::upstream(conn, &wanted, now)?))).await?;
    let (present, upstream) = known;
    let result = PollResult::of(context, upstream, None, FETCH_TIMEOUT).await?;
    let error = result.error();
    // A mistyped URL must not end the catalogue that is served.
    if let Some(error) = &error
        && present.is_none_or(|present| present.url != url)
    {
        return Err(format!("nothing was changed: the URL returned no catalogue: {error}").into());
    }
    let store = move |conn: &mut Conn| {
        follow::follow(conn, &url, now)?;
        Ok(result.store(conn)?)
    };
    context.write(store).await?;
    if let Some(error) = error {
        // The upstream stays followed: it may be down for a minute, and the job will try again.
        print_status(context).await?;
        return Err(format!("the URL is still followed, but returned no catalogue: {error}").into());
    }
    Ok(())
}

async fn print_status(context: &Context) -> Result<(), Box<dyn Error>> {
    let read = context.read(|conn| Ok((store::newest_snapshot(conn)?, store::find_upstream(conn)?)));
    let (newest, upstream) = read.await?;
    let is_fresh = upstream.as_ref().is_none_or(|upstream| upstream.is_fresh(context.clock.now()));
    let status = json!({
        "is_served": newest.is_some() && is_fresh,
        "version": newest.as_ref().map(|snapshot| &snapshot.version),
        "since": newest.as_ref().map(|snapshot| snapshot.imported_at),
        "upstream": upstream,
    });
    Ok(writeln!(io::stdout(), "{status:#}")?)
}

/// No user and password in the URL: `catalogue status` prints it.
fn url(text: &str) -> Result<String, &'static str> {
    const RULE: &str = "must be an http or https URL of at most 1000 characters, without user, password and fragment";
    let url = reqwest::Url::parse(text).map_err(|_| RULE)?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    if is_plain && matches!(url.scheme(), "http" | "https") && text.len() <= 1_000 {
        Ok(url.to_string())
    } else {
        Err(RULE)
    }
}

//! What a person sees when the stack is ready: where everything is, and lines that work as pasted.

mod paste;

use std::{
    env, fmt,
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use shared_runtime::{Clock, service::printed};

use crate::{
    error::{StackError, cannot},
    manifest::Manifest,
    samples::trust::ReadyBody,
    shell::quoted,
    surfaces::SurfaceName,
    tokens::{ADA, Caller, LOCKER_OWNER, ORDERS_OWNER},
};

pub use paste::Paste;

/// Prints it, unless nobody reads: the stack is there for others too.
pub fn print(text: &str) -> Result<(), StackError> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if printed::to_nobody(&error) => Ok(()),
        printed => printed.map_err(cannot("print")),
    }
}

/// Its text.
pub fn text(paste: &Paste, manifest: &Manifest, publish: &ReadyBody, took: Duration) -> Result<String, StackError> {
    let style = Style { is_on: io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() };
    Ok(Banner { paste, manifest, took, style, curls: curls(paste, manifest, publish)? }.to_string())
}

struct Banner<'a> {
    paste: &'a Paste<'a>,
    manifest: &'a Manifest,
    took: Duration,
    style: Style,
    curls: Vec<(&'static str, String)>,
}

impl fmt::Display for Banner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paste, manifest, took, style, curls } = self;
        let seconds = took.as_secs_f32();
        writeln!(f, "\n{}", style.bold("Access tokens of the sample callers"))?;
        for caller in [LOCKER_OWNER, ADA, ORDERS_OWNER] {
            let label = format!("{} {}", caller.surface.as_str(), caller.name);
            writeln!(f, "  {label:14}{}", style.dim(token(manifest, &caller)))?;
        }
        writeln!(f, "\n{}  in {seconds:.1} s, Ctrl-C stops it", style.bold("Fourfold is ready"))?;
        for (surface, entry) in &manifest.surfaces {
            writeln!(f, "  {:8}{:24}{}", surface.as_str(), entry.base_url, style.dim(&entry.tls_base_url))?;
        }
        writeln!(f, "  {:8}{}", "issuer", manifest.issuer.url)?;
        // Containers do not reach the issuer by the name that browsers know.
        if let Paste::InFolder(_) = paste {
            let pages = format!("{}/w", manifest.surfaces[&SurfaceName::Cloud].base_url);
            writeln!(f, "  {:8}{pages:24} {}", "pages", style.dim("# for people: sign in as a sample person"))?;
        }
        if manifest.samples.cloud.webhook_id.is_some() {
            let says = style.dim("# what Ada's webhook tells is printed below");
            writeln!(f, "  {:8}{:24} {says}", "webhook", manifest.webhook_receiver_url)?;
        }
        if let Some(data) = paste.data() {
            writeln!(f, "  {:8}{}", "data", style.dim(&data))?;
        }
        let says = style.dim("# sets $CLOUD, $CLOUD_TOKEN and so on");
        writeln!(f, "  {:8}{}  {says}", "shell", paste.shell())?;
        writeln!(f, "\n{}", style.bold("Paste one of these"))?;
        for (says, line) in curls {
            writeln!(f, "  {}\n  {line}", style.dim(&format!("# {says}")))?;
        }
        writeln!(f)
    }
}

/// Lines that answer 2xx, one or two for each surface.
fn curls(paste: &Paste, manifest: &Manifest, publish: &ReadyBody) -> Result<Vec<(&'static str, String)>, StackError> {
    const JSON: &str = "-H 'Content-Type: application/json'";
    let url = |surface: SurfaceName| &manifest.surfaces[&surface].base_url;
    let (locker, cloud, orders, trust) =
        (url(SurfaceName::Locker), url(SurfaceName::Cloud), url(SurfaceName::Orders), url(SurfaceName::Trust));
    let header = |caller: Caller| paste.header(caller.surface, token(manifest, &caller));
    let (owner, ada, buyer) = (header(LOCKER_OWNER)?, header(ADA)?, header(ORDERS_OWNER)?);
    let samples = &manifest.samples;

    let mut lines = Vec::new();
    if samples.locker.room_id.is_some() {
        lines.push(("locker: what a room costs, for everyone", format!("curl {locker}/api/v1/catalogue")));
    }
    lines.push((
        "locker: subscriptions, page by page",
        format!("curl {owner} '{locker}/api/v1/billing/subscriptions?limit=3'"),
    ));
    if let Some(id) = &samples.locker.export_id {
        let says = "locker: the parts of an export, each with a link to download it";
        lines.push((says, format!("curl {owner} {locker}/api/v1/exports/{id}/parts")));
    }
    if let Some(id) = &samples.cloud.document_id {
        lines.push(("cloud: read a document", format!("curl {ada} {cloud}/v1/documents/{id}")));
        // A key of this start: a plan expires, and with the same key the same one would be answered for a day.
        let key = format!("edit-{}", Clock::System.now().seconds());
        let seen =
            format!(r#"-H "If-Match: $(curl -sI {ada} {cloud}/v1/files/{id} | sed -n 's/^etag: //p' | tr -d '\r')""#);
        let edits = r#"{"operations":[{"op":"insert_block","block":{"type":"paragraph","segments":[{"text":"And edited."}]}}]}"#;
        lines.push((
            "cloud: preview an edit of it, as it is now",
            format!(
                "curl {ada} {JSON} -H 'Idempotency-Key: {key}' {seen} -d '{edits}' {cloud}/v1/files/{id}/edit-plans"
            ),
        ));
        let plan = format!(r#"$(curl -s {ada} {cloud}/v1/idempotency/{key} | grep -o '/v1/documents/[^"]*/apply')"#);
        lines.push((
            "cloud: apply that edit",
            format!("curl {ada} {JSON} -H 'Idempotency-Key: {key}-apply' {seen} -d '{{}}' {cloud}{plan}"),
        ));
    }
    lines.push((
        "cloud: create one; paste it twice, there is still one",
        format!(r#"curl {ada} {JSON} -H 'Idempotency-Key: hello-1' -d '{{"name":"Hello"}}' {cloud}/v1/documents"#),
    ));
    if let Some(id) = &samples.orders.order_id {
        lines
            .push(("orders: read a placed order", format!("curl {buyer} {orders}/wp-json/service-net/v1/orders/{id}")));
    }
    lines.push((
        "trust: publish a signed market event; the second time it is a replay (409)",
        format!("curl {JSON} -d {} {trust}/wp-json/service-trust/v1/publish", paste.body(publish)),
    ));
    lines.push((
        "trust: its receipt proves that, to whoever has the log's key",
        format!(
            "curl -s {trust}/wp-json/service-trust/v1/events/{} | {} verify - --log-key {}",
            publish.event_hash,
            paste.trust_program(),
            quoted(&manifest.trust.log_key)
        ),
    ));
    lines.push((
        "the same with TLS",
        format!(
            "curl --cacert {} {}/v1/service",
            paste.authority(manifest),
            manifest.surfaces[&SurfaceName::Cloud].tls_base_url
        ),
    ));
    Ok(lines)
}

fn token<'a>(manifest: &'a Manifest, caller: &Caller) -> &'a str {
    &manifest.tokens[&caller.surface][caller.name]
}

/// Bold and dim text on a terminal, plain text elsewhere.
struct Style {
    is_on: bool,
}

impl Style {
    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(&self, code: &str, text: &str) -> String {
        if self.is_on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

//! The text printed when the stack is ready: addresses, tokens, and commands that work as pasted.

mod paste;

use std::{
    env, fmt,
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use shared_runtime::{Clock, service::printed};

use crate::{
    error::{StackError, cannot},
    samples::trust::ReadyBody,
    service_name::ServiceName,
    shell::quoted,
    stack_file::StackFile,
    tokens::{ADA, Caller, LOCKER_OWNER, ORDERS_OWNER},
};

pub use paste::Paste;

pub fn print(text: &str) -> Result<(), StackError> {
    match io::stdout().write_all(text.as_bytes()) {
        // A closed stdout is not a reason to stop: other programs use the stack too.
        Err(error) if printed::is_closed_pipe(&error) => Ok(()),
        printed => printed.map_err(cannot("print")),
    }
}

pub fn text(paste: &Paste, stack_file: &StackFile, publish: &ReadyBody, took: Duration) -> Result<String, StackError> {
    // https://no-color.org
    let style = Style { is_on: io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() };
    Ok(Banner { paste, stack_file, took, style, curls: curls(paste, stack_file, publish)? }.to_string())
}

struct Banner<'a> {
    paste: &'a Paste<'a>,
    stack_file: &'a StackFile,
    took: Duration,
    style: Style,
    curls: Vec<(&'static str, String)>,
}

impl fmt::Display for Banner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paste, stack_file, took, style, curls } = self;
        let seconds = took.as_secs_f32();
        writeln!(f, "\n{}", style.bold("Access tokens of the sample callers"))?;
        for caller in [LOCKER_OWNER, ADA, ORDERS_OWNER] {
            let label = format!("{} {}", caller.service.as_str(), caller.name);
            writeln!(f, "  {label:14}{}", style.dim(token(stack_file, &caller)))?;
        }
        writeln!(f, "\n{}  in {seconds:.1} s, Ctrl-C stops it", style.bold("Fourfold is ready"))?;
        for (service, entry) in &stack_file.services {
            writeln!(f, "  {:8}{:24}{}", service.as_str(), entry.base_url, style.dim(&entry.tls_base_url))?;
        }
        writeln!(f, "  {:8}{}", "issuer", stack_file.issuer.url)?;
        // In containers the issuer has a different name inside than in the browser, so sign-in cannot work there.
        if let Paste::InFolder(_) = paste {
            let pages = format!("{}/w", stack_file.services[&ServiceName::Cloud].base_url);
            writeln!(f, "  {:8}{pages:24} {}", "pages", style.dim("# sign in as a sample person"))?;
        }
        if stack_file.samples.cloud.webhook_id.is_some() {
            let says = style.dim("# deliveries of Ada's webhook are printed below");
            writeln!(f, "  {:8}{:24} {says}", "webhook", stack_file.webhook_receiver_url)?;
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

/// Commands that answer 2xx, one or two for each service.
fn curls(
    paste: &Paste,
    stack_file: &StackFile,
    publish: &ReadyBody,
) -> Result<Vec<(&'static str, String)>, StackError> {
    const JSON: &str = "-H 'Content-Type: application/json'";
    let url = |service: ServiceName| &stack_file.services[&service].base_url;
    let (locker, cloud, orders, trust) =
        (url(ServiceName::Locker), url(ServiceName::Cloud), url(ServiceName::Orders), url(ServiceName::Trust));
    let header = |caller: Caller| paste.header(caller.service, token(stack_file, &caller));
    let (owner, ada, buyer) = (header(LOCKER_OWNER)?, header(ADA)?, header(ORDERS_OWNER)?);
    let samples = &stack_file.samples;

    let mut lines = Vec::new();
    if samples.locker.room_id.is_some() {
        lines.push(("locker: room prices, no token needed", format!("curl {locker}/api/v1/catalogue")));
    }
    lines.push((
        "locker: subscriptions, page by page",
        format!("curl {owner} '{locker}/api/v1/billing/subscriptions?limit=3'"),
    ));
    if let Some(id) = &samples.locker.export_id {
        let says = "locker: the parts of an export, each with a download link";
        lines.push((says, format!("curl {owner} {locker}/api/v1/exports/{id}/parts")));
    }
    if let Some(id) = &samples.cloud.document_id {
        lines.push(("cloud: read a document", format!("curl {ada} {cloud}/v1/documents/{id}")));
        // Plans expire. A fixed key would replay yesterday's answer, with an expired plan, for a day.
        let key = format!("edit-{}", Clock::System.now().seconds());
        // The newest entity tag at the time of pasting; a fixed one would be stale after the first edit.
        let seen =
            format!(r#"-H "If-Match: $(curl -sI {ada} {cloud}/v1/files/{id} | sed -n 's/^etag: //p' | tr -d '\r')""#);
        let edits = r#"{"operations":[{"op":"insert_block","block":{"type":"paragraph","segments":[{"text":"And edited."}]}}]}"#;
        lines.push((
            "cloud: propose an edit of its current version",
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
        "cloud: create a document; paste it twice and there is still only one",
        format!(r#"curl {ada} {JSON} -H 'Idempotency-Key: hello-1' -d '{{"name":"Hello"}}' {cloud}/v1/documents"#),
    ));
    if let Some(id) = &samples.orders.order_id {
        lines
            .push(("orders: read a placed order", format!("curl {buyer} {orders}/wp-json/service-net/v1/orders/{id}")));
    }
    lines.push((
        "trust: publish a signed market event; a second time is refused as a replay (409)",
        format!("curl {JSON} -d {} {trust}/wp-json/service-trust/v1/publish", paste.body(publish)),
    ));
    lines.push((
        "trust: verify its receipt with the log's key",
        format!(
            "curl -s {trust}/wp-json/service-trust/v1/events/{} | {} verify - --log-key {}",
            publish.event_hash,
            paste.trust_program(),
            quoted(&stack_file.trust.log_key)
        ),
    ));
    lines.push((
        "cloud: over TLS",
        format!(
            "curl --cacert {} {}/v1/service",
            paste.authority(stack_file),
            stack_file.services[&ServiceName::Cloud].tls_base_url
        ),
    ));
    Ok(lines)
}

fn token<'a>(stack_file: &'a StackFile, caller: &Caller) -> &'a str {
    &stack_file.tokens[&caller.service][caller.name]
}

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

//! What clients can make the services keep, for how long, and what bounds it.

use cloud_svc::base::{
    codes::{QUOTA_EXCEEDED, SCRATCH_FULL, WEBHOOK_LIMIT},
    limits::{
        CHANGE_CURSOR_SECONDS, EDIT_PLAN_SECONDS, REVIEW_PLAN_SECONDS, SCRATCH_BYTES, SCRATCH_DRAFTS, SCRATCH_SECONDS,
        UPLOAD_KEPT_SECONDS, UPLOAD_SECONDS, WEBHOOKS,
    },
};
use shared_model::Code;

use super::markdown::table;

const INTRODUCTION: &str = "
## What is kept

What clients can make the services store. Deleting what counts toward the quota of a workspace frees its storage.
The rate limits in the first table bound all else.

";
const HEAD: [&str; 4] = ["service", "what", "how long", "bound"];

pub fn section() -> String {
    let row = |service: &str, what: &str, how_long: String, bound: String| {
        vec![service.to_owned(), what.to_owned(), how_long, bound]
    };
    let always = || "forever".to_owned();
    let quota = || format!("quota of the workspace: {}", refusal(&QUOTA_EXCEEDED));
    let in_quota = |more: String| format!("{}; {more}", quota());
    let requests = |limit: &str| format!("`{limit}`");
    let plans =
        format!("until it is decided, or {} or {} in review", time(EDIT_PLAN_SECONDS), time(REVIEW_PLAN_SECONDS));
    let drafts =
        in_quota(format!("{SCRATCH_DRAFTS} drafts and {SCRATCH_BYTES} bytes of a grant: {}", refusal(&SCRATCH_FULL)));
    let webhooks = format!("{WEBHOOKS} of a grant: {}", refusal(&WEBHOOK_LIMIT));
    let feed = time(CHANGE_CURSOR_SECONDS);
    let rows = [
        row("all", "answers of commands, for retries", time(86_400), "`write`, `command`, `signer`".to_owned()),
        row("all", "that a session has ended", "until its token expires".to_owned(), requests("pages")),
        row("cloud", "versions of files", "until the file is purged".to_owned(), quota()),
        row("cloud", "the content that a plan would write", plans, quota()),
        row("cloud", "operations and changes of a plan", format!("{} after it expires", time(2_592_000)), quota()),
        row("cloud", "drafts", format!("{} after the last write", time(SCRATCH_SECONDS)), drafts),
        row(
            "cloud",
            "comments, also where they were before",
            "until they are deleted, or the file is purged".to_owned(),
            quota(),
        ),
        row("cloud", "chunks of an upload", time(UPLOAD_SECONDS), in_quota("its whole size is reserved".to_owned())),
        row("cloud", "records of uploads", format!("{} after their end", time(UPLOAD_KEPT_SECONDS)), requests("write")),
        row("cloud", "changes of the feed", feed.clone(), requests("write")),
        row("cloud", "webhooks", format!("{} after they are revoked", time(2_592_000)), webhooks),
        row("cloud", "deliveries", format!("{feed} after the last attempt"), "changes × webhooks".to_owned()),
        row("cloud", "receipts of decisions", always(), requests("write")),
        row(
            "locker",
            "tests of model connections",
            format!("{} after their end", time(2_592_000)),
            requests("command"),
        ),
        row("orders", "orders", always(), requests("write")),
        row("trust", "events of the log", always(), "`publish`, `signer`".to_owned()),
    ];
    format!("{INTRODUCTION}{}", table(&HEAD, rows))
}

fn refusal(code: &Code) -> String {
    format!("{} `{}`", code.status, code.name)
}

fn time(seconds: u64) -> String {
    match seconds {
        172_800.. => format!("{} days", seconds / 86_400),
        3_600.. => format!("{} hours", seconds / 3_600),
        _ => format!("{} minutes", seconds / 60),
    }
}

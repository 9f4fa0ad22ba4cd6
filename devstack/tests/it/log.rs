//! What the log never says.

use std::fs::{self, File};

use crate::{stack::Scene, walkthroughs::walk_beside};

/// Uses whatever is secret, and prints it: a line each, `name secret`.
const SECRETS: &str = r#"
. .fourfold/env
printf 'token %s\n' "$CLOUD_TOKEN"
jar=$(mktemp)
asked=$(curl -s -c "$jar" -o /dev/null -w '%{redirect_url}' "$CLOUD/sign-in?return_to=/w")
back=$(curl -s -o /dev/null -w '%{redirect_url}' -d "${asked#*\?}" -d person=ada "${asked%%\?*}")
code=${back#*code=}
printf 'code %s\n' "${code%%&*}"
awk '/sign-in/ {print "attempt", $7}' "$jar"
curl -sL -b "$jar" -c "$jar" -o /dev/null "$back"
awk '/session/ {print "session", $7}' "$jar"
bearer() { curl -s -H "Authorization: Bearer $CLOUD_TOKEN" -H 'Content-Type: application/json' "$@"; }
bearer -H 'Idempotency-Key: a-key-of-a-command-in-the-log' -d '{"name": "A name that is in no log"}' "$CLOUD/v1/documents" >made.json
printf 'key a-key-of-a-command-in-the-log\nname A name that is in no log\n'
link=$(bearer -d '{}' "$CLOUD/v1/files/$(jq -r .file.id made.json)/download-grants" | jq -r .download.url)
curl -s -o /dev/null "$link"
printf 'link %s\n' "${link##*/}"
bearer -H 'Idempotency-Key: a-webhook' -d '{"url": "http://127.0.0.1:'"$RECEIVER_PORT"'/hook", "events": ["file.created"]}' "$CLOUD/v1/webhooks" >hook.json
jq -r '"webhook " + .signing_secret' hook.json
curl -s -o /dev/null -H "Authorization: Bearer $CLOUD_TOKEN.and-more" "$CLOUD/v1/files"
printf 'wrong %s.and-more\n' "$CLOUD_TOKEN"
"#;

#[test]
fn no_secret_is_logged_even_where_everything_is() {
    let scene = Scene::new();
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = scene.command(&[]);
    command.env("RUST_LOG", "trace").stderr(File::create(log.path()).expect("the file"));
    let stack = scene.run(command);
    let printed = walk_beside(&scene, SECRETS);
    stack.stop();

    let log = fs::read_to_string(log.path()).expect("a log");
    assert!(log.contains(r#""level":"TRACE""#) && log.contains(r#""operation":"#), "{log}");
    let secrets: Vec<_> =
        printed.lines().map(|line| line.split_once(' ').unwrap_or_else(|| panic!("{printed}"))).collect();
    let names: Vec<_> = secrets.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["token", "code", "attempt", "session", "key", "name", "link", "webhook", "wrong"], "{printed}");
    for (name, secret) in secrets {
        assert!(secret.len() > 20, "{name} {secret}");
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{name} is in the log: {line:?}");
    }
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Comes back from the issuer without a code, and with one of another issuer; the second in no valid trace.
const REFUSED: &str = r#"
. .fourfold/env
come_back() {
  jar=$(mktemp)
  asked=$(curl -s -c "$jar" -o /dev/null -w '%{redirect_url}' "$CLOUD/sign-in")
  state=${asked#*&state=}
  back="$CLOUD/sign-in/callback?state=${state%%&*}&iss=${2:-${asked%%/authorize*}}"
  curl -s -o /dev/null -w '%{http_code}\n' -b "$jar" -H "traceparent: 00-$3-00f067aa0ba902b7-01" "$back&$1"
}
come_back error=invalid_scope "" 4bf92f3577b34da6a3ce929d0e0e4736
come_back code=x https://another.example 4BF92F3577B34DA6A3CE929D0E0E4736
"#;

#[test]
fn the_log_says_why_a_sign_in_was_refused_and_in_which_trace() {
    let scene = Scene::new();
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = scene.command(&["--no-samples"]);
    command.env("RUST_LOG", "info").stderr(File::create(log.path()).expect("the file"));
    let stack = scene.run(command);
    assert_eq!(walk_beside(&scene, REFUSED), "403\n403\n");
    stack.stop();

    let log = fs::read_to_string(log.path()).expect("a log");
    for (said, is_in_trace) in [("invalid_scope", true), ("https://another.example", false)] {
        let line = log.lines().find(|line| line.contains(said)).unwrap_or_else(|| panic!("{said} is not in {log}"));
        assert!(line.contains(r#""level":"INFO""#) && line.contains(r#""request_id":"#), "{line}");
        let names_trace = line.contains(&format!(r#""trace_id":"{TRACE}""#));
        assert_eq!((names_trace, line.contains("trace_id")), (is_in_trace, is_in_trace), "{line}");
    }
}

//! Audits over HTTP of a log that is served as a folder of files.

use std::{fs, path::Path, process::Output};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use trust_log::{
    merkle::Hash,
    tlog::{SignedCheckpoint, Tile, bundle, tile::Content},
};

use crate::{
    test_log::TestLog,
    test_signer::{TestSigner, listed, next},
};

const LOG: &str = "wp-json/service-trust/v1/log";

/// Serves a folder on a port of its own, until the runtime of the test ends.
fn serve(folder: &Path) -> String {
    let folder = folder.to_owned();
    let file = move |request: HttpRequest, folder: web::Data<std::path::PathBuf>| async move {
        match fs::read(folder.join(request.path().trim_start_matches('/'))) {
            Ok(bytes) => HttpResponse::Ok().body(bytes),
            Err(_) => HttpResponse::NotFound().finish(),
        }
    };
    let app = move || App::new().app_data(web::Data::new(folder.clone())).default_service(web::to(file));
    let server = HttpServer::new(app).workers(1).disable_signals().bind(("127.0.0.1", 0)).expect("a free port");
    let address = server.addrs()[0];
    actix_web::rt::spawn(server.run());
    format!("http://{address}")
}

/// Writes everything that a log of this size serves.
fn publish(log: &TestLog, folder: &Path) {
    let size = log.entries.len() as u64;
    let write = |path: String, bytes: Vec<u8>| {
        let path = folder.join(LOG).join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    };
    write("key".to_owned(), format!("{}\n", log.key()).into_bytes());
    write("checkpoint".to_owned(), log.checkpoint(log.entries.len()).to_string().into_bytes());
    for tile in Tile::all(size) {
        let bytes = log.hashes(tile.range()).iter().flat_map(|hash| *hash.as_bytes()).collect();
        write(tile.to_string(), bytes);
    }
    for index in 0..size.div_ceil(256) {
        let tile = Tile::at(Content::Entries, index, size).expect("a tile");
        let start = tile.range().start as usize;
        let entries = &log.entries[start..start + usize::from(tile.width())];
        write(tile.to_string(), bundle::encode(entries.iter().map(Vec::as_slice)).expect("it fits"));
    }
}

async fn audit(url: &str, words: &[&str]) -> Output {
    let words: Vec<String> = ["audit", url].iter().chain(words).map(|word| (*word).to_owned()).collect();
    let run = move || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_trust-svc"));
        command.args(words).env_clear().output().expect("the binary runs")
    };
    // The server runs on this thread.
    actix_web::rt::task::spawn_blocking(run).await.expect("it ends")
}

async fn passes(url: &str, words: &[&str]) -> (String, String) {
    let done = audit(url, words).await;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{}", text(&done.stderr));
    (text(&done.stdout), text(&done.stderr))
}

/// The audit must end with exit code 1 and report these words.
async fn fails(url: &str, words: &[&str], reported: &[&str]) {
    let done = audit(url, words).await;
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{error}");
    reported.iter().for_each(|reported| assert!(error.contains(reported), "{reported} is not in: {error}"));
}

fn flip(folder: &Path, path: &str, at: usize) {
    let path = folder.join(LOG).join(path);
    let mut bytes = fs::read(&path).expect("there is one");
    bytes[at] ^= 1;
    fs::write(path, bytes).expect("written");
}

#[shared_testing::test]
async fn a_valid_log_passes_and_its_checkpoint_is_printed() {
    for size in [0, 1, 255, 256, 257, 700, 65_600] {
        let folder = tempfile::tempdir().expect("a folder");
        let log = TestLog::new("log.example/a").with(size, "entry");
        publish(&log, folder.path());
        let url = serve(folder.path());
        let (kept, reported) = passes(&url, &["--log-key", &log.key().to_string()]).await;
        assert_eq!(kept, log.checkpoint(size).to_string());
        assert!(reported.contains(&format!("verified: the {size} entries")), "{reported}");
        let (_, reported) = passes(&url, &[]).await;
        assert!(reported.contains("not checked: whether the log's key"), "{reported}");
    }
}

#[shared_testing::test]
async fn one_altered_byte_is_named_wherever_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = TestLog::new("log.example/a").with(700, "entry");
    publish(&log, folder.path());
    let url = serve(folder.path());
    let key = log.key().to_string();
    let words = ["--log-key", key.as_str()];
    for (path, at, reported) in [
        ("tile/0/001", 32 * 7 + 3, ["tile/0/001: ", "of entry 263"]),
        ("tile/0/002.p/188", 0, ["tile/0/002.p/188: ", "of entry 512"]),
        ("tile/1/000.p/2", 40, ["tile/1/000.p/2: ", "of the subtree 1 of level 1"]),
        ("tile/entries/000", 4, ["tile/0/000: ", "of entry 0"]),
        ("tile/entries/002.p/188", 0, ["tile/entries/002.p/188: ", "must have 188 entries"]),
        ("checkpoint", 0, ["the checkpoint: ", "signature"]),
        ("checkpoint", 15, ["the checkpoint: ", "signature"]),
    ] {
        flip(folder.path(), path, at);
        fails(&url, &words, &reported).await;
        flip(folder.path(), path, at);
    }
    // The log signed it, but it is wrong.
    let forged: SignedCheckpoint = log.sign(700, Hash::from_bytes([1; 32]));
    fs::write(folder.path().join(LOG).join("checkpoint"), forged.to_string()).expect("written");
    fails(&url, &words, &["the checkpoint: must have the root"]).await;
    let other = TestLog::new("log.example/b").key().to_string();
    fails(&url, &["--log-key", &other], &["the checkpoint: "]).await;
    fs::write(folder.path().join(LOG).join("checkpoint"), log.checkpoint(700).to_string()).expect("written");
    fs::remove_file(folder.path().join(LOG).join("tile/0/001")).expect("gone");
    fails(&url, &words, &["tile/0/001: is not served"]).await;
}

#[shared_testing::test]
async fn a_deleted_partial_tile_is_read_from_the_full_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (log, later) =
        (TestLog::new("log.example/a").with(300, "entry"), TestLog::new("log.example/a").with(600, "entry"));
    publish(&later, folder.path());
    fs::write(folder.path().join(LOG).join("checkpoint"), log.checkpoint(300).to_string()).expect("written");
    fs::create_dir_all(folder.path().join(LOG).join("tile/1/000.p")).expect("made");
    let row = log.hashes(Tile::at(Content::Hashes(1), 0, 300).expect("a tile").range());
    fs::write(folder.path().join(LOG).join("tile/1/000.p/1"), row[0].as_bytes()).expect("written");
    let url = serve(folder.path());
    passes(&url, &["--log-key", &log.key().to_string()]).await;
}

#[shared_testing::test]
async fn a_log_that_contradicts_an_older_checkpoint_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = TestLog::new("log.example/a").with(700, "entry");
    publish(&log, folder.path());
    let url = serve(folder.path());
    let (key, file) = (log.key().to_string(), folder.path().join("older"));
    let path = file.display().to_string();
    let words = ["--log-key", key.as_str(), "--since", path.as_str()];
    for size in [0, 1, 255, 256, 300, 512, 700] {
        fs::write(&file, log.checkpoint(size).to_string()).expect("written");
        let (_, reported) = passes(&url, &words).await;
        assert!(reported.contains(&format!("begins with the {size} entries")), "{reported}");
    }
    let fork = TestLog::new("log.example/a").with(300, "other").with(900, "entry");
    for size in [1, 256, 300, 700] {
        fs::write(&file, fork.checkpoint(size).to_string()).expect("written");
        fails(&url, &words, &["the older checkpoint: ", "it has forked"]).await;
    }
    fs::write(&file, log.with(701, "entry").checkpoint(701).to_string()).expect("written");
    fails(&url, &words, &["the older checkpoint: had 701 entries", "rolled back"]).await;
    fs::write(&file, TestLog::new("log.example/b").checkpoint(0).to_string()).expect("written");
    fails(&url, &words, &["the older checkpoint: "]).await;
}

#[shared_testing::test]
async fn every_signature_is_checked() {
    let stage = shared_testing::Stage::of(trust_svc::service()).await;
    let signer = TestSigner::unregistered(&stage, "press=1");
    let first = listed(1, stage.now());
    let events = [next(&first, "market.updated", stage.now()), first];
    let bodies = events.map(|event| {
        let body = signer.sign(&event);
        trust_log::canonical::value_text(&body)
    });
    let folder = tempfile::tempdir().expect("a folder");
    let log_of = |entries: &[String]| {
        let mut log = TestLog::new("log.example/a").with(3, "entry");
        log.entries.extend(entries.iter().map(|entry| entry.clone().into_bytes()));
        log
    };
    let log = log_of(&bodies);
    publish(&log, folder.path());
    let url = serve(folder.path());
    let key = log.key().to_string();
    let public = shared_runtime::PublicKey::try_from(signer.key.verifying_key()).expect("strong").to_string();
    let of = format!("press=1={public}");
    let words = ["--log-key", &key, "--base-url", stage.base_url(), "--signer", &of];
    let (_, reported) = passes(&url, &words).await;
    assert!(
        reported.contains("the signatures of 2 events") && reported.contains("the content of 3 other entries"),
        "{reported}"
    );
    assert!(!reported.contains("--signer"), "{reported}");
    fails(
        &url,
        &[&words[..4], &["--signer", &format!("desk={public}")]].concat(),
        &["entry 3", "which is not a signer"],
    )
    .await;
    fails(&url, &["--log-key", &key, "--signer", &of], &["entry 3", "signature"]).await;

    // The list of the service itself.
    let list =
        serde_json::json!({ "data": [{ "key_id": "press=1", "public_key": public }], "meta": { "next_cursor": null } });
    fs::write(folder.path().join("wp-json/service-trust/v1/signers"), list.to_string()).expect("written");
    let (_, reported) = passes(&url, &["--log-key", &key, "--base-url", stage.base_url()]).await;
    assert!(reported.contains("not checked: whether the signers have the keys that the service lists"), "{reported}");

    // The tree is valid, but an entry is not.
    let blank = bodies[0].replacen(':', ": ", 1);
    let altered = bodies[1].replacen("market.listed", "market.resolved", 1);
    for (entry, reported) in [(blank, "canonical"), (altered, "hash")] {
        publish(&log_of(&[entry, bodies[1].clone()]), folder.path());
        fails(&url, &words, &["entry 3, in tile/entries/000.p/5: ", reported]).await;
    }
}

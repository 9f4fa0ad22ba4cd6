//! Checking a folder of downloaded parts, offline.

use std::{
    fs,
    os::unix::{fs::symlink, net::UnixListener},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use ed25519_dalek::{SigningKey, VerifyingKey};
use locker_svc::exports::{
    Export, manifest,
    verify::{Defect, Finding, verify},
};
use shared_testing::{Stage, Text as _};

use super::{bytes, export, listing, path_of, stage};
use crate::command_line::bare;

/// Downloads everything there is of an export into a folder of its own.
async fn downloaded(stage: &Stage, export: &Export) -> PathBuf {
    let folder = stage.folder().join("downloaded");
    fs::create_dir(&folder).expect("a folder");
    let ada = stage.caller("ada");
    let manifest = ada.get(format!("/api/v1/exports/{}/manifest", export.id)).await.status(200);
    assert_eq!(manifest.header("content-type"), "application/vnd.dsse.envelope.v1+json");
    fs::write(folder.join("manifest.json"), manifest.bytes()).expect("written");
    for part in listing(&ada, export, 0).await["data"]["parts"].as_array().expect("parts") {
        let got = stage.anyone().get(path_of(stage, part["download"]["url"].text())).await.status(200);
        fs::write(folder.join(part["file_name"].text()), got.bytes()).expect("written");
    }
    folder
}

fn key(stage: &Stage) -> VerifyingKey {
    manifest::signing_key(&stage.context.secret).verifying_key()
}

fn hex_key(stage: &Stage) -> String {
    hex::encode(key(stage).as_bytes())
}

fn findings(folder: &Path, key: &VerifyingKey) -> Vec<Finding> {
    verify(folder, key, None, &mut |_, _| {}).expect_err("something is wrong")
}

fn finding(file: &str, defect: Defect) -> Finding {
    Finding { file: file.to_owned(), defect }
}

#[shared_testing::test]
async fn downloaded_parts_are_verified_and_assembled() {
    let stage = stage().await;
    let whole = bytes(95);
    let export = export(&stage, 1, &whole, 10).await;
    let folder = downloaded(&stage, &export).await;
    let out = stage.folder().join("whole.bin");
    let manifest = verify(&folder, &key(&stage), Some(&out), &mut |_, _| {}).expect("all is well");
    assert_eq!((manifest.export_id, manifest.bytes, manifest.parts.len()), (export.id, 95, 10));
    assert!(fs::read(&out).expect("the whole") == whole);
}

#[shared_testing::test]
async fn all_defects_are_reported_at_once() {
    let stage = stage().await;
    let export = export(&stage, 1, &bytes(55), 10).await;
    let folder = downloaded(&stage, &export).await;
    let part = |index: usize| format!("package.bin.part-{index:04}");
    let change = |index: usize, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(folder.join(part(index))).expect("a part");
        change(&mut bytes);
        fs::write(folder.join(part(index)), bytes).expect("written");
    };
    fs::remove_file(folder.join(part(0))).expect("removed");
    change(1, &|bytes| bytes.truncate(4));
    change(2, &|bytes| bytes.push(0));
    change(3, &|bytes| bytes[9] ^= 1);
    fs::write(folder.join("notes.txt"), "mine").expect("written");
    let out = stage.folder().join("out.bin");
    let found = verify(&folder, &key(&stage), Some(&out), &mut |_, _| {}).expect_err("five findings");
    let expected = [
        finding("notes.txt", Defect::Extra),
        finding(&part(0), Defect::Missing),
        finding(&part(1), Defect::Short(4, 10)),
        finding(&part(2), Defect::Long(11, 10)),
        finding(&part(3), Defect::Altered),
    ];
    assert_eq!(found, expected);
    assert!(!out.exists(), "nothing half-checked is left");
}

/// What a folder holds.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort_unstable();
    names
}

#[shared_testing::test]
async fn downloaded_files_are_never_overwritten() {
    let stage = stage().await;
    let export = export(&stage, 1, &bytes(20), 10).await;
    let folder = downloaded(&stage, &export).await;
    fs::create_dir(folder.join("below")).expect("a folder");
    fs::write(folder.join("below/notes.txt"), "mine").expect("written");
    let outside = stage.folder().join("outside");
    fs::create_dir(&outside).expect("a folder");
    symlink(folder.join("manifest.json"), outside.join("link")).expect("a link");
    symlink(outside.join("nothing"), outside.join("dangling")).expect("a link");
    symlink(&folder, outside.join("also downloaded")).expect("a link");
    let _socket = UnixListener::bind(outside.join("socket")).expect("a socket");
    let (was, beside) = (names(&folder), names(&outside));
    for out in [
        folder.join("package.bin.part-0000"),
        folder.join("manifest.json"),
        folder.join("whole.bin"),
        folder.join("below/notes.txt"),
        folder.join("../downloaded/manifest.json"),
        outside.join("also downloaded/manifest.json"),
        outside.join("link"),
        outside.join("dangling"),
        outside.join("socket"),
        PathBuf::from("/dev/null"),
        folder.clone(),
        folder.join(".."),
        outside.join("no such folder/out.bin"),
    ] {
        let found = verify(&folder, &key(&stage), Some(&out), &mut |_, _| {}).expect_err("refused");
        assert!(matches!(found[..], [Finding { defect: Defect::Unreadable(_), .. }]), "{out:?}: {found:?}");
    }
    assert_eq!((names(&folder), names(&outside)), (was, beside));
    fs::remove_dir_all(folder.join("below")).expect("removed");
    verify(&folder, &key(&stage), None, &mut |_, _| {}).expect("all is as it was");
    let output = locker(&["--public-key", &hex_key(&stage), "--assemble", "downloaded/whole.tar"], &folder);
    assert_eq!(output.status.code(), Some(1));
    let sentence = "downloaded/whole.tar: is in the folder of the downloads; choose a path outside of it";
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("error: {sentence}\n"));
    verify(&folder, &key(&stage), None, &mut |_, _| {}).expect("all is as it was");
}

#[shared_testing::test]
async fn an_existing_output_file_is_replaced_only_when_every_check_passes() {
    let stage = stage().await;
    let whole = bytes(20);
    let export = export(&stage, 1, &whole, 10).await;
    let folder = downloaded(&stage, &export).await;
    let out = stage.folder().join("out.bin");
    fs::write(&out, "yesterday's").expect("written");
    let beside = names(stage.folder());
    fs::write(folder.join("notes.txt"), "mine").expect("written");
    verify(&folder, &key(&stage), Some(&out), &mut |_, _| {}).expect_err("an extra");
    assert_eq!(fs::read(&out).expect("a file"), b"yesterday's");
    fs::remove_file(folder.join("notes.txt")).expect("removed");
    verify(&folder, &key(&stage), Some(&out), &mut |_, _| {}).expect("all is well");
    assert!(fs::read(&out).expect("the whole") == whole);
    assert_eq!(names(stage.folder()), beside, "nothing else is left");
}

#[shared_testing::test]
async fn only_regular_files_are_read_and_only_to_their_expected_length() {
    let stage = stage().await;
    let export = export(&stage, 1, &bytes(40), 10).await;
    let folder = downloaded(&stage, &export).await;
    let part = |index: usize| format!("package.bin.part-{index:04}");
    for index in 0..4 {
        fs::remove_file(folder.join(part(index))).expect("removed");
    }
    assert!(Command::new("mkfifo").arg(folder.join(part(0))).status().expect("it runs").success());
    symlink("/dev/zero", folder.join(part(1))).expect("a link");
    fs::create_dir(folder.join(part(2))).expect("a folder");
    fs::File::create(folder.join(part(3))).and_then(|file| file.set_len(1 << 40)).expect("a hole");
    let mut read = 0;
    let found = verify(&folder, &key(&stage), None, &mut |done, _| read = done).expect_err("four findings");
    let expected = [
        finding(&part(0), Defect::NotAFile),
        finding(&part(1), Defect::NotAFile),
        finding(&part(2), Defect::NotAFile),
        finding(&part(3), Defect::Long(1 << 40, 10)),
    ];
    assert_eq!((&found[..], read), (&expected[..], 11));
    fs::remove_file(folder.join("manifest.json")).expect("removed");
    symlink("/dev/zero", folder.join("manifest.json")).expect("a link");
    assert_eq!(findings(&folder, &key(&stage)), [finding("manifest.json", Defect::NotAFile)]);
    fs::remove_file(folder.join("manifest.json")).expect("removed");
    fs::File::create(folder.join("manifest.json")).and_then(|file| file.set_len(1 << 40)).expect("a hole");
    assert!(matches!(findings(&folder, &key(&stage))[0].defect, Defect::MalformedManifest(_)));
}

#[shared_testing::test]
async fn swapped_parts_are_found() {
    let stage = stage().await;
    let export = export(&stage, 1, &bytes(20), 10).await;
    let folder = downloaded(&stage, &export).await;
    fs::rename(folder.join("package.bin.part-0000"), folder.join("x")).expect("renamed");
    fs::rename(folder.join("package.bin.part-0001"), folder.join("package.bin.part-0000")).expect("renamed");
    fs::rename(folder.join("x"), folder.join("package.bin.part-0001")).expect("renamed");
    let found = findings(&folder, &key(&stage));
    assert!(found.iter().all(|finding| finding.defect == Defect::Altered) && found.len() == 2, "{found:?}");
}

#[shared_testing::test]
async fn an_altered_foreign_broken_or_missing_manifest_is_reported() {
    let stage = stage().await;
    let export = export(&stage, 1, b"package", 10).await;
    let folder = downloaded(&stage, &export).await;
    let path = folder.join("manifest.json");
    let good = fs::read_to_string(&path).expect("the manifest");
    let other = SigningKey::from_bytes(&[3; 32]).verifying_key();
    assert_eq!(findings(&folder, &other), [finding("manifest.json", Defect::OtherKey)]);

    let mut envelope: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    let payload = envelope["payload"].text().to_owned();
    let middle = payload.len() / 2;
    let swapped = if payload[middle..].starts_with('A') { "B" } else { "A" };
    envelope["payload"] = format!("{}{swapped}{}", &payload[..middle], &payload[middle + 1..]).into();
    fs::write(&path, envelope.to_string()).expect("written");
    assert_eq!(findings(&folder, &key(&stage)), [finding("manifest.json", Defect::AlteredManifest)]);

    fs::write(&path, "{}").expect("written");
    assert!(matches!(findings(&folder, &key(&stage))[0].defect, Defect::MalformedManifest(_)));
    fs::remove_file(&path).expect("removed");
    assert_eq!(findings(&folder, &key(&stage)), [finding("manifest.json", Defect::Missing)]);
}

fn locker(arguments: &[&str], folder: &Path) -> Output {
    let mut command = bare(&["export", "verify"]);
    command.arg(folder).args(arguments);
    command.current_dir(folder.parent().expect("a parent")).output().expect("it runs")
}

#[shared_testing::test]
async fn the_command_needs_no_service_and_exits_with_one_when_anything_is_wrong() {
    let stage = stage().await;
    let export = export(&stage, 1, b"a package", 5).await;
    let folder = downloaded(&stage, &export).await;
    let key = hex_key(&stage);
    let output = locker(&["--public-key", &key], &folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 part(s), 9 bytes, all match the manifest"));
    let key_file = stage.folder().join("key");
    fs::write(&key_file, format!("{key}\n")).expect("written");
    fs::write(folder.join("package.bin.part-0001"), "age").expect("written");
    let output = locker(&["--public-key", &key_file.display().to_string()], &folder);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("package.bin.part-0001: is cut off: 3 of 4 bytes"), "{error}");
    assert!(!stage.folder().join("locker.db").exists(), "no database was made");
    let output = locker(&["--public-key", "nonsense"], &folder);
    assert_eq!(output.status.code(), Some(1));
}

//! What is packed: a folder as an archive, and what cannot be packed.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use locker_svc::exports::build::build;

use super::fetched;
use crate::{
    exports::{build_request, bytes, file, stage},
    samples::id,
};

#[shared_testing::test]
async fn a_folder_is_one_archive_that_depends_on_its_content_alone() {
    let stage = stage().await;
    let make = |name: &str, order: &[&str]| {
        let folder = stage.folder().join(name).join("room");
        fs::create_dir_all(folder.join("b/empty")).expect("folders");
        for file in order {
            fs::write(folder.join(file), format!("this is {file}")).expect("a file");
        }
        let long = "n".repeat(150);
        fs::write(folder.join(&long), "long").expect("a file");
        fs::set_permissions(folder.join("b/run"), fs::Permissions::from_mode(0o755)).expect("a right");
        symlink("../a.txt", folder.join("b/link")).expect("a link");
        symlink("/etc/nowhere", folder.join("dangling")).expect("a link");
        folder
    };
    let one = make("one", &["a.txt", "b/run", "b/c.txt", "ä.txt"]);
    let two = make("two", &["ä.txt", "b/c.txt", "a.txt", "b/run"]);
    let one = build(&stage.context, build_request(1, &one, 1000), &mut |_| {}).await.expect("an export");
    let two = build(&stage.context, build_request(1, &two, 1000), &mut |_| {}).await.expect("an export");
    assert_eq!((&one.sha256, &one.file_name), (&two.sha256, &"room.tar".to_owned()));

    let whole = fetched(&stage, &one).await;
    let mut archive = tar::Archive::new(whole.as_slice());
    let entries: Vec<_> = archive
        .entries()
        .expect("an archive")
        .map(|entry| {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a path").display().to_string();
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("text");
            let link = entry.link_name().expect("a link").map(|to| to.display().to_string()).unwrap_or_default();
            let mode = entry.header().mode().expect("a mode");
            format!("{} {mode:o} {text}{link}", path.replace(&"n".repeat(150), "nnn"))
        })
        .collect();
    insta::assert_debug_snapshot!(entries, @r#"
    [
        "room 755 ",
        "room/a.txt 644 this is a.txt",
        "room/b 755 ",
        "room/b/c.txt 644 this is b/c.txt",
        "room/b/empty 755 ",
        "room/b/link 777 ../a.txt",
        "room/b/run 755 this is b/run",
        "room/dangling 777 /etc/nowhere",
        "room/nnn 644 long",
        "room/ä.txt 644 this is ä.txt",
    ]
    "#);
}

#[shared_testing::test]
async fn unusable_sources_are_reported() {
    let stage = stage().await;
    let folder = stage.folder().join("odd");
    fs::create_dir(&folder).expect("a folder");
    let _listener = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
    let try_build = async |request| build(&stage.context, request, &mut |_| {}).await.expect_err("refused").to_string();
    let error = try_build(build_request(1, &folder, 100_000)).await;
    assert!(error.contains("odd/socket") && error.contains("cannot be packed"), "{error}");
    assert!(error.contains("is unfinished: run the same command to resume it"), "{error}");
    fs::remove_file(folder.join("socket")).expect("removed");
    let went_on = build(&stage.context, build_request(1, &folder, 100_000), &mut |_| {}).await.expect("an export");
    assert!(error.contains(&went_on.id.to_string()), "{error}");
    let error = try_build(build_request(1, &stage.folder().join("missing"), 10)).await;
    assert!(error.contains("missing"), "{error}");
    let error = try_build(build_request(77, &file(&stage, "x", b"x"), 10)).await;
    assert!(error.contains(&id("room", 77)), "{error}");
    let error = try_build(build_request(1, stage.folder(), 100_000)).await;
    assert!(error.contains("contains the blob store"), "{error}");
    let error = try_build(build_request(1, &file(&stage, "many", &bytes(501)), 1)).await;
    assert!(error.contains("at most 500 parts") && error.contains("--part-bytes 2"), "{error}");
}

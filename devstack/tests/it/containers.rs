//! What the containers of docker-compose.yml are given.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
};

use crate::{
    paste,
    stack::{BINARY, Scene},
};

/// What a command of the stack's program does on the scene's folder.
fn run(scene: &Scene, command: &[&str]) -> Output {
    Command::new(BINARY).args(command).arg("--data").arg(scene.data()).output().expect("it runs")
}

fn prepare(scene: &Scene) {
    let done = run(scene, &["containers", "prepare"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The files below a folder, with their contents.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("text")));
        }
    }
    found.sort();
    found
}

#[test]
fn secrets_are_made_once_and_each_container_has_a_folder_of_its_own() {
    let scene = Scene::new();
    prepare(&scene);
    let folder = scene.data().join("containers");
    let first = files(&folder);
    prepare(&scene);
    assert_eq!(files(&folder), first, "nothing is made again");

    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    for service in ["locker", "cloud", "orders", "trust"] {
        for role in ["app", "migrator"] {
            let password = text(&format!("postgres/{service}-{role}"));
            let place = if role == "app" { service.to_owned() } else { format!("{service}-migrator") };
            let url = format!("postgres://fourfold_{service}_{role}:{password}@postgres/fourfold");
            assert_eq!(text(&format!("{place}/DATABASE_URL")), url);
        }
        assert_eq!(text(&format!("{service}/SERVICE_SECRET")), text(&format!("{service}-migrator/SERVICE_SECRET")));
    }
    let secrets: Vec<_> =
        first.iter().filter(|(name, _)| name.ends_with("-app") || name.ends_with("administrator")).collect();
    assert_eq!(secrets.len(), 5);
    for (name, secret) in secrets {
        assert!(secret.len() >= 43, "{name} is short");
    }
    let mode = |name: &str| fs::metadata(folder.join(name)).expect(name).permissions().mode() & 0o777;
    assert_eq!((mode("cloud"), mode("cloud/SERVICE_SECRET")), (0o700, 0o600));
    // PostgreSQL runs as a user of its own image.
    assert_eq!((mode("postgres"), mode("postgres/cloud-app")), (0o755, 0o644));
}

#[test]
fn who_has_not_the_file_gets_the_authority_from_the_issuer() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let served = paste(&format!("curl {}/authority.pem", stack.text("/issuer/url")));
    assert_eq!(served.status, 200);
    let kept = fs::read_to_string(stack.file("/certificate_authority_file")).expect("the authority");
    assert_eq!(served.body.trim(), kept.trim());
}

#[test]
fn a_shell_gets_addresses_and_tokens_of_the_stack() {
    let scene = Scene::new();
    let before = run(&scene, &["env"]);
    assert!(!before.status.success(), "there is no stack yet");
    let stack = scene.start(&["--no-samples"]);
    let env = run(&scene, &["env"]);
    let text = String::from_utf8(env.stdout).expect("text");
    assert!(text.contains(&format!("CLOUD={}\n", stack.text("/surfaces/cloud/base_url"))), "{text}");
}

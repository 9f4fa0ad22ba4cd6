//! What the banner promises.

use std::{path::Path, process::Command};

use crate::{
    paste,
    stack::{BINARY, Scene},
};

#[test]
fn every_printed_curl_line_answers_2xx() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let curls = stack.curls();
    for surface in ["locker", "cloud", "orders", "trust"] {
        let base_url = stack.text(&format!("/surfaces/{surface}/base_url"));
        assert!(curls.iter().any(|line| line.contains(base_url)), "no line for {surface}:\n{}", stack.banner);
    }
    for line in curls {
        let response = paste(line);
        assert!((200..300).contains(&response.status), "{line}\n{} {}", response.status, response.body);
    }
}

#[test]
fn what_was_published_is_proven_by_the_line_after() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let publish = stack.curls().into_iter().find(|line| line.contains("/publish")).expect("a line that publishes");
    assert_eq!(paste(publish).status, 200);
    // Cargo would build what the tests have built already.
    let program = Path::new(BINARY).with_file_name("trust-svc");
    let verify = stack.pipes()[0].replace("cargo run -q -p trust-svc --", &program.display().to_string());
    let done = Command::new("sh").args(["-c", &verify]).output().expect("a shell is there");
    assert!(done.status.success(), "{verify}\n{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn every_printed_curl_line_answers_2xx_after_a_restart_and_without_samples() {
    let scene = Scene::new();
    scene.start(&[]).stop();
    for arguments in [&[][..], &["--no-samples"]] {
        let stack = scene.start(arguments);
        for line in stack.curls() {
            let response = paste(line);
            assert!((200..300).contains(&response.status), "{line}\n{} {}", response.status, response.body);
        }
        stack.stop();
    }
}

#[test]
fn the_banner_has_a_token_for_each_surface_and_no_color_outside_a_terminal() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    for pointer in ["/tokens/locker/owner", "/tokens/cloud/ada", "/tokens/orders/owner"] {
        assert!(stack.banner.contains(stack.text(pointer)), "{pointer}");
    }
    assert!(!stack.banner.contains('\u{1b}'), "{}", stack.banner);
}

//! What the banner promises.

use crate::{paste, stack::Scene};

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
fn the_banner_has_a_token_for_each_surface_and_no_colour_outside_a_terminal() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    for pointer in ["/tokens/locker/owner", "/tokens/cloud/ada", "/tokens/orders/owner"] {
        assert!(stack.banner.contains(stack.text(pointer)), "{pointer}");
    }
    assert!(!stack.banner.contains('\u{1b}'), "{}", stack.banner);
}

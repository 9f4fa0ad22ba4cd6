//! Limits that are handed on to the services.

use std::process::Stdio;

use crate::{paste, stack::Scene};

#[test]
fn each_service_takes_the_limits_that_it_has() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples", "--rate-limits", "catalogue=2,publish=77"]);
    let catalogue = format!("curl {}/api/v1/catalogue", stack.text("/surfaces/locker/base_url"));
    // A minute may end between two of them, but not between each of six.
    let statuses: Vec<_> = (0..6).map(|_| paste(&catalogue).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    let information = format!("curl {}/v1/service", stack.text("/surfaces/cloud/base_url"));
    assert_eq!(paste(&information).json()["limits"]["reads_per_minute"], 600);
}

#[test]
fn they_are_taken_from_the_environment_too_and_a_name_that_no_service_has_is_a_mistake() {
    let scene = Scene::new();
    let mut command = scene.command(&["--no-samples"]);
    let output = command.env("RATE_LIMITS", "read=5,reed=6").stderr(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("error: ") && said.contains("must name existing limits: anonymous, "), "{said}");
}

//! Four services in one process, and each shows its own metrics.

use crate::{paste, stack::Scene};

#[test]
fn each_service_shows_its_own_metrics_and_no_other() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    for surface in ["locker", "cloud", "orders", "trust"] {
        let metrics = paste(&format!("curl {}/metrics", stack.text(&format!("/surfaces/{surface}/ops_url")))).body;
        let of_it = format!("surface=\"{surface}\"");
        let samples = || metrics.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert!(samples().count() > 100, "{surface}: {metrics}");
        for sample in samples() {
            assert!(sample.contains(&of_it), "{surface} shows {sample}");
        }
    }
}

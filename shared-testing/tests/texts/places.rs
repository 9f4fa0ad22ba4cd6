//! The places of a text that a page fills.

/// The names in braces, sorted: another language may have them in another order.
pub fn of(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_order_of_places_does_not_matter() {
    assert_eq!(of("{b} of {a}"), of("{a}: {b}"));
    assert_ne!(of("{a}"), of("a"));
}

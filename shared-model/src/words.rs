//! Lists in sentences.

/// "a, b and c"; "nothing" for an empty list.
pub fn join_and<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_last_two_are_joined_by_and() {
        assert_eq!(super::join_and::<&str>(&[]), "nothing");
        assert_eq!(super::join_and(&["a"]), "a");
        assert_eq!(super::join_and(&["a", "b", "c"]), "a, b and c");
    }
}

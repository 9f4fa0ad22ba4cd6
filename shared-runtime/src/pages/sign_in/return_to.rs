//! The path that a sign-in returns to, which must be on this service.

const MAX_LENGTH: usize = 2048;

/// The path, if it keeps a browser on this service.
pub fn own_path(text: &str) -> Option<&str> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    // `//host` is another host, and browsers read a backslash as a slash.
    let is_own = text.starts_with('/') && !text.starts_with("//");
    (is_plain && is_own && text.len() <= MAX_LENGTH).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_elsewhere() {
        for own in ["/", "/w?q=a%20b&x=1", "/f/file_1#part", "/a//b"] {
            assert_eq!(own_path(own), Some(own));
        }
        let long = format!("/{}", "a".repeat(MAX_LENGTH));
        for hostile in [
            "",
            "w",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/x\r\nSet-Cookie: a=b",
            "https://evil.example/",
            "javascript:alert(1)",
            "/é",
            " /w",
            &long,
        ] {
            assert_eq!(own_path(hostile), None, "{hostile:?}");
        }
    }
}

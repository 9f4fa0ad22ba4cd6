//! The media type under which stored bytes are sent.

const BYTES: &str = "application/octet-stream";

/// The stored type, except for scripts.
// The pages of this origin take scripts of their own: an upload must not be able to be one of them. With `nosniff` a
// browser runs only what has a type of scripts (HTML Standard, "JavaScript MIME type").
pub fn served_type(stored: &str) -> &str {
    let lower = stored.to_ascii_lowercase();
    let is_script = ["javascript", "ecmascript", "jscript", "livescript"].iter().any(|name| lower.contains(name));
    if is_script { BYTES } else { stored }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_download_is_a_script() {
        for script in ["text/javascript", "application/x-javascript; charset=utf-8", "Text/ECMAScript", "text/jscript"]
        {
            assert_eq!(served_type(script), BYTES);
        }
        for other in ["text/html", "application/json", "image/svg+xml", "text/plain; charset=utf-8"] {
            assert_eq!(served_type(other), other);
        }
    }
}

//! What a client claims about a file before it sends the file.

shared_model::text_type! {
    /// A media type.
    pub struct MediaType {
        pattern = "^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}(;[ -~]{0,62})?$",
        example = "application/pdf",
        rule = "must be a media type, like text/plain or text/plain; charset=utf-8",
        check = |text| is_media_type(text),
    }
}

/// RFC 6838 §4.2, with any parameters.
fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    let is_name = |name: &str| {
        (1..=63).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    essence.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype))
        && parameters.len() <= 62
        && parameters.bytes().all(|b| b == b' ' || b.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_of_two_names() {
        for text in ["text/plain", "image/svg+xml", "application/vnd.ms-excel", "text/plain; charset=utf-8"] {
            assert!(text.parse::<MediaType>().is_ok(), "{text}");
        }
        for text in
            ["", "text", "text/", "/plain", "te xt/plain", "text/plain/x", "text/plain\n", "text/é", "a/b;\u{7f}"]
        {
            assert!(text.parse::<MediaType>().is_err(), "{text}");
        }
    }
}

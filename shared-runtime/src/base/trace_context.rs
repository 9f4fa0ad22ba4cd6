//! The W3C's Trace Context, version 00: the trace that a request belongs to.

/// The trace id in a `traceparent` such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. `None` for all
/// other text: a client could write anything into the log otherwise.
pub fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.strip_prefix("00-")?.split('-');
    let (trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let is_valid = is_id(trace, 32) && is_id(parent, 16) && is_hex(flags, 2) && parts.next().is_none();
    is_valid.then_some(trace)
}

/// Zeros alone are the id of nothing.
fn is_id(text: &str, digits: usize) -> bool {
    is_hex(text, digits) && text.bytes().any(|byte| byte != b'0')
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn only_version_00_in_its_exact_form_names_a_trace() {
        assert_eq!(trace_id(&format!("00-{TRACE}-00f067aa0ba902b7-01")), Some(TRACE));
        for text in [
            "",
            TRACE,
            &format!("01-{TRACE}-00f067aa0ba902b7-01"),
            &format!("00-{TRACE}-00f067aa0ba902b7"),
            &format!("00-{TRACE}-00f067aa0ba902b7-01-"),
            &format!("00-{TRACE}-00f067aa0ba902b7-1"),
            &format!("00-{TRACE}-00f067aa0ba902b-01"),
            &format!("00-{TRACE}-0000000000000000-01"),
            &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            &format!("00-{}-00f067aa0ba902b7-01", TRACE.to_uppercase()),
            &format!("00-{}-00f067aa0ba902b7-01", TRACE.replace('f', "\n")),
        ] {
            assert_eq!(trace_id(text), None, "{text}");
        }
    }
}

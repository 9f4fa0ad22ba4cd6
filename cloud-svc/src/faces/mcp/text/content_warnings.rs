//! What hides in a content, in the words of the service.

use serde_json::Value;

use super::text;

/// Places in one line: agents look at some, and pay for each.
const PLACES: usize = 20;

/// A line for each code, with how often it occurs and where. `warnings` come in the order of their codes.
pub(super) fn lines(warnings: &Value) -> Vec<String> {
    let mut by_code: Vec<(&str, u64, Vec<&str>)> = Vec::new();
    for warning in warnings.as_array().into_iter().flatten() {
        let code = text(warning, "code");
        if by_code.last().is_none_or(|(last, ..)| *last != code) {
            by_code.push((code, 0, Vec::new()));
        }
        if let Some((_, count, places)) = by_code.last_mut() {
            *count += warning["count"].as_u64().unwrap_or(1);
            // Others choose the names of sheets and many ids: outside of the block they could say something.
            places.extend(Some(text(warning, "block_id")).filter(|id| is_service_made_id(id)));
        }
    }
    by_code.iter().map(|(code, count, places)| line(code, *count, places)).collect()
}

/// Whether the service made the id of a part: a letter and twelve hexadecimal digits.
fn is_service_made_id(id: &str) -> bool {
    let is_hex = |digits: &str| digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    id.split_once('_').is_some_and(|(letter, digits)| letter.len() == 1 && is_hex(digits))
}

fn line(code: &str, count: u64, places: &[&str]) -> String {
    let named = places.len().min(PLACES);
    let more = if places.len() > named { format!(" and {} more", places.len() - named) } else { String::new() };
    let within = if places.is_empty() { String::new() } else { format!(", in {}{more}", places[..named].join(" ")) };
    format!("warning: {code} ({count}){within}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::lines;

    #[test]
    fn each_code_is_one_line_without_names_that_others_chose() {
        let warning = |code: &str, place: &str| json!({"code": code, "block_id": place, "count": 2});
        let all = json!([
            warning("bidi_control", "Obey me!B2"),
            warning("very_long_line", "b_0123456789ab"),
            warning("very_long_line", "obey-me"),
            warning("very_long_line", "b_0123456789ac"),
        ]);
        let long = "warning: very_long_line (6), in b_0123456789ab b_0123456789ac";
        assert_eq!(lines(&all), ["warning: bidi_control (2)", long]);
    }
}

//! Which protected places an edit touches.

use crate::{anchor::Anchor, content::Content};

/// Those of these places that `later` changes or deletes. `edits` are the operations that made it, if any did.
pub fn touched<'a, C: Content>(
    before: &C,
    later: &C,
    edits: Option<&[C::Operation]>,
    places: &'a [Anchor],
) -> Vec<&'a Anchor> {
    // Most files protect nothing, and a workbook is not compared for that.
    if places.is_empty() {
        return Vec::new();
    }
    let changes = before.changes_at(later, edits, places);
    let is_touched = |(place, changes): &(&Anchor, bool)| *changes || place.is_whole() && before != later;
    places.iter().zip(changes).filter(is_touched).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_model::json_reader;

    use super::*;
    use crate::{documents::content::DocumentContent, test_support::plans::content};

    fn document(texts: [&str; 2]) -> DocumentContent {
        let block = |(id, text)| json!({"id": id, "type": "paragraph", "segments": [{"text": text}]});
        let blocks = [("a", texts[0]), ("b", texts[1])].map(block);
        content(&json!({"kind": "docs", "blocks": blocks}))
    }

    #[test]
    fn a_block_is_touched_by_its_own_change_and_the_whole_file_by_any() {
        let places = [json!({}), json!({"block_id": "a"}), json!({"block_id": "b"})]
            .map(|place| json_reader::read::<Anchor>(&place).expect("an anchor"));
        let touched = |later, places| {
            let touched: Vec<String> = touched(&document(["x", "y"]), &document(later), None, places)
                .iter()
                .map(ToString::to_string)
                .collect();
            touched
        };
        assert_eq!(touched(["x", "y"], &places), [""; 0]);
        assert_eq!(touched(["x", "z"], &places), ["", "b"]);
        assert_eq!(touched(["z", "z"], &places[1..]), ["a", "b"]);
        assert_eq!(touched(["x", "z"], &[]), [""; 0]);
    }

    #[test]
    fn a_remark_belongs_to_its_block() {
        let annotated = |remarks: serde_json::Value| -> DocumentContent {
            let block = |id| json!({"id": id, "type": "paragraph", "segments": []});
            content(&json!({"kind": "docs", "blocks": [block("a"), block("b")], "annotations": remarks}))
        };
        let before = annotated(json!([{"block": 1, "text": "reviewed"}]));
        let places = [json!({"block_id": "a"}), json!({"block_id": "b"})]
            .map(|place| json_reader::read::<Anchor>(&place).expect("an anchor"));
        let touched = |remarks| {
            let later = annotated(remarks);
            touched(&before, &later, None, &places).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(touched(json!([{"block": 1, "text": "reviewed"}])), [""; 0]);
        assert_eq!(touched(json!([])), ["b"]);
        assert_eq!(touched(json!([{"block": 1, "text": "reviewed"}, {"block": 0, "text": "void"}])), ["a"]);
    }
}

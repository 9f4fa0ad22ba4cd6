//! Workspaces do not see one another through the search.

use cloud_content::search::{
    query::{self, SearchQuery},
    term::Has,
};
use cloud_svc::{
    WorkspaceId,
    files::content_search::index::{job, lookup::Index},
};
use serde_json::json;
use shared_testing::Stage;

use super::{ids, stage};
use crate::samples;

/// What a search for a word reads of the index of workspace 1.
async fn size(stage: &Stage, word: &str) -> (usize, usize) {
    let query = SearchQuery { terms: query::terms(word).expect("terms"), tag: None };
    let pieces = query.pieces(Has::Whole);
    let read =
        move |conn: &mut shared_runtime::Conn| Ok(Index::read(conn, WorkspaceId::from_number(1), &pieces)?.size());
    stage.context.read(read).await.expect("a size")
}

#[shared_testing::test]
async fn words_of_another_workspace_never_show() {
    let stage = stage().await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    for number in 0..40 {
        let text = format!("Common words and zebras {number}");
        samples::id(&samples::document_of(&bob, &[&text]).await);
        samples::id(&samples::document_of(&ada, &["Common words and horses"]).await);
    }
    for is_indexed in [false, true] {
        for workspace in [1, 2] {
            if is_indexed {
                job::keep(&stage.context, WorkspaceId::from_number(workspace)).await.expect("an index");
            }
        }
        assert_eq!(ids(&ada, "text=zebras").await, [""; 0]);
        assert_eq!(ids(&bob, "text=zebras").await.len(), 40);
        assert_eq!(ids(&ada, "text=horses").await.len(), 40);
        let page = ada.get("/v1/content-search?text=common&limit=100").await.status(200);
        assert_eq!((page["items"].as_array().expect("items").len(), &page["has_more"]), (40, &json!(false)));
        assert!(!page.json().to_string().contains("zebra"));
        let folder = samples::folder(&bob, "Stable", None).await;
        ada.get(format!("/v1/content-search?text=common&parent_id={folder}")).await.refused(404, "not_found");
    }
    assert_eq!(size(&stage, "zebras").await, size(&stage, "zibrax").await, "a foreign word and an absent one");
    assert!(size(&stage, "horses").await.0 > 0);
}

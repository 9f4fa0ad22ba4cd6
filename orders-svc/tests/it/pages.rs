//! Pages for people: their own orders.

use serde_json::json;
use shared_testing::html;

use crate::samples::{PREFIX, draft, id, order, stage_with, wanted};

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";

#[shared_testing::test]
async fn people_see_the_orders_that_they_placed_and_no_others() {
    let mut hostile = order("ada", 1);
    hostile["order"]["lines"][0]["name"] = json!(HOSTILE);
    hostile["order"]["payment"]["method"] = json!(HOSTILE[..40]);
    let stage = stage_with(&[hostile, order("bob", 2), draft("ada", 3)]).await;
    let browser = stage.browser(&stage.caller("ada"));
    let list = browser.get("/orders").await.status(200).body();
    html::assert_harmless(&list);
    assert_eq!(html::links(&list).iter().filter(|link| link.starts_with("/orders/")).count(), 1, "{list}");
    assert!(list.contains("FF-1") && list.contains("Being set up") && list.contains("64.80 GBP"), "{list}");
    let path = format!("/orders/{}", id(1));
    let one = browser.get(&path).await.status(200).body();
    html::assert_harmless(&one);
    for part in ["Order <bdi>FF-1</bdi>", "Discount", "5.00 GBP", "Setting up", "Waiting for payment", "&lt;script&gt;"]
    {
        assert!(one.contains(part), "{part} in {one}");
    }
    assert!(!one.contains("Refunded"), "{one}");
    for other in [id(2), id(3), id(9), "nonsense".to_owned()] {
        browser.get(format!("/orders/{other}")).await.status(404);
    }
    assert_eq!(stage.anyone().get("/orders").await.status(303).header("location"), "/sign-in?return_to=%2Forders");
}

#[shared_testing::test]
async fn the_list_goes_on_page_by_page() {
    let stage = stage_with(&[]).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    assert!(browser.get("/orders").await.status(200).body().contains("You have not placed an order."));
    for _ in 0..60 {
        ada.post(PREFIX).fresh_key().json(wanted()).await.status(200);
    }
    let (mut next, mut count) = (Some("/orders".to_owned()), 0);
    while let Some(path) = next {
        let page = browser.get(path).await.status(200).body();
        html::assert_harmless(&page);
        let links = html::links(&page);
        count += links.iter().filter(|link| link.starts_with("/orders/")).count();
        next = links.into_iter().find(|link| link.starts_with("/orders?cursor="));
    }
    assert_eq!(count, 60);
}

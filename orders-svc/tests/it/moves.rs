//! Moves of orders in the database: all allowed paths, and several operators at once.

use futures_util::future::join_all;
use orders_svc::{
    ids::OrderId,
    orders::{MoveDetails, OrderState, move_to},
};
use serde_json::Value;
use shared_testing::Stage;

use crate::samples::{draft, id, stage_with};

/// All paths from a state to an end, without the first state.
fn paths(from: OrderState) -> Vec<Vec<OrderState>> {
    let followers = from.followers();
    let onward = |next: &OrderState| paths(*next).into_iter().map(|rest| [&[*next][..], &rest].concat()).collect();
    if followers.is_empty() { vec![Vec::new()] } else { followers.iter().flat_map::<Vec<_>, _>(onward).collect() }
}

async fn moved(stage: &Stage, number: u32, to: OrderState) -> Result<Value, String> {
    let id: OrderId = id(number).parse().expect("an id");
    let record =
        move_to(&stage.context, id, to, None, MoveDetails::default()).await.map_err(|error| error.to_string())?;
    Ok(serde_json::to_value(record).expect("JSON"))
}

#[shared_testing::test]
async fn the_database_accepts_every_path_that_the_rules_allow() {
    let paths = paths(OrderState::Draft);
    let drafts: Vec<_> = (0..).zip(&paths).map(|(number, _)| draft("ada", number)).collect();
    let stage = stage_with(&drafts).await;
    for (number, path) in (0..).zip(&paths) {
        let mut is_paid = false;
        for (step, state) in (2..).zip(path) {
            let record = match moved(&stage, number, *state).await {
                Ok(record) => record,
                Err(response) if *state == OrderState::Refunded && !is_paid => {
                    assert!(
                        response.ends_with("cannot become refunded: no further change is possible"),
                        "{path:?}: {response}"
                    );
                    break;
                }
                Err(response) => panic!("{path:?}: {response}"),
            };
            is_paid |= *state == OrderState::Paid;
            assert_eq!(record["order"]["state"], state.as_str());
            assert_eq!(record["order"]["timeline"].as_array().map(Vec::len), Some(step), "{path:?}");
        }
    }
    assert_eq!(stage.count("orders"), i64::try_from(paths.len()).expect("a few"));
}

#[shared_testing::test]
async fn one_of_eight_concurrent_moves_of_an_order_succeeds() {
    let stage = stage_with(&[draft("ada", 1)]).await;
    let outcomes = join_all((0..8).map(|_| moved(&stage, 1, OrderState::Placed))).await;
    let (moved, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!((moved.len(), refused.len()), (1, 7));
    for response in refused.into_iter().filter_map(Result::err) {
        assert!(response.starts_with("an order that is placed cannot become placed"), "{response}");
    }
}

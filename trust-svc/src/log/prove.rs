//! Reading proofs that are made on demand: that the log has an entry, and that it was only ever appended to.

use serde::Serialize;
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::{Answer, Anyone, Context, FromQuery, Params, Query, http::contract::QueryParameter};
use utoipa::ToSchema;

use super::{head, store};
use crate::column;
use crate::merkle::{Hash, HashRange, prove};

/// Which entry, and how large the log was.
#[derive(Clone, Copy, Debug)]
pub struct InclusionQuery {
    index: i64,
    tree_size: i64,
}

impl FromQuery for InclusionQuery {
    fn describe() -> Vec<QueryParameter> {
        vec![
            number("index", 0, "The index of the entry, counted from 0.", 0),
            number("tree_size", 1, "The size of the log that the proof is for: at most what it is now.", 1),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let (index, tree_size) = (params.integer("index", 0, i64::MAX), params.integer("tree_size", 1, i64::MAX));
        let (index, tree_size) = (index??, tree_size??);
        if index >= tree_size {
            return params.refuse("index", format!("must be less than the tree_size, {tree_size}"));
        }
        Some(Self { index, tree_size })
    }
}

/// How large the log was, and then.
#[derive(Clone, Copy, Debug)]
pub struct ConsistencyQuery {
    first: i64,
    second: i64,
}

impl FromQuery for ConsistencyQuery {
    fn describe() -> Vec<QueryParameter> {
        vec![
            number("first", 0, "The smaller size of the log.", 0),
            number("second", 0, "The larger size of the log: at most what it is now.", 1),
        ]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let (first, second) = (params.integer("first", 0, i64::MAX), params.integer("second", 0, i64::MAX));
        let (first, second) = (first??, second??);
        if first > second {
            return params.refuse("first", format!("must be at most the second, {second}"));
        }
        Some(Self { first, second })
    }
}

fn number(name: &'static str, min: i64, about: &'static str, example: i64) -> QueryParameter {
    let mut parameter = QueryParameter::integer(name, min, i64::MAX, about).example(example);
    parameter.required = true;
    parameter
}

/// That the log of this size has this entry (RFC 9162, 2.1.3).
#[derive(Debug, Serialize, ToSchema)]
pub struct InclusionProof {
    /// The index of the entry.
    #[schema(minimum = 0)]
    pub index: i64,
    /// The size of the log.
    #[schema(minimum = 1)]
    pub tree_size: i64,
    /// The root of the log's tree at that size.
    pub root_hash: Hash,
    /// The hash of the entry as a leaf.
    pub leaf_hash: Hash,
    /// The inclusion path, from the leaf's sibling upwards.
    #[schema(max_items = 63)]
    pub hashes: Vec<Hash>,
}

/// That the log of the second size begins with that of the first (RFC 9162, 2.1.4).
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsistencyProof {
    /// The smaller size.
    #[schema(minimum = 0)]
    pub first: i64,
    /// The larger size.
    #[schema(minimum = 0)]
    pub second: i64,
    /// The root of the log's tree at the first size.
    pub first_root_hash: Hash,
    /// The root of the log's tree at the second size.
    pub second_root_hash: Hash,
    /// The proof.
    #[schema(max_items = 63)]
    pub hashes: Vec<Hash>,
}

/// `GET /log/proof/inclusion`: 422 for a size that the log does not have yet.
pub async fn inclusion(
    _: Anyone,
    Query(query): Query<InclusionQuery>,
    context: Context,
) -> Result<Answer<InclusionProof>, Error> {
    let proof = context.read(move |conn| {
        let InclusionQuery { index, tree_size } = query;
        let (at, size) = (column::number(index)?, column::number(tree_size)?);
        require_size("tree_size", size, head::read(conn)?.size())?;
        let hashes = prove::inclusion(at, size, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?;
        let frontier = prove::frontier(size, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?;
        let leaf = store::row(conn, HashRange { level: 0, start: at, count: 1 })?;
        let leaf_hash = leaf.first().copied().ok_or_else(code::not_found)?;
        Ok(InclusionProof { index, tree_size, root_hash: frontier.root(), leaf_hash, hashes })
    });
    Ok(Answer::ok(&proof.await?)?)
}

/// `GET /log/proof/consistency`: 422 for a size that the log does not have yet.
pub async fn consistency(
    _: Anyone,
    Query(query): Query<ConsistencyQuery>,
    context: Context,
) -> Result<Answer<ConsistencyProof>, Error> {
    let proof = context.read(move |conn| {
        let ConsistencyQuery { first, second } = query;
        let (from, to) = (column::number(first)?, column::number(second)?);
        require_size("second", to, head::read(conn)?.size())?;
        let hashes = prove::consistency(from, to, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?;
        let mut root = |size| {
            let frontier = prove::frontier(size, |ranges| store::hashes(conn, ranges)).map_err(store::unproven);
            frontier.map(|frontier| frontier.root())
        };
        let (first_root_hash, second_root_hash) = (root(from)?, root(to)?);
        Ok(ConsistencyProof { first, second, first_root_hash, second_root_hash, hashes })
    });
    Ok(Answer::ok(&proof.await?)?)
}

fn require_size(parameter: &str, asked: u64, size: u64) -> Result<(), Refusal> {
    if asked <= size {
        return Ok(());
    }
    let rule = format!("must be at most the size of the log, {size}");
    Err(Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: parameter.to_owned(), rule }]))
}

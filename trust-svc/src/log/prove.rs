//! Makes proofs on demand: that the log has an entry, and that a larger log begins with a smaller one.

use serde::Serialize;
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::{Answer, Anyone, Context, FromQuery, Params, Query, http::contract::QueryParameter};
use trust_log::merkle::{Consistency, HashRange, Inclusion};
use utoipa::ToSchema;

use super::{head::read_head, proven, store};
use crate::column::{TreeHash, from_column};

#[derive(Clone, Copy, Debug)]
pub struct InclusionQuery {
    index: i64,
    tree_size: i64,
}

impl FromQuery for InclusionQuery {
    fn describe() -> Vec<QueryParameter> {
        vec![
            number("index", 0, "The index of the entry, counted from 0.", 0),
            number("tree_size", 1, "The size of the log that the proof is for: at most its current size.", 1),
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

#[derive(Clone, Copy, Debug)]
pub struct ConsistencyQuery {
    first: i64,
    second: i64,
}

impl FromQuery for ConsistencyQuery {
    fn describe() -> Vec<QueryParameter> {
        vec![
            number("first", 0, "The smaller size of the log.", 0),
            number("second", 0, "The larger size of the log: at most its current size.", 1),
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

/// The proof that the log of this size has this entry (RFC 9162, 2.1.3).
#[derive(Debug, Serialize, ToSchema)]
pub struct InclusionProof {
    #[schema(minimum = 0)]
    pub index: i64,
    #[schema(minimum = 1)]
    pub tree_size: i64,
    /// The root of the log's tree at that size.
    pub root_hash: TreeHash,
    /// The hash of the entry as a leaf.
    pub leaf_hash: TreeHash,
    /// The inclusion path, from the leaf's sibling upwards.
    #[schema(max_items = 63)]
    pub hashes: Vec<TreeHash>,
}

/// The proof that the log of the second size begins with the log of the first size (RFC 9162, 2.1.4).
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsistencyProof {
    #[schema(minimum = 0)]
    pub first: i64,
    #[schema(minimum = 0)]
    pub second: i64,
    /// The root of the log's tree at the first size.
    pub first_root_hash: TreeHash,
    /// The root of the log's tree at the second size.
    pub second_root_hash: TreeHash,
    /// The hashes of the proof, in the order of RFC 9162.
    #[schema(max_items = 63)]
    pub hashes: Vec<TreeHash>,
}

/// `GET /log/proof/inclusion`: 422 for a size that the log has not reached yet.
pub async fn inclusion(
    _: Anyone,
    Query(query): Query<InclusionQuery>,
    context: Context,
) -> Result<Answer<InclusionProof>, Error> {
    let proof = context.read(move |conn| {
        let InclusionQuery { index, tree_size } = query;
        let (at, size) = (from_column(index)?, from_column(tree_size)?);
        require_size("tree_size", size, read_head(conn)?.size())?;
        let leaf = store::hashes(conn, HashRange { level: 0, start: at, count: 1 })?;
        let leaf = *leaf.first().ok_or_else(|| proven::missing_entry(at))?;
        let Inclusion { path, root } = proven::inclusion(conn, at, leaf, size)?;
        let hashes = path.into_iter().map(TreeHash).collect();
        Ok(InclusionProof { index, tree_size, root_hash: TreeHash(root), leaf_hash: TreeHash(leaf), hashes })
    });
    Ok(Answer::ok(&proof.await?)?)
}

/// `GET /log/proof/consistency`: 422 for a size that the log has not reached yet.
pub async fn consistency(
    _: Anyone,
    Query(query): Query<ConsistencyQuery>,
    context: Context,
) -> Result<Answer<ConsistencyProof>, Error> {
    let proof = context.read(move |conn| {
        let ConsistencyQuery { first, second } = query;
        let (from, to) = (from_column(first)?, from_column(second)?);
        // The first size is at most the second: the query was refused otherwise.
        require_size("second", to, read_head(conn)?.size())?;
        let Consistency { hashes, first_root, second_root } = proven::consistency(conn, from, to)?;
        let (first_root_hash, second_root_hash) = (TreeHash(first_root), TreeHash(second_root));
        let hashes = hashes.into_iter().map(TreeHash).collect();
        Ok(ConsistencyProof { first, second, first_root_hash, second_root_hash, hashes })
    });
    Ok(Answer::ok(&proof.await?)?)
}

fn require_size(parameter: &str, requested: u64, size: u64) -> Result<(), Refusal> {
    if requested <= size {
        return Ok(());
    }
    let rule = format!("must be at most the size of the log, {size}");
    Err(Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: parameter.to_owned(), rule }]))
}

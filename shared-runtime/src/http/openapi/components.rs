//! The named schemas of a document: those that are used, and each variant of a tagged type.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::{Discriminator, Paths, Ref, RefOr, Schema, schema::OneOf};

type Named = BTreeMap<String, RefOr<Schema>>;

/// The schemas that the operations refer to, with a name for each variant.
pub(super) fn reachable_schemas(paths: &Paths, schemas: impl IntoIterator<Item = (String, RefOr<Schema>)>) -> Named {
    let mut schemas: Named = schemas.into_iter().collect();
    let mut variants = Vec::new();
    for (name, schema) in &mut schemas {
        if let RefOr::T(Schema::OneOf(choice)) = schema {
            variants.extend(name_variants(name, choice));
        }
    }
    schemas.extend(variants);
    let mut used = Named::new();
    // Only what is reachable: contracts name schemas that a document may not need.
    let mut sought = references(&serde_json::to_value(paths).expect("paths are JSON"));
    while let Some(name) = sought.pop() {
        if let Some(schema) = schemas.remove(&name) {
            sought.extend(references(&serde_json::to_value(&schema).expect("a schema is JSON")));
            used.insert(name, schema);
        }
    }
    used
}

/// Names the variants of a choice whose `type` tells them apart, and adds a discriminator. An object's title is its
/// name.
fn name_variants(name: &str, choice: &mut OneOf) -> Vec<(String, RefOr<Schema>)> {
    // Without names, generated clients call the variants NextActionType0, NextActionType1, …
    let Some(tags) = choice.items.iter().map(tags).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let mut discriminator = Discriminator::new("type");
    let mut variants = Vec::new();
    for (item, tags) in choice.items.iter_mut().zip(tags) {
        let RefOr::T(Schema::Object(object)) = &mut *item else { continue };
        let title = object
            .title
            .take()
            .unwrap_or_else(|| format!("{name}{}", tags.iter().map(|tag| pascal(tag)).collect::<String>()));
        let reference = Ref::from_schema_name(&title);
        discriminator.mapping.extend(tags.into_iter().map(|tag| (tag, reference.ref_location.clone())));
        let schema = std::mem::replace(item, reference.into());
        variants.push((title, schema));
    }
    choice.discriminator = Some(discriminator);
    variants
}

/// The values that the `type` of an object may have.
fn tags(item: &RefOr<Schema>) -> Option<Vec<String>> {
    let RefOr::T(Schema::Object(object)) = item else { return None };
    let RefOr::T(Schema::Object(tag)) = object.properties.get("type")? else { return None };
    tag.enum_values.as_ref()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

fn pascal(snake: &str) -> String {
    let words = snake.split('_').filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect()
}

/// The schemas that a value refers to, at any depth.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => members.values().flat_map(references).collect(),
        Value::String(text) => text.strip_prefix("#/components/schemas/").map(str::to_owned).into_iter().collect(),
        _ => Vec::new(),
    }
}

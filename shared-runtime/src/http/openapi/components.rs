//! The named schemas of a document: those that something refers to, each variant of a tagged type among them.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::{Discriminator, Paths, Ref, RefOr, Schema, schema::OneOf};

/// Schemas by name.
type Named = BTreeMap<String, RefOr<Schema>>;

/// These schemas with a name for each variant, but only those that the operations lead to.
pub(super) fn of(paths: &Paths, schemas: impl IntoIterator<Item = (String, RefOr<Schema>)>) -> Named {
    let mut schemas: Named = schemas.into_iter().collect();
    let mut variants = Vec::new();
    for (name, schema) in &mut schemas {
        if let RefOr::T(Schema::OneOf(choice)) = schema {
            variants.extend(name_variants(name, choice));
        }
    }
    schemas.extend(variants);
    let mut used = Named::new();
    let mut sought = references(&serde_json::to_value(paths).expect("paths are JSON"));
    while let Some(name) = sought.pop() {
        if let Some(schema) = schemas.remove(&name) {
            sought.extend(references(&serde_json::to_value(&schema).expect("a schema is JSON")));
            used.insert(name, schema);
        }
    }
    used
}

/// Gives the objects of a choice names of their own and a discriminator, if their `type` tells them apart: generated
/// clients call them `NextActionWait` then, not `NextActionType0`. An object's title is its name, if it has one.
fn name_variants(name: &str, choice: &mut OneOf) -> Vec<(String, RefOr<Schema>)> {
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

/// The words that the `type` of an object may be.
fn tags(item: &RefOr<Schema>) -> Option<Vec<String>> {
    let RefOr::T(Schema::Object(object)) = item else { return None };
    let RefOr::T(Schema::Object(tag)) = object.properties.get("type")? else { return None };
    tag.enum_values.as_ref()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

fn pascal(snake: &str) -> String {
    let words = snake.split('_').filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect()
}

/// The names that a value refers to, wherever in it.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => members.values().flat_map(references).collect(),
        Value::String(text) => text.strip_prefix("#/components/schemas/").map(str::to_owned).into_iter().collect(),
        _ => Vec::new(),
    }
}

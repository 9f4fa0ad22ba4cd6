//! The content of a catalogue, and its parser.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_model::{
    Currency, FromJson, JsonReader, Problem,
    json::{self, MalformedJson},
    json_reader,
    rule::{MinorUnits, OneLine, Rule as _, Sku},
};
use utoipa::{
    ToSchema,
    openapi::{Object, ObjectBuilder, Type},
};

shared_model::text_enum! {
    /// Whether rooms can be ordered.
    pub enum CatalogueState {
        Planned = "planned",
        /// For sale without limit.
        Open = "open",
        /// For sale while `capacity` lasts.
        Limited = "limited",
        SoldOut = "sold_out",
        Paused = "paused",
    }
}

/// Room prices and availability, as of one import.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(example = json!({
    "version": "b69a2f4e9eb9f9e7d047f898a7a07967e10f83886ca0f60e551e8845ec71c03f", "state": "open",
    "ordering_enabled": true, "currency": "GBP", "monthly_pence": 2900, "setup_pence": 4900, "ai_usage_included": false,
    "provider": "Example Hosting", "region": "eu-west", "capacity": 12,
    "products": [
        {"sku": "room-s", "name": "Small room", "amount_minor": 2900, "available": true, "price_status": "final"}
    ]
}))]
pub struct Catalogue {
    /// SHA-256 of all the other members in canonical form (RFC 8785), in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub version: String,
    pub state: CatalogueState,
    /// Whether orders are accepted now.
    pub ordering_enabled: bool,
    pub currency: Currency,
    /// The price of a month, in pence.
    #[schema(minimum = 0)]
    pub monthly_pence: i64,
    /// The one-time setup price, in pence.
    #[schema(minimum = 0)]
    pub setup_pence: i64,
    /// Always false: model usage is paid to the model's provider.
    #[schema(schema_with = always_false)]
    pub ai_usage_included: bool,
    #[schema(required)]
    pub provider: Option<String>,
    #[schema(required)]
    pub region: Option<String>,
    /// The number of rooms that are available immediately.
    #[schema(required, minimum = 0)]
    pub capacity: Option<i64>,
    #[schema(max_items = 200)]
    pub products: Vec<Product>,
}

shared_model::json_object! {
    /// A product of the catalogue.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Product {
        /// Its stock keeping unit, unique in the catalogue.
        pub sku: String as Sku,
        pub name: String as OneLine<190>,
        /// Its price in pence.
        pub amount_minor: i64 as MinorUnits,
        /// Whether it can be ordered now.
        pub available: bool,
        /// Whether the price is final.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub price_status: Option<String> as OneLine<64>,
    }
}

fn always_false() -> Object {
    ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([false])).build()
}

impl Catalogue {
    /// Reads a catalogue as Locker serves it, with or without the envelope. `version` may be omitted.
    pub fn parse(text: &[u8]) -> Result<Self, Vec<Problem>> {
        let mut value = json::parse(text).map_err(|MalformedJson(rule)| vec![Problem { at: String::new(), rule }])?;
        match value.get_mut("data") {
            Some(data) => json_reader::read(&data.take()),
            None => json_reader::read(&value),
        }
    }

    fn computed_version(&self) -> String {
        let mut value = serde_json::to_value(self).expect("strings, numbers and booleans are JSON");
        if let Value::Object(members) = &mut value {
            members.remove("version");
        }
        // Canonical JSON, so that another program computes the same version from the same members.
        hex::encode(Sha256::digest(canonical_json::value_text(&value)))
    }
}

impl FromJson for Catalogue {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let version = object.optional("version", |reader| reader.text(64));
            let state = object.required("state", CatalogueState::from_json);
            let ordering_enabled = object.required("ordering_enabled", bool::read);
            let currency = object.required("currency", Currency::from_json);
            let monthly_pence = object.required("monthly_pence", MinorUnits::read);
            let setup_pence = object.required("setup_pence", MinorUnits::read);
            let ai_usage_included = object.optional("ai_usage_included", never_included);
            let provider = object.nullable("provider", OneLine::<100>::read);
            let region = object.nullable("region", OneLine::<100>::read);
            let capacity = object.nullable("capacity", MinorUnits::read);
            let products = object.required("products", products);
            let mut read = Self {
                version: String::new(),
                state: state?,
                ordering_enabled: ordering_enabled?,
                currency: currency?,
                monthly_pence: monthly_pence?,
                setup_pence: setup_pence?,
                ai_usage_included: ai_usage_included?.unwrap_or(false),
                provider: provider?,
                region: region?,
                capacity: capacity?,
                products: products?,
            };
            if read.ordering_enabled && !matches!(read.state, CatalogueState::Open | CatalogueState::Limited) {
                return object.refuse("must not have ordering enabled unless its state is open or limited");
            }
            read.version = read.computed_version();
            match version? {
                Some(version) if version != read.version => {
                    object.refuse("must be the SHA-256 of the other members, or be omitted")
                }
                _ => Some(read),
            }
        })
    }
}

// Clients rely on the constant: model usage must never look included.
fn never_included(reader: &JsonReader<'_>) -> Option<bool> {
    match reader.boolean()? {
        false => Some(false),
        true => reader.refuse("must be false: model usage is never included"),
    }
}

fn products(reader: &JsonReader<'_>) -> Option<Vec<Product>> {
    let mut skus = Vec::new();
    reader.array(0..=200, |reader| {
        let product = Product::from_json(reader)?;
        if skus.contains(&product.sku) {
            return reader.refuse("must have a unique sku: an earlier product has the same");
        }
        skus.push(product.sku.clone());
        Some(product)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use utoipa::openapi::{RefOr, Schema};

    use super::*;

    fn sample() -> Value {
        json!({
            "state": "open", "ordering_enabled": true, "currency": "GBP", "monthly_pence": 2500, "setup_pence": 0,
            "products": [{"sku": "room-s", "name": "Small room", "amount_minor": 2500, "available": true}],
        })
    }

    fn parse(value: &Value) -> Result<Catalogue, Vec<Problem>> {
        Catalogue::parse(value.to_string().as_bytes())
    }

    #[test]
    fn the_version_is_the_hash_of_the_other_members_in_canonical_form() {
        let catalogue = parse(&sample()).expect("valid");
        let canonical = concat!(
            r#"{"ai_usage_included":false,"capacity":null,"currency":"GBP","monthly_pence":2500,"#,
            r#""ordering_enabled":true,"products":[{"amount_minor":2500,"available":true,"name":"Small room","#,
            r#""sku":"room-s"}],"provider":null,"region":null,"setup_pence":0,"state":"open"}"#
        );
        assert_eq!(catalogue.version, hex::encode(Sha256::digest(canonical)));
    }

    #[test]
    fn the_example_of_the_document_is_a_catalogue() {
        let RefOr::T(Schema::Object(schema)) = <Catalogue as utoipa::PartialSchema>::schema() else {
            panic!("an object")
        };
        let example = schema.example.expect("an example");
        assert_eq!(parse(&example).map(|catalogue| json!(catalogue)), Ok(example));
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let mut value = sample();
        value["currency"] = json!("EUR");
        value["monthly_pence"] = json!(-1);
        value["ai_usage_included"] = json!(true);
        value["discount"] = json!(5);
        value["products"] = json!([{"sku": "a b", "name": " ", "amount_minor": 1.5, "available": 1}]);
        let places: Vec<_> = parse(&value).expect_err("eight problems").into_iter().map(|problem| problem.at).collect();
        let expected = [
            "/currency",
            "/monthly_pence",
            "/ai_usage_included",
            "/products/0/sku",
            "/products/0/name",
            "/products/0/amount_minor",
            "/products/0/available",
            "/discount",
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn contradictions_are_refused() {
        let mut sold_out = sample();
        sold_out["state"] = json!("sold_out");
        let mut twice = sample();
        twice["products"] = json!([twice["products"][0], twice["products"][0]]);
        let mut forged = sample();
        forged["version"] = json!("0".repeat(64));
        for value in [sold_out, twice, forged] {
            assert_eq!(parse(&value).expect_err("a contradiction").len(), 1, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_served_catalogue_can_be_imported_again(
            monthly in 0..=9_007_199_254_740_991_i64,
            capacity in proptest::option::of(0..1000_i64),
            name in "x([a-zA-Z äöü€]{0,20}x)?",
        ) {
            let mut value = sample();
            value["monthly_pence"] = json!(monthly);
            value["capacity"] = json!(capacity);
            value["products"][0]["name"] = json!(name);
            let catalogue = parse(&value).expect("valid");
            prop_assert_eq!(Catalogue::parse(&serde_json::to_vec(&catalogue).expect("JSON")), Ok(catalogue));
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
            prop_assert!(Catalogue::parse(text.as_bytes()).is_err());
        }
    }
}

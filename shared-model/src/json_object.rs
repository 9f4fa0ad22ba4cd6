//! Structs that are JSON objects. One definition gives the members, how each is read, and its OpenAPI schema.

/// Defines structs that are read from JSON objects.
///
/// Each member is a field with its Rust type and, after `as`, the [`Rule`](crate::rule::Rule) that reads it. A type
/// that reads itself needs no rule. The macro implements [`FromJson`](crate::FromJson), which notes all problems and
/// refuses unknown members. It implements utoipa's `ToSchema` with the same bounds and the doc comments as
/// descriptions.
///
/// | field | in JSON | in OpenAPI |
/// |---|---|---|
/// | `text: String as Text<500>` | must be present | required |
/// | `link: Option<String> as Text<500>` | may be absent; `null` is refused | not required |
/// | `room_id: Option<RoomId> \| null` | may be absent or `null` | required, because it is always written, and nullable |
/// | `format: Format \| default` | may be absent (the default); always written | not required |
///
/// A field may have serde's `rename` and, after it, `skip_serializing_if`, then `#[diesel(embed)]`. `#[serde(tag =
/// "schema", rename = "…")]` before the struct adds a member with this one value. After the struct may follow:
/// - `example = {…};` for OpenAPI.
/// - `check = function;`, an `fn(&JsonReader, Option<&Self>)` that checks the members together. It gets `None` when a member
///   is wrong; it can still read the untyped value.
/// - `describe = function;`, an `fn(ObjectSchema) -> impl Into<RefOr<Schema>>` that adds to the OpenAPI schema.
#[macro_export]
macro_rules! json_object {
    ($(
        $(#[doc = $doc:literal])+
        $(#[derive($($derive:path),* $(,)?)])?
        $(#[serde(tag = $tag:literal, rename = $tag_value:literal)])?
        $(#[diesel($($diesel:tt)*)])*
        $vis:vis struct $name:ident { $($fields:tt)* }
        $(example = $example:tt;)?
        $(check = $check:expr;)?
        $(describe = $describe:expr;)?
    )+) => {$(
        $crate::json_object! {
            @field [$($fields)*] []
            [
                $vis $name [$($doc)+] [$($($derive),*)?] [$($tag = $tag_value)?] [$([$($diesel)*])*]
                [$($example)?] [$($check)?] [$($describe)?]
            ]
        }
    )+};

    // Each rule takes the first field, and decides whether it is nullable, optional, defaulted or required.
    (@field [
        $(#[doc = $doc:literal])* $(#[serde(rename = $wire:literal)])? $(#[serde(skip_serializing_if = $skip:literal)])?
        $(#[diesel($diesel:ident)])? $vis:vis $field:ident: Option<$type:ty> $(as $rule:ty)? | null, $($rest:tt)*
    ] [$($done:tt)*] $head:tt) => {
        $crate::json_object! { @field [$($rest)*] [$($done)* {
            nullable $vis $field (Option<$type>) ($type $(as $rule)?) [$($doc)*] [$($wire)?] [$($skip)?] [$($diesel)?]
        }] $head }
    };
    (@field [
        $(#[doc = $doc:literal])* $(#[serde(rename = $wire:literal)])? $(#[serde(skip_serializing_if = $skip:literal)])?
        $(#[diesel($diesel:ident)])? $vis:vis $field:ident: Option<$type:ty> $(as $rule:ty)?, $($rest:tt)*
    ] [$($done:tt)*] $head:tt) => {
        $crate::json_object! { @field [$($rest)*] [$($done)* {
            optional $vis $field (Option<$type>) ($type $(as $rule)?) [$($doc)*] [$($wire)?] [$($skip)?] [$($diesel)?]
        }] $head }
    };
    (@field [
        $(#[doc = $doc:literal])* $(#[serde(rename = $wire:literal)])?
        $vis:vis $field:ident: $type:ty $(as $rule:ty)? | default, $($rest:tt)*
    ] [$($done:tt)*] $head:tt) => {
        $crate::json_object! { @field [$($rest)*] [$($done)* {
            defaulted $vis $field ($type) ($type $(as $rule)?) [$($doc)*] [$($wire)?] [] []
        }] $head }
    };
    (@field [
        $(#[doc = $doc:literal])* $(#[serde(rename = $wire:literal)])? $(#[diesel($diesel:ident)])?
        $vis:vis $field:ident: $type:ty $(as $rule:ty)?, $($rest:tt)*
    ] [$($done:tt)*] $head:tt) => {
        $crate::json_object! { @field [$($rest)*] [$($done)* {
            required $vis $field ($type) ($type $(as $rule)?) [$($doc)*] [$($wire)?] [] [$($diesel)?]
        }] $head }
    };

    (@field [] [$({
        $presence:ident $field_vis:vis $field:ident ($type:ty) ($($rule:tt)+)
        [$($field_doc:literal)*] [$($wire:literal)?] [$($skip:literal)?] [$($field_diesel:ident)?]
    })*] [
        $vis:vis $name:ident [$($doc:literal)+] [$($derive:path),*] [$($tag:literal = $tag_value:literal)?]
        [$([$($diesel:tt)*])*] [$($example:tt)?] [$($check:expr)?] [$($describe:expr)?]
    ]) => {
        $(#[doc = $doc])+
        #[derive($($derive),*)]
        $(#[serde(tag = $tag, rename = $tag_value)])?
        $(#[diesel($($diesel)*)])*
        $vis struct $name {$(
            $(#[doc = $field_doc])*
            $(#[serde(rename = $wire)])?
            $(#[serde(skip_serializing_if = $skip)])?
            $(#[diesel($field_diesel)])?
            $field_vis $field: $type,
        )*}

        impl $crate::json_reader::FromJson for $name {
            fn from_json(reader: &$crate::json_reader::JsonReader<'_>) -> Option<Self> {
                let read = reader.object(|_object| {
                    $(let tag = _object.required($tag, |reader| reader.one_of(&[($tag_value, ())]));)?
                    $(let $field = _object.$presence(
                        $crate::json_object!(@name $field $($wire)?),
                        <$crate::json_object!(@rule $($rule)+) as $crate::rule::Rule>::read,
                    );)*
                    $(let _: &str = $tag; tag?;)?
                    Some(Self { $($field: $field?),* })
                });
                $($check(reader, read.as_ref());)?
                read
            }
        }

        // The trait behind utoipa's derive, so that a `Vec` of these has a schema too.
        impl $crate::reexport::utoipa::__dev::ComposeSchema for $name {
            fn compose(
                _: Vec<$crate::reexport::utoipa::openapi::RefOr<$crate::reexport::utoipa::openapi::Schema>>,
            ) -> $crate::reexport::utoipa::openapi::RefOr<$crate::reexport::utoipa::openapi::Schema> {
                let schema = $crate::openapi_schema::ObjectSchema::new(&[$($doc),+])
                    $(.tag($tag, $tag_value))?
                    $(.$presence::<$crate::json_object!(@rule $($rule)+)>(
                        $crate::json_object!(@name $field $($wire)?),
                        &[$($field_doc),*],
                    ))*
                    $(.example($crate::reexport::serde_json::json!($example)))?;
                $(let schema = $describe(schema);)?
                schema.into()
            }
        }

        impl $crate::reexport::utoipa::ToSchema for $name {
            fn schemas(
                _components: &mut Vec<(
                    String,
                    $crate::reexport::utoipa::openapi::RefOr<$crate::reexport::utoipa::openapi::Schema>,
                )>,
            ) {
                $(<$crate::json_object!(@rule $($rule)+) as $crate::rule::Rule>::add_components(_components);)*
            }
        }
    };

    (@rule $type:ty) => { $type };
    (@rule $type:ty as $rule:ty) => { $rule };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $wire:literal) => { $wire };
}

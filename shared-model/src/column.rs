//! Database columns of this crate's types.
// Without the feature `diesel` the macros add nothing, so that pure crates do not link a database library.

// diesel's derives name the crate `diesel`, which a pure crate with our macros does not depend on. These paths lead
// through this crate.
#[cfg(feature = "diesel")]
#[macro_export]
#[doc(hidden)]
macro_rules! column_type {
    ($name:ident, $sql:ident) => {
        $crate::column_type!(@bind $name, $crate::reexport::diesel::sql_types::$sql);
        $crate::column_type!(@bind $name,
            $crate::reexport::diesel::sql_types::Nullable<$crate::reexport::diesel::sql_types::$sql>);

        impl<DB> $crate::reexport::ToSql<
            $crate::reexport::diesel::sql_types::Nullable<$crate::reexport::diesel::sql_types::$sql>, DB> for $name
        where
            DB: $crate::reexport::Backend,
            Self: $crate::reexport::ToSql<$crate::reexport::diesel::sql_types::$sql, DB>,
        {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::reexport::Output<'b, '_, DB>,
            ) -> $crate::reexport::serialize::Result {
                $crate::reexport::ToSql::<$crate::reexport::diesel::sql_types::$sql, DB>::to_sql(self, out)
            }
        }

        impl<DB, ST> $crate::reexport::Queryable<ST, DB> for $name
        where
            DB: $crate::reexport::Backend,
            ST: $crate::reexport::diesel::sql_types::SingleValue,
            Self: $crate::reexport::FromSql<ST, DB>,
        {
            type Row = Self;

            fn build(row: Self) -> $crate::reexport::deserialize::Result<Self> {
                Ok(row)
            }
        }
    };
    (@bind $name:ident, $sql:ty) => {
        $crate::column_type!(@bind_as $name, $sql, []);
        $crate::column_type!(@bind_as &'a $name, $sql, ['a]);
        $crate::column_type!(@bind_as &'b &'a $name, $sql, ['a, 'b]);
    };
    (@bind_as $type:ty, $sql:ty, [$($lifetime:lifetime),*]) => {
        impl<$($lifetime),*> $crate::reexport::AsExpression<$sql> for $type {
            type Expression = $crate::reexport::Bound<$sql, Self>;

            fn as_expression(self) -> Self::Expression {
                $crate::reexport::Bound::new(self)
            }
        }
    };
}

/// Stores a type with `as_str` and `FromStr` as text.
#[cfg(feature = "diesel")]
#[macro_export]
macro_rules! text_in_database {
    ($name:ident) => {
        $crate::column_type!($name, Text);

        impl<DB> $crate::reexport::ToSql<$crate::reexport::diesel::sql_types::Text, DB> for $name
        where
            DB: $crate::reexport::Backend,
            str: $crate::reexport::ToSql<$crate::reexport::diesel::sql_types::Text, DB>,
        {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::reexport::Output<'b, '_, DB>,
            ) -> $crate::reexport::serialize::Result {
                self.as_str().to_sql(out)
            }
        }

        impl<DB> $crate::reexport::FromSql<$crate::reexport::diesel::sql_types::Text, DB> for $name
        where
            DB: $crate::reexport::Backend,
            String: $crate::reexport::FromSql<$crate::reexport::diesel::sql_types::Text, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> $crate::reexport::deserialize::Result<Self> {
                Ok(String::from_sql(bytes)?.parse()?)
            }
        }
    };
}

/// Stores a newtype of `i64` as that integer.
#[cfg(feature = "diesel")]
#[macro_export]
macro_rules! integer_in_database {
    ($name:ident) => {
        $crate::column_type!($name, BigInt);

        impl<DB> $crate::reexport::ToSql<$crate::reexport::diesel::sql_types::BigInt, DB> for $name
        where
            DB: $crate::reexport::Backend,
            i64: $crate::reexport::ToSql<$crate::reexport::diesel::sql_types::BigInt, DB>,
        {
            fn to_sql<'b>(
                &'b self,
                out: &mut $crate::reexport::Output<'b, '_, DB>,
            ) -> $crate::reexport::serialize::Result {
                self.0.to_sql(out)
            }
        }

        impl<DB> $crate::reexport::FromSql<$crate::reexport::diesel::sql_types::BigInt, DB> for $name
        where
            DB: $crate::reexport::Backend,
            i64: $crate::reexport::FromSql<$crate::reexport::diesel::sql_types::BigInt, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> $crate::reexport::deserialize::Result<Self> {
                Ok(Self(i64::from_sql(bytes)?))
            }
        }
    };
}

#[cfg(not(feature = "diesel"))]
#[macro_export]
#[doc(hidden)]
macro_rules! text_in_database {
    ($name:ident) => {};
}

#[cfg(not(feature = "diesel"))]
#[macro_export]
#[doc(hidden)]
macro_rules! integer_in_database {
    ($name:ident) => {};
}

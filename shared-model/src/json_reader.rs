//! Reads a JSON value into a typed one, and notes every problem with its JSON pointer.
//!
//! serde stops at the first mistake, but an agent wants to correct all mistakes at once. A [`JsonReader`] is a value
//! and its pointer. Each method returns the typed value, or notes a [`Problem`] and returns `None`.

use std::{borrow::Cow, ops::RangeInclusive};

use serde_json::{Map, Value};

use crate::{
    problem::{self, Problem, Problems},
    words,
};

/// A JSON value at its place in the body.
pub struct JsonReader<'a> {
    value: &'a Value,
    pointer: Pointer<'a>,
    problems: &'a Problems,
}

pub trait FromJson: Sized {
    /// The typed value, or `None` with at least one problem noted.
    fn from_json(reader: &JsonReader<'_>) -> Option<Self>;
}

// A linked list on the stack: it costs nothing unless a problem prints it.
#[derive(Clone, Copy)]
enum Pointer<'a> {
    Root,
    Member(&'a Pointer<'a>, &'a str),
    Item(&'a Pointer<'a>, usize),
}

impl Pointer<'_> {
    fn print(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.print(out);
                out.push('/');
                out.push_str(&problem::shown_name(name).replace('~', "~0").replace('/', "~1"));
            }
            Self::Item(parent, index) => {
                parent.print(out);
                out.push('/');
                out.push_str(&index.to_string());
            }
        }
    }
}

pub fn read<T: FromJson>(value: &Value) -> Result<T, Vec<Problem>> {
    read_with(value, T::from_json)
}

/// Reads a whole body with a function. The error lists every problem.
pub fn read_with<T>(value: &Value, reader: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    let problems = Problems::default();
    let read = reader(&JsonReader { value, pointer: Pointer::Root, problems: &problems });
    match read {
        Some(read) if problems.is_empty() => Ok(read),
        _ => Err(problems.into_vec()),
    }
}

impl<'a> JsonReader<'a> {
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Another value at the same place: what was sent, in a form that can be read.
    pub fn with_value<'b>(&'b self, value: &'b Value) -> JsonReader<'b> {
        JsonReader { value, pointer: self.pointer, problems: self.problems }
    }

    pub fn refuse<T>(&self, rule: impl Into<String>) -> Option<T> {
        self.note("", rule);
        None
    }

    /// Notes that the part at `pointer` of this value breaks `rule`.
    pub fn note(&self, pointer: &str, rule: impl Into<String>) {
        let mut at = String::new();
        self.pointer.print(&mut at);
        self.problems.note(at + pointer, rule);
    }

    pub fn str(&self) -> Option<&'a str> {
        match self.value {
            Value::String(text) => Some(text),
            _ => self.refuse("must be a string"),
        }
    }

    /// Text of at most `max` bytes ([`crate::text`]), with LF for each CR LF and CR.
    pub fn text(&self, max: usize) -> Option<String> {
        let text = crate::text::newlines(self.str()?);
        match crate::text::check(&text, max) {
            Ok(()) => Some(text.into_owned()),
            Err(rule) => self.refuse(rule),
        }
    }

    /// An integer within `range`; numbers with a fraction or an exponent are refused.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Option<i64> {
        match self.value.as_i64() {
            Some(number) if range.contains(&number) => Some(number),
            _ => self.refuse(format!("must be an integer from {} to {}", range.start(), range.end())),
        }
    }

    pub fn number(&self, range: RangeInclusive<f64>) -> Option<f64> {
        match self.value.as_f64() {
            Some(number) if range.contains(&number) => Some(number),
            _ => self.refuse(format!("must be a number from {} to {}", range.start(), range.end())),
        }
    }

    pub fn boolean(&self) -> Option<bool> {
        match self.value {
            Value::Bool(flag) => Some(*flag),
            _ => self.refuse("must be true or false"),
        }
    }

    pub fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Option<T> {
        let found = self.value.as_str().and_then(|text| choices.iter().find(|(name, _)| *name == text));
        match found {
            Some((_, choice)) => Some(*choice),
            None => {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                self.refuse(format!("must be one of: {}", names.join(", ")))
            }
        }
    }

    /// An array of this many items, each read by `read`.
    pub fn array<T>(
        &self,
        lengths: RangeInclusive<usize>,
        mut read: impl FnMut(&JsonReader<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Value::Array(items) = self.value else {
            return self.refuse("must be an array");
        };
        if !lengths.contains(&items.len()) {
            return self.refuse(format!(
                "must have {} to {} items, has {}",
                lengths.start(),
                lengths.end(),
                items.len()
            ));
        }
        let mut read_items = Vec::with_capacity(items.len());
        for (index, value) in items.iter().enumerate() {
            let item = JsonReader { value, pointer: Pointer::Item(&self.pointer, index), problems: self.problems };
            read_items.extend(read(&item));
        }
        // All items were read, so that all their problems are noted, not only the first.
        (read_items.len() == items.len()).then_some(read_items)
    }

    /// An object whose members `read` takes by name. Members that it does not take are refused.
    pub fn object<T>(&self, read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>) -> Option<T> {
        let Value::Object(map) = self.value else {
            return self.refuse("must be an object");
        };
        let mut members = ObjectReader { reader: self, map, taken: Vec::new() };
        let read = read(&mut members);
        // Otherwise a misspelled optional member would be ignored silently.
        members.refuse_the_rest();
        read
    }

    /// Like [`Self::object`], but further members are allowed.
    pub fn open_object<T>(&self, read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>) -> Option<T> {
        let Value::Object(map) = self.value else {
            return self.refuse("must be an object");
        };
        read(&mut ObjectReader { reader: self, map, taken: Vec::new() })
    }

    /// An object with any member names. `read` gets each name and value.
    pub fn entries<T>(&self, max: usize, mut read: impl FnMut(&str, &JsonReader<'_>) -> Option<T>) -> Option<Vec<T>> {
        let Value::Object(map) = self.value else {
            return self.refuse("must be an object");
        };
        if map.len() > max {
            return self.refuse(format!("must have at most {max} members, has {}", map.len()));
        }
        let mut entries = Vec::with_capacity(map.len());
        for (name, value) in map {
            let entry = JsonReader { value, pointer: Pointer::Member(&self.pointer, name), problems: self.problems };
            entries.extend(read(name, &entry));
        }
        (entries.len() == map.len()).then_some(entries)
    }
}

pub struct ObjectReader<'a> {
    reader: &'a JsonReader<'a>,
    map: &'a Map<String, Value>,
    taken: Vec<Cow<'static, str>>,
}

impl ObjectReader<'_> {
    pub fn required<T>(&mut self, name: &'static str, read: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Option<T> {
        match self.optional(name, read)? {
            Some(value) => Some(value),
            None => self.reader.refuse(format!("must have the member \"{name}\"")),
        }
    }

    /// `Some(None)` when the member is absent, `None` when it is wrong.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&JsonReader<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        self.taken.push(Cow::Borrowed(name));
        match self.map.get(name) {
            None => Some(None),
            Some(value) => {
                let pointer = Pointer::Member(&self.reader.pointer, name);
                read(&JsonReader { value, pointer, problems: self.reader.problems }).map(Some)
            }
        }
    }

    /// A member that defaults when it is absent.
    pub fn defaulted<T: Default>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&JsonReader<'_>) -> Option<T>,
    ) -> Option<T> {
        self.optional(name, read).map(Option::unwrap_or_default)
    }

    /// A member that may be absent or `null`; both mean the same.
    pub fn nullable<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&JsonReader<'_>) -> Option<T>,
    ) -> Option<Option<T>> {
        let nullable = |reader: &JsonReader<'_>| match reader.value() {
            Value::Null => Some(None),
            _ => read(reader).map(Some),
        };
        self.optional(name, nullable).map(Option::flatten)
    }

    pub fn refuse<T>(&self, rule: impl Into<String>) -> Option<T> {
        self.reader.refuse(rule)
    }

    fn refuse_the_rest(&self) {
        for (name, value) in self.map {
            if !self.taken.iter().any(|taken| taken == name) {
                let pointer = Pointer::Member(&self.reader.pointer, name);
                let rule = format!("is not a member of this object, which takes {}", words::join_and(&self.taken));
                JsonReader { value, pointer, problems: self.reader.problems }.note("", rule);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_problems_are_listed_each_with_its_pointer() {
        let value = json!({"name": 7, "tags": ["ok", 5], "a/b": 1});
        let problems = read_with(&value, |reader| {
            reader.object(|object| {
                let name = object.required("name", |reader| reader.text(10));
                let tags = object.required("tags", |reader| reader.array(0..=3, |reader| reader.text(10)));
                let size = object.required("size", |reader| reader.integer(1..=9));
                Some((name?, tags?, size?))
            })
        })
        .expect_err("four problems");
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, ["/name", "/tags/1", "", "/a~1b"]);
    }

    #[test]
    fn a_long_name_is_truncated() {
        let problems =
            read_with(&json!({"é".repeat(201): 1, "~".repeat(200): 1}), |reader| reader.object(|_| Some(())));
        let places: Vec<_> = problems.expect_err("two problems").into_iter().map(|problem| problem.at).collect();
        assert_eq!(places, [format!("/{}", "~0".repeat(200)), format!("/{}…", "é".repeat(200))]);
    }

    #[test]
    fn line_ends_of_other_systems_become_line_feeds() {
        let read = |text: &str| read_with(&json!(text), |reader| reader.text(4));
        assert_eq!(read("a\r\nb\r"), Ok("a\nb\n".to_owned()));
        assert_eq!(read("\n\r\r\n"), Ok("\n\n\n".to_owned()));
        assert!(read("a\r\nb\r\ncd").is_err());
    }

    #[test]
    fn numbers_are_bounded_and_integers_have_no_fraction() {
        for value in [json!(0), json!(10), json!(1.5), json!("5"), json!(1e300), json!(null)] {
            assert!(read_with(&value, |reader| reader.integer(1..=9)).is_err(), "{value}");
        }
        assert_eq!(read_with(&json!(9), |reader| reader.integer(1..=9)), Ok(9));
    }

    #[test]
    fn a_number_may_have_a_fraction_and_a_choice_is_one_of_its_words() {
        let number = |value| read_with(&value, |reader| reader.number(-1.5..=2.0)).ok();
        assert_eq!([json!(-1.5), json!(2), json!(2.1), json!("1")].map(number), [Some(-1.5), Some(2.0), None, None]);
        let choice = |value| read_with(&value, |reader| reader.one_of(&[("red", 1), ("blue", 2)])).ok();
        assert_eq!([json!("blue"), json!("green"), json!(2)].map(choice), [Some(2), None, None]);
    }

    #[test]
    fn entries_have_any_names_and_a_bounded_number() {
        let read = |value| {
            let entry = |name: &str, reader: &JsonReader<'_>| Some((name.to_owned(), reader.integer(1..=9)?));
            read_with(&value, |reader| reader.entries(2, entry)).map_err(|problems| problems[0].to_string())
        };
        assert_eq!(read(json!({"a": 1, "b": 2})), Ok(vec![("a".to_owned(), 1), ("b".to_owned(), 2)]));
        assert_eq!(read(json!({"a": 1, "b": 0})), Err("/b must be an integer from 1 to 9".to_owned()));
        assert_eq!(read(json!({"a": 0, "b": 0, "c": 0})), Err("must have at most 2 members, has 3".to_owned()));
    }

    #[test]
    fn an_open_object_may_have_further_members_and_a_refused_one_says_why() {
        let value = json!({"a": 1, "b": 2});
        let read = |object: &mut ObjectReader<'_>| object.required("a", |reader| reader.integer(1..=9));
        assert_eq!(read_with(&value, |reader| reader.open_object(read)), Ok(1));
        let problem = Problem { at: String::new(), rule: "must have no b".to_owned() };
        let refused = read_with(&value, |reader| reader.open_object(|object| object.refuse::<()>("must have no b")));
        assert_eq!(refused, Err(vec![problem]));
    }
}

//! A command of a history, or a read.

use std::{collections::BTreeMap, rc::Rc};

use serde_json::{Value, json};

use super::{
    expected::Expected,
    symbols::{ANY, Bound},
};

/// How a command is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Http,
    /// As a call of a tool, by a client that cannot ask its user.
    Mcp,
    /// As a form of a page, by a signed-in person. The answer says little: it leads to another page, or is an error.
    Page,
    /// As a command of the service's program, beside the running service.
    Operator,
}

/// What an effect knows in addition to the model.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub way: Way,
    /// What the service has answered, for what is not promised; none while the answer is not known.
    pub answer: Option<&'a Value>,
    /// Operations that have happened under the keys of this world, by scope of the key and key.
    pub done: &'a BTreeMap<(String, String), &'static str>,
    /// The values of symbols so far.
    pub bound: &'a Bound,
}

impl Seen<'_> {
    /// Whether the service has refused the command with this code.
    pub fn is_refused(&self, code: &str) -> bool {
        self.answer.is_some_and(|answer| answer["error"]["code"] == code)
    }

    /// Patterns of the ids that an answer lists in an order that is not promised. Each is of another one of these
    /// records. None if one is of no record, or if one is listed twice.
    pub fn in_any_order(&self, found: &[&Value], symbols: &[&str]) -> Option<Vec<Value>> {
        let mut left = symbols.to_vec();
        let mut patterns: Vec<Option<Value>> = Vec::new();
        for id in found {
            let place = left.iter().position(|symbol| self.bound.get(*symbol) == Some(*id));
            patterns.push(place.map(|place| json!(left.swap_remove(place))));
        }
        // Of these no answer has told the id yet.
        left.retain(|symbol| !self.bound.contains_key(*symbol));
        let strangers = patterns.iter().filter(|pattern| pattern.is_none()).count();
        let stranger = match left.as_slice() {
            [only] if strangers == 1 => *only,
            _ if strangers <= left.len() => ANY,
            _ => return None,
        };
        Some(patterns.into_iter().map(|pattern| pattern.unwrap_or_else(|| json!(stranger))).collect())
    }

    /// The pattern of a list in the answer. These records have no order among them, and a page has `most` of them.
    pub fn listed(&self, list: &str, symbols: &[&str], most: usize) -> Value {
        let items = self.answer.and_then(|answer| answer[list].as_array());
        let found: Vec<&Value> = items.into_iter().flatten().map(|item| &item["id"]).collect();
        let count = symbols.len().min(most);
        let ids = self.in_any_order(&found, symbols).filter(|ids| ids.len() == count);
        // Otherwise a list that differs from what was answered.
        let ids = ids.unwrap_or_else(|| symbols[..count].iter().map(|symbol| json!(symbol)).collect());
        ids.into_iter().map(|id| json!({"id": id})).collect()
    }

    /// The commands of one's own with a key, as the service is to list them; anything while one of them still runs.
    pub fn commands_of_key(&self, scope: &str, key: &str, status: u16) -> Value {
        let Some(operation) = self.done.get(&(scope.to_owned(), key.to_owned())) else {
            let runs = self.answer.is_some_and(|answer| answer["commands"][0]["state"] == "in_progress");
            return if runs { json!({}) } else { json!({"commands": []}) };
        };
        json!({"commands": [{"operation": operation, "state": "completed", "status": status}]})
    }

    /// The same where the payload is in `data`.
    pub fn in_data(self) -> Self {
        Self { answer: self.answer.map(|answer| &answer["data"]), ..self }
    }
}

type Effect<M> = dyn Fn(&mut M, Seen<'_>) -> Expected;

/// A form of a page, with symbols.
#[derive(Clone)]
pub struct Form {
    pub path: String,
    pub fields: Vec<(&'static str, String)>,
    /// The field that has the bytes of the command as a file.
    pub file: Option<&'static str>,
}

/// A request with symbols, and what it does to the model.
pub struct Command<M> {
    /// The number of its step, which makes its symbols and its key unique.
    pub number: String,
    pub operation: &'static str,
    pub who: &'static str,
    pub method: &'static str,
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Option<Value>,
    /// In the place of `body`.
    pub bytes: Option<Vec<u8>>,
    /// The arguments of the service's program.
    pub words: Vec<String>,
    pub key: Option<String>,
    /// Whose keys they are, if not those of `who`.
    pub scope: String,
    /// The tool that does the same, with its arguments.
    pub tool: Option<(&'static str, Value)>,
    /// The form that does the same.
    pub form: Option<Form>,
    pub way: Way,
    /// Never lost: the model needs its answer.
    pub is_certain: bool,
    /// Whether it is answered with bytes, which the model sees as hexadecimal digits.
    pub is_binary: bool,
    effect: Option<Rc<Effect<M>>>,
}

// By hand: a model need not be `Clone` for its commands to be.
impl<M> Clone for Command<M> {
    fn clone(&self) -> Self {
        Self {
            number: self.number.clone(),
            operation: self.operation,
            who: self.who,
            method: self.method,
            path: self.path.clone(),
            headers: self.headers.clone(),
            body: self.body.clone(),
            bytes: self.bytes.clone(),
            words: self.words.clone(),
            key: self.key.clone(),
            scope: self.scope.clone(),
            tool: self.tool.clone(),
            form: self.form.clone(),
            way: self.way,
            is_certain: self.is_certain,
            is_binary: self.is_binary,
            effect: self.effect.clone(),
        }
    }
}

impl<M> Command<M> {
    pub fn new(operation: &'static str, who: &'static str, method: &'static str, path: String) -> Self {
        Self {
            number: String::new(),
            operation,
            who,
            method,
            path,
            headers: Vec::new(),
            body: None,
            bytes: None,
            words: Vec::new(),
            key: None,
            scope: who.to_owned(),
            tool: None,
            form: None,
            way: Way::Http,
            is_certain: false,
            is_binary: false,
            effect: None,
        }
    }

    pub fn get(operation: &'static str, who: &'static str, path: impl Into<String>) -> Self {
        Self::new(operation, who, "GET", path.into())
    }

    /// A command with a key of its own.
    pub fn post(operation: &'static str, who: &'static str, path: impl Into<String>, body: Value) -> Self {
        Self { key: Some(String::new()), body: Some(body), ..Self::new(operation, who, "POST", path.into()) }
    }

    /// A command of the operator, which has its answer for certain: nobody is between the two.
    pub fn operator(operation: &'static str, words: &[&str]) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self { way: Way::Operator, is_certain: true, words, ..Self::new(operation, "operator", "", String::new()) }
    }

    pub fn put(operation: &'static str, who: &'static str, path: impl Into<String>, body: Value) -> Self {
        Self { method: "PUT", ..Self::post(operation, who, path, body) }
    }

    pub fn if_match(mut self, etag: &str) -> Self {
        self.headers.push(("if-match", etag.to_owned()));
        self
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn tool(mut self, name: &'static str, arguments: Value) -> Self {
        self.tool = Some((name, arguments));
        self
    }

    /// A tool that does what no single request does.
    pub fn only_tool(self, name: &'static str, arguments: Value) -> Self {
        Self { way: Way::Mcp, ..self.tool(name, arguments) }
    }

    pub fn form(mut self, path: String, fields: &[(&'static str, &str)]) -> Self {
        let fields = fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.form = Some(Form { path, fields, file: None });
        self
    }

    /// A form with the bytes of the command as a file in this field.
    pub fn form_of_file(self, path: String, fields: &[(&'static str, &str)], file: &'static str) -> Self {
        let command = self.form(path, fields);
        Self { form: command.form.map(|form| Form { file: Some(file), ..form }), ..command }
    }

    /// Whose keys they are.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = scope.into();
        self
    }

    /// Its answer decides what the model does not know, so it must not get lost.
    pub fn certain(mut self) -> Self {
        self.is_certain = true;
        self
    }

    pub fn binary(mut self) -> Self {
        self.is_binary = true;
        self
    }

    /// What it does, and what it answers.
    pub fn does<E: Into<Expected>>(mut self, effect: impl Fn(&mut M, Seen<'_>) -> E + 'static) -> Self {
        self.effect = Some(Rc::new(move |model, seen| effect(model, seen).into()));
        self
    }

    /// A refusal that is possible, too, whatever its effect says.
    pub fn may_be_refused(mut self, refusal: impl Fn(&M, Seen<'_>) -> Option<&'static str> + 'static) -> Self
    where
        M: 'static,
    {
        if let Some(effect) = self.effect.take() {
            self.effect = Some(Rc::new(move |model, seen| {
                let refused = refusal(model, seen);
                let mut expected = effect(model, seen);
                expected.refusals.extend(refused);
                expected
            }));
        }
        self
    }

    /// Gives it the number of its step.
    pub fn numbered(mut self, number: &str) -> Self {
        number.clone_into(&mut self.number);
        if self.key.as_ref().is_some_and(String::is_empty) {
            self.key = Some(format!("key-{number}"));
        }
        self
    }

    pub fn expect(&self, model: &mut M, seen: Seen<'_>) -> Expected {
        let effect = self.effect.as_ref().unwrap_or_else(|| panic!("{} has no effect", self.operation));
        effect(model, seen)
    }

    /// The JSON-RPC message that calls its tool.
    pub(super) fn message(&self) -> Option<Value> {
        let (name, arguments) = self.tool.as_ref()?;
        let mut arguments = arguments.clone();
        if let Some(key) = &self.key {
            arguments["idempotency_key"] = json!(key);
        }
        for (header, value) in &self.headers {
            if *header == "if-match" {
                arguments["if_match"] = json!(value);
            }
        }
        let params = json!({"name": name, "arguments": arguments});
        Some(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_without_an_order_is_compared_by_its_ids() {
        let bound = Bound::from([("$plan1".to_owned(), json!("a")), ("$plan2".to_owned(), json!("b"))]);
        let done = BTreeMap::new();
        let seen = Seen { way: Way::Http, answer: None, done: &done, bound: &bound };
        let order = |found: &[&str], symbols: &[&str]| {
            let found: Vec<Value> = found.iter().map(|id| json!(id)).collect();
            seen.in_any_order(&found.iter().collect::<Vec<_>>(), symbols).map(|ids| json!(ids))
        };
        let both = ["$plan1", "$plan2"];
        assert_eq!(order(&["b", "a"], &both), Some(json!(["$plan2", "$plan1"])));
        assert_eq!(order(&["c", "a"], &["$plan1", "$plan3"]), Some(json!(["$plan3", "$plan1"])));
        assert_eq!(order(&["c", "d"], &["$plan3", "$plan4"]), Some(json!(["*", "*"])), "nobody knows which is which");
        for found in [["a", "a"], ["a", "c"]] {
            assert_eq!(order(&found, &both), None, "{found:?}");
        }
        let listed = |items: Value, most| {
            let answer = json!({"items": items});
            Seen { answer: Some(&answer), ..seen }.listed("items", &both, most)
        };
        assert_eq!(listed(json!([{"id": "b"}, {"id": "a"}]), 9), json!([{"id": "$plan2"}, {"id": "$plan1"}]));
        assert_eq!(listed(json!([{"id": "b"}]), 1), json!([{"id": "$plan2"}]));
        assert_eq!(listed(json!([{"id": "b"}]), 9), json!([{"id": "$plan1"}, {"id": "$plan2"}]), "one is missing");
    }
}

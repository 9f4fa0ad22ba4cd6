//! The worlds that all answers so far leave possible.

use std::{collections::BTreeMap, rc::Rc};

use serde_json::Value;

use super::{
    command::{Command, Seen, Way},
    expected::{Expected, lasting, replayed},
    model::Model,
    symbols::{Bound, Told, unify},
};

/// Far more than there are before a read tells which of them is real.
const MOST: usize = 200;

/// The code of every refusal of a page.
pub const OF_A_PAGE: &str = "refused by a page";

/// By scope, operation and key: path and body of the command, and its answer.
type Answers = BTreeMap<(String, &'static str, String), ((String, Option<Value>), Value)>;

pub struct World<M> {
    pub model: M,
    // Shared, because each command makes a world of its own from each that was possible.
    pub bound: Rc<Bound>,
    answers: Rc<Answers>,
    done: Rc<BTreeMap<(String, String), &'static str>>,
    /// Commands without an answer: each has happened, or happens later, or never.
    pending: Vec<Rc<Command<M>>>,
}

impl<M: Clone> Clone for World<M> {
    fn clone(&self) -> Self {
        Self {
            model: self.model.clone(),
            bound: Rc::clone(&self.bound),
            answers: Rc::clone(&self.answers),
            done: Rc::clone(&self.done),
            pending: self.pending.clone(),
        }
    }
}

pub struct Worlds<M>(Vec<World<M>>);

/// An answer to compare.
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    pub fn code(&self) -> Option<&str> {
        if self.status >= 400 { self.body["error"]["code"].as_str() } else { None }
    }
}

impl<M: Model> Worlds<M> {
    pub fn of(model: M) -> Self {
        let (bound, answers, done) = (Rc::default(), Rc::default(), Rc::default());
        Self(vec![World { model, bound, answers, done, pending: Vec::new() }])
    }

    /// The first world, for choosing the next command.
    pub fn likely(&self) -> &World<M> {
        &self.0[0]
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// From now on it may have happened at any time.
    pub fn lose(&mut self, command: &Rc<Command<M>>) {
        for world in &mut self.0 {
            if !world.pending.iter().any(|pending| pending.number == command.number) {
                world.pending.push(Rc::clone(command));
            }
        }
        self.settle();
    }

    /// Adds the worlds in which pending commands happen now.
    fn settle(&mut self) {
        let mut index = 0;
        while index < self.0.len() && self.0.len() < MOST {
            for place in 0..self.0[index].pending.len() {
                let mut later = self.0[index].clone();
                let command = later.pending.remove(place);
                let (after, expected) = later.after(&command, None);
                if let Some(body) = expected.success {
                    self.0.push(after.answered(&command, body));
                }
            }
            index += 1;
        }
        self.thin();
    }

    /// Drops worlds that are the same: two commands in either order often have the same effect.
    fn thin(&mut self) {
        let mut different: Vec<World<M>> = Vec::new();
        for world in std::mem::take(&mut self.0) {
            if !different.iter().any(|other| other.is_same(&world)) {
                different.push(world);
            }
        }
        self.0 = different;
    }

    /// Keeps the worlds in which this answer is possible; otherwise why there is none.
    pub fn observe(&mut self, command: &Rc<Command<M>>, answer: &Answer) -> Result<Told, Vec<String>> {
        self.settle();
        let (mut kept, mut first, mut reasons) = (Vec::new(), None, Vec::new());
        for mut world in std::mem::take(&mut self.0) {
            // Its answer is here, so it is no longer pending.
            world.pending.retain(|pending| pending.number != command.number);
            match world.hold(command, answer) {
                Ok((world, told)) => {
                    first.get_or_insert(told);
                    kept.push(world);
                }
                Err(reason) if reasons.contains(&reason) => {}
                Err(reason) => reasons.push(reason),
            }
        }
        self.0 = kept;
        self.thin();
        first.ok_or(reasons)
    }
}

impl<M: Model> World<M> {
    fn is_same(&self, other: &Self) -> bool {
        let numbers = |world: &Self| world.pending.iter().map(|pending| pending.number.clone()).collect::<Vec<_>>();
        numbers(self) == numbers(other)
            && is_equal(&self.done, &other.done)
            && self.model == other.model
            && is_equal(&self.bound, &other.bound)
            && is_equal(&self.answers, &other.answers)
    }

    /// Whether a command has happened under its key.
    pub fn has_done(&self, command: &Command<M>) -> bool {
        place(command).is_some_and(|place| self.answers.contains_key(&place))
    }

    /// The world after a command, if it succeeds, and the answer.
    fn after(&self, command: &Command<M>, answer: Option<&Value>) -> (Self, Expected) {
        let mut after = self.clone();
        let seen = Seen { way: command.way, answer, done: &self.done, bound: &self.bound };
        let place = place(command);
        match place.and_then(|place| self.answers.get(&place)) {
            // The same request is a repetition, also where another command of the history has made it.
            Some(((path, sent), body)) if *path == command.path && *sent == command.body => {
                (after, M::repeated(replayed(body.clone())))
            }
            // The key belongs to another command. A mistake may be found before the key is looked at.
            Some(_) => {
                let mut expected = command.expect(&mut self.model.clone(), seen);
                expected.success = None;
                (after, expected.or_refused("idempotency_key_reused"))
            }
            None => {
                let expected = command.expect(&mut after.model, seen);
                (after, expected)
            }
        }
    }

    fn answered(mut self, command: &Command<M>, body: Value) -> Self {
        if let (Some(place), Some(key)) = (place(command), &command.key) {
            Rc::make_mut(&mut self.done).insert((command.scope.clone(), key.clone()), command.operation);
            Rc::make_mut(&mut self.answers)
                .entry(place)
                .or_insert_with(|| ((command.path.clone(), command.body.clone()), body));
        }
        self
    }

    /// The world in which the command has this answer, or why it is not possible.
    fn hold(self, command: &Command<M>, answer: &Answer) -> Result<(Self, Told), String> {
        let (mut after, expected) = self.after(command, Some(&answer.body));
        if let Some(code) = answer.code() {
            // A page says in words why it refuses. A repeated form about what is gone by now leads nowhere, as does the
            // page that it was on.
            let is_gone = answer.status == 404 && self.has_done(command);
            if code == OF_A_PAGE && (is_gone || !expected.refusals.is_empty()) {
                return Ok((self, Told::new()));
            }
            let said = || format!("{} {code}: expected {}", answer.status, told_of(&expected));
            return if expected.refusals.contains(&code) { Ok((self, Told::new())) } else { Err(said()) };
        }
        let Some(pattern) = &expected.success else {
            return Err(format!("{}: expected {}", answer.status, told_of(&expected)));
        };
        if command.way == Way::Page {
            let (body, mut told) = (pattern.clone(), Told::new());
            unify_named(&body, &answer.body, Rc::make_mut(&mut after.bound), &mut told)?;
            return Ok((after.answered(command, body), told));
        }
        if !expected.statuses.contains(&answer.status) {
            return Err(format!("{}: expected {}", answer.status, told_of(&expected)));
        }
        let mut told = Told::new();
        // Otherwise what both share would be copied now.
        drop(self);
        unify(pattern, &answer.body, "", Rc::make_mut(&mut after.bound), &mut told)?;
        Ok((after.answered(command, lasting(&answer.body)), told))
    }
}

/// Compares what a page has told its script: records by their ids.
fn unify_named(pattern: &Value, found: &Value, bound: &mut Bound, told: &mut Told) -> Result<(), String> {
    let members = found.as_object().into_iter().flatten();
    members
        .filter(|(name, _)| pattern[name.as_str()]["id"].is_string())
        .try_for_each(|(name, id)| unify(&pattern[name.as_str()]["id"], id, &format!(".{name}"), bound, told))
}

fn is_equal<T: PartialEq>(one: &Rc<T>, other: &Rc<T>) -> bool {
    Rc::ptr_eq(one, other) || one == other
}

fn place<M>(command: &Command<M>) -> Option<(String, &'static str, String)> {
    command.key.as_ref().map(|key| (command.scope.clone(), command.operation, key.clone()))
}

fn told_of(expected: &Expected) -> String {
    let mut all: Vec<String> = expected.refusals.iter().map(|code| (*code).to_owned()).collect();
    if expected.is_success() {
        all.splice(0..0, expected.statuses.iter().map(u16::to_string));
    }
    all.join(" or ")
}

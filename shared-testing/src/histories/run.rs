//! Runs the steps of a history, and compares each answer with the model.

use std::rc::Rc;

use tokio::time::Instant;

use super::{
    command::Command,
    dice::Dice,
    ground::{Ground, Sent},
    model::Model,
    report::{Difference, Report},
    script::line,
    step::{Step, Trouble},
    symbols::Told,
    worlds::Worlds,
};

/// Commands that may be without an answer at the same time.
const LOST: usize = 2;
/// A history goes on with this many worlds; if there are more, a read tells which is real.
const WORLDS: usize = 4;
/// Steps after which a command without an answer is sent again at the latest.
const LOST_STEPS: usize = 6;

struct Run<M> {
    worlds: Worlds<M>,
    sent: Vec<Rc<Command<M>>>,
    /// Commands without an answer so far, also those that no world has as pending.
    lost: Vec<Rc<Command<M>>>,
    lost_steps: usize,
    report: Report,
}

/// Fewer steps compare little, so these are run on a slow machine too.
const FEWEST: usize = 40;

/// Runs the steps until it is time, and then compares everything. Goes on until PostgreSQL has failed over twice, where it can.
pub async fn run<M: Model>(ground: &mut Ground, model: M, steps: &[Step], until: Instant) -> Report {
    let (kills, failovers) = (ground.kills, ground.failovers);
    let mut run =
        Run { worlds: Worlds::of(model), sent: Vec::new(), lost: Vec::new(), lost_steps: 0, report: Report::default() };
    let outcome = run.all(ground, steps, until).await;
    run.report.kills = ground.kills - kills;
    run.report.failovers = ground.failovers - failovers;
    run.report.difference = outcome.err();
    run.report
}

impl<M: Model> Run<M> {
    async fn all(&mut self, ground: &mut Ground, steps: &[Step], until: Instant) -> Result<(), Difference> {
        for (index, step) in steps.iter().enumerate() {
            if Instant::now() >= until && index >= FEWEST && !ground.owes_failover() {
                break;
            }
            let mut dice = Dice::of(step.seed);
            if let Some(command) = self.choose(&mut dice, &step.number) {
                self.take(ground, command, dice.below(2), step.trouble, Some(index)).await?;
            }
        }
        // Every command without an answer is sent again until it has one.
        while let Some(command) = self.lost.first().cloned() {
            self.take(ground, command, 0, Trouble::None, None).await?;
        }
        // Everything that follows is compared in each world that is possible.
        if self.worlds.count() > 1 {
            let tells = Rc::new(self.worlds.likely().model.tells().numbered("end"));
            self.take(ground, tells, 0, Trouble::None, None).await?;
        }
        for phase in 0.. {
            let Some(commands) = self.worlds.likely().model.ending(phase) else { break };
            for (index, command) in commands.into_iter().enumerate() {
                let command = Rc::new(command.numbered(&format!("{phase}_{index}")));
                self.take(ground, command, 0, Trouble::None, None).await?;
            }
        }
        Ok(())
    }

    fn choose(&mut self, dice: &mut Dice, number: &str) -> Option<Rc<Command<M>>> {
        let world = self.worlds.likely();
        if self.worlds.count() > WORLDS && dice.percent(50) {
            return Some(Rc::new(world.model.tells().numbered(number)));
        }
        let throw = dice.below(100);
        if let Some(lost) = dice.pick(&self.lost, |command| &command.number) {
            self.lost_steps += 1;
            // As a client would: some ask what has become of it, some send it again, some go on with something else.
            let asks = if throw < 12 { world.model.look_up(lost) } else { None };
            if let Some(asks) = asks {
                return Some(Rc::new(asks.numbered(number)));
            }
            if throw < 30 || self.lost_steps > LOST_STEPS {
                return Some(Rc::clone(lost));
            }
        } else {
            self.lost_steps = 0;
        }
        let known = |command: &&Rc<Command<M>>| command.key.is_some();
        match throw {
            // A command again, with its key, whether it has succeeded or was refused.
            90..96 => {
                let earlier = dice.pick(self.sent.iter().filter(known), |command| &command.number)?;
                Some(Rc::clone(earlier))
            }
            // Another command with the key of one that has happened, of the same caller or of another.
            96..99 => {
                let command = world.model.command(dice, number)?;
                let same = |earlier: &&Rc<Command<M>>| {
                    earlier.operation == command.operation && earlier.key.is_some() && world.has_done(earlier)
                };
                let earlier = dice.pick(self.sent.iter().filter(same), |earlier| &earlier.number)?;
                let key = earlier.key.clone()?;
                let mut command = command.numbered(number);
                command.key = Some(key);
                Some(Rc::new(command))
            }
            _ => Some(Rc::new(world.model.command(dice, number)?.numbered(number))),
        }
    }

    async fn take(
        &mut self,
        ground: &mut Ground,
        command: Rc<Command<M>>,
        at: u64,
        trouble: Trouble,
        step: Option<usize>,
    ) -> Result<(), Difference> {
        let difference = |reasons: Vec<String>| Difference { operation: command.operation, step, reasons };
        let is_lost = self.lost.iter().any(|lost| lost.number == command.number);
        let is_full = self.lost.len() >= LOST && !is_lost;
        let trouble = match trouble {
            Trouble::Cut(_) | Trouble::Kill(_) | Trouble::FailOver(_) if is_full || command.is_certain => Trouble::None,
            trouble => trouble,
        };
        let answer = match ground.send(&command, &self.worlds.likely().bound, at, trouble).await {
            Sent::Answered(answer) => Some(answer),
            Sent::Lost => None,
            Sent::Unknown => {
                // The likely world does not have what it names, so it has not happened there and never can.
                self.lost.retain(|lost| lost.number != command.number);
                return Ok(());
            }
            Sent::Broken(error) => {
                self.report.lines.push(line(&command, trouble, &error, &Told::new()));
                return Err(difference(vec![error]));
            }
        };
        if !self.sent.iter().any(|sent| sent.number == command.number) {
            self.sent.push(Rc::clone(&command));
        }
        let Some(answer) = answer else {
            self.report.lost += 1;
            self.report.lines.push(line(&command, trouble, "no answer", &Told::new()));
            // A read that was lost has changed nothing.
            if command.method != "GET" {
                self.worlds.lose(&command);
                if !is_lost {
                    self.lost.push(Rc::clone(&command));
                }
            }
            return Ok(());
        };
        self.lost.retain(|lost| lost.number != command.number);
        let outcome = answer.code().map_or_else(|| answer.status.to_string(), str::to_owned);
        self.report.count(&command, &outcome);
        let told = self.worlds.observe(&command, &answer);
        self.report.lines.push(line(&command, trouble, &outcome, told.as_ref().unwrap_or(&Told::new())));
        told.map(drop).map_err(|mut reasons| {
            let body: String = answer.body.to_string().chars().take(1500).collect();
            reasons.push(format!("the answer: {} {body}", answer.status));
            difference(reasons)
        })
    }
}

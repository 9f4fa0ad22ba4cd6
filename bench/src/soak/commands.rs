//! Commands are retried until they succeed, while processes are killed and servers fail. None may be lost or done
//! twice.

use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    rc::Rc,
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use futures_util::future::join_all;
use shared_model::Random;
use shared_runtime::Clock;
use shared_testing::{
    Caller, ServiceProcess,
    servers::{Redis, Servers},
};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep, sleep_until},
};

use super::{follower, verdict::Verdict};
use crate::{binaries, changes, document::document, process};

const WRITERS: usize = 16;
// Pause of a writer, so that the number of commands depends on the time and not on the machine.
const PAUSE: Duration = Duration::from_millis(10);
// Far longer than any outage here: a command without an answer by then fails the soak.
const GIVEN_UP: Duration = Duration::from_secs(120);
// As long as the lock timeout on PostgreSQL, so that some of the waiting transactions fail.
const HELD: Duration = Duration::from_secs(5);
const FROZEN: Duration = Duration::from_secs(2);
const LOST: Duration = Duration::from_secs(1);
// Kinds of outages on PostgreSQL, one after the other.
const OUTAGES: u32 = 6;
/// Time for every kind of outage, even if each pause is the longest.
pub const SHORTEST: Duration = Duration::from_secs(40);
const ENVIRONMENT: [(&str, &str); 2] = [("RUST_LOG", "off"), ("RATE_LIMITS", "read=100000000,write=100000000")];

/// Results of the writers.
#[derive(Default)]
struct Acknowledged {
    /// Files of commands answered with 200.
    files: Vec<String>,
    /// Requests repeated with the same key.
    retries: u64,
}

/// Creates documents under kills and outages. On PostgreSQL two processes share the work and one survives; on SQLite
/// the only process is killed during the first half.
pub async fn under_kills(postgres: Option<&str>, length: Duration, verdict: &mut Verdict) -> Result<()> {
    let ground = if postgres.is_some() { "PostgreSQL + Redis, two processes" } else { "SQLite" };
    let mut redis = Redis::start();
    let servers = postgres.map(|url| Servers { postgres: url.to_owned(), redis: redis.url.clone(), is_shared: true });
    let program = binaries::of("cloud-svc")?;
    let mut first = ServiceProcess::on(program, cloud_svc::service(), servers, &ENVIRONMENT).await;
    let mut second = match postgres {
        Some(_) => Some(first.beside(&ENVIRONMENT).await),
        None => None,
    };
    let callers: Vec<_> = [Some(&first), second.as_ref()].into_iter().flatten().map(ada).collect();
    let acknowledged = Rc::new(RefCell::new(Acknowledged::default()));

    let until = Instant::now() + length;
    let is_over = Cell::new(false);
    let writers = async {
        let written = join_all((0..WRITERS).map(|number| writer(number, &callers, until, &acknowledged))).await;
        is_over.set(true);
        written
    };
    let trouble = async {
        match &mut second {
            Some(second) => outages(&first, second, &mut redis, until).await,
            None => kills(&mut first, until, length).await,
        }
    };
    let (written, trouble, followed) = tokio::join!(writers, trouble, follower::follow(&callers, &is_over));
    written.into_iter().collect::<Result<()>>()?;
    let Trouble { count, memory, descriptors } = trouble?;

    let Acknowledged { files, retries } = acknowledged.take();
    Verdict::note(&format!(
        "{} commands, {retries} retries, {count} kills and outages in {} s (cloud-svc, {ground})",
        files.len(),
        length.as_secs()
    ));
    verdict.at_least("kills and outages", u64::from(count), postgres.map_or(1, |_| u64::from(OUTAGES)));
    let stored: HashSet<_> = first.ids("files").into_iter().map(|id| format!("file_{id}")).collect();
    let known: HashSet<_> = files.iter().cloned().collect();
    let shared = files.len() - known.len();
    verdict.at_most("lost commands", (known.difference(&stored).count() + shared) as f64, 0.0, "");
    verdict.at_most("commands done twice", stored.difference(&known).count() as f64, 0.0, "");
    followed?.check(&stored, verdict);
    let id = files.last().context("no command succeeded")?;
    ensure!(callers[0].get(format!("/v1/documents/{id}")).await.status == 200, "{id} cannot be read");
    let [first, second, third, last] = quarters(&memory).context("too short to measure memory")?;
    let earlier = format!("memory at the end ({first:.1}, {second:.1}, {third:.1} before)");
    verdict.at_most(&earlier, last, third * 1.05 + 4.0, "MiB");
    let [_, before, _, last] = quarters(&descriptors).context("too short to count descriptors")?;
    verdict.at_most(&format!("descriptors at the end ({before:.0} before)"), last, before + 16.0, "files");
    Ok(())
}

fn ada(process: &ServiceProcess) -> Caller {
    let ada = process.caller("ada");
    let tomorrow = Clock::System.now().plus(Duration::from_secs(86_400));
    ada.claim("exp", tomorrow.seconds())
}

async fn writer(number: usize, callers: &[Caller], until: Instant, acknowledged: &RefCell<Acknowledged>) -> Result<()> {
    let body = document(512);
    let mut turn = number;
    for command in 0.. {
        if Instant::now() >= until {
            break;
        }
        let key = format!("soak-{number}-{command}");
        let begun = Instant::now();
        let file = loop {
            let answer = callers[turn % callers.len()].post("/v1/documents").key(&key).json(body.clone()).send().await;
            match answer {
                Ok(answer) if answer.status == 200 => {
                    let id = answer["file"]["id"].as_str().map(ToOwned::to_owned);
                    break id;
                }
                Ok(answer) => ensure!(matches!(answer.status, 409 | 503), "a command was refused: {answer}"),
                // The process was killed, maybe in the middle of this request: try again.
                Err(_) => {}
            }
            ensure!(begun.elapsed() < GIVEN_UP, "no answer for {key}");
            acknowledged.borrow_mut().retries += 1;
            turn += 1;
            sleep(Duration::from_millis(50)).await;
        };
        let Some(file) = file else { bail!("an answer without a file") };
        acknowledged.borrow_mut().files.push(file);
        sleep(PAUSE).await;
    }
    Ok(())
}

/// What happened to the processes; and the surviving one's memory and descriptors, second by second.
#[derive(Default)]
struct Trouble {
    count: u32,
    memory: Vec<f64>,
    descriptors: Vec<f64>,
}

impl Trouble {
    /// Samples a process every second.
    async fn watch(&mut self, pid: u32, length: Duration) -> Result<()> {
        let until = Instant::now() + length;
        while Instant::now() < until {
            self.memory.push(process::resident_mib(pid)?);
            self.descriptors.push(process::descriptors(pid)? as f64);
            // Not past the end: a pause would become as long as the next whole second.
            sleep_until(until.min(Instant::now() + Duration::from_secs(1))).await;
        }
        Ok(())
    }
}

/// Kills the process at random times during the first half.
async fn kills(process: &mut ServiceProcess, until: Instant, length: Duration) -> Result<Trouble> {
    let mut trouble = Trouble::default();
    while Instant::now() + length / 2 < until {
        sleep(pause()).await;
        process.kill();
        process.start(&ENVIRONMENT).await;
        trouble.count += 1;
    }
    // The second half is undisturbed: only then can the growth of memory be judged.
    trouble.watch(process.pid(), until.saturating_duration_since(Instant::now())).await?;
    Ok(trouble)
}

/// Kills and stops the second process, holds a transaction open, empties and freezes Redis, and closes all database
/// connections. The first process survives.
async fn outages(
    first: &ServiceProcess,
    second: &mut ServiceProcess,
    redis: &mut Redis,
    until: Instant,
) -> Result<Trouble> {
    let mut trouble = Trouble::default();
    while Instant::now() < until {
        trouble.watch(first.pid(), pause()).await?;
        // In turn, not at random: as many outages as there are kinds include every kind.
        match trouble.count % OUTAGES {
            0 => {
                second.kill();
                second.start(&ENVIRONMENT).await;
            }
            1 => {
                second.signal("TERM");
                let ended = second.ended().await;
                ensure!(ended.success(), "a stop under load: {ended}");
                second.start(&ENVIRONMENT).await;
            }
            2 => {
                let database = first.database_url().to_owned();
                let held = spawn_blocking(move || changes::insert_slowly(&database, HELD));
                trouble.watch(first.pid(), HELD).await?;
                held.await??;
            }
            3 => redis.flush_all(),
            4 => {
                // A frozen Redis is worse than a dead one: connections stay open and nothing answers.
                redis.signal("STOP");
                trouble.watch(first.pid(), FROZEN).await?;
                redis.signal("CONT");
            }
            _ => {
                first.lose_database();
                trouble.watch(first.pid(), LOST).await?;
                first.find_database();
            }
        }
        trouble.count += 1;
    }
    Ok(trouble)
}

pub(super) fn pause() -> Duration {
    pause_of(Random::System.bytes16()[0])
}

/// One to four seconds.
fn pause_of(random: u8) -> Duration {
    Duration::from_millis(1_000 + u64::from(random) * 12)
}

/// The mean of each quarter of the samples.
fn quarters(samples: &[f64]) -> Option<[f64; 4]> {
    let quarter = samples.len() / 4;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    (quarter > 0).then(|| [0, 1, 2, 3].map(|number| mean(&samples[number * quarter..(number + 1) * quarter])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_outage_fits_into_the_shortest_soak() {
        // A stop under load, and a start.
        let restart = Duration::from_secs(3);
        let longest = OUTAGES * pause_of(u8::MAX) + 2 * restart + HELD + FROZEN + LOST;
        assert!(longest <= SHORTEST, "{longest:?}");
    }
}

//! Every limit with its number, its subject and the operations that count against it.

use shared_runtime::{
    http::{
        admission::{ANONYMOUS, PAGES},
        contract::Contract,
    },
    service::Service,
    state::{
        bounds::{self, ADDRESS_FACTOR},
        rate_limit::LimitClass,
    },
};

use super::{
    kept,
    markdown::{code, codes, table},
};

const INTRODUCTION: &str = "\
# Limits

Requests per UTC minute for each subject. `RATE_LIMITS=name=number,…` changes them. A source address is an IPv4
address or an IPv6 /64.

";
const AT_THE_SAME_TIME: &str = "
## At the same time

What one grant, or an address without a token, may have in progress in one process. More is 429 `too_much_at_once`
with `wait`. A request is in progress until the client has taken its answer. A body or an answer counts by its bytes
if it has more than 64 KiB; an upload of bytes is not kept in memory. A call that a page or a tool makes is part of
its request, and a download counts to the grant that made its link.

";
const BOUNDS_HEAD: [&str; 4] = ["counted", "of a grant", "of an address", "if you reach it"];

const HEAD: [&str; 5] = ["limit", "a minute", "services", "subject", "operations"];
/// A row with more operations gives their number.
const NAMED: usize = 4;

#[derive(PartialEq, Eq)]
struct Limit {
    name: &'static str,
    per_minute: u32,
    subject: String,
}

struct Row {
    limit: Limit,
    services: Vec<&'static str>,
    operations: Vec<&'static str>,
}

pub fn page(services: &[Service]) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for service in services {
        let routes = service.routes();
        for class in routes.limits() {
            let charged: Vec<_> = routes.contracts().filter(|contract| charges(contract, class)).collect();
            let limit = Limit { name: class.name, per_minute: class.per_minute, subject: subject(class, &charged) };
            let row = match rows.iter().position(|row| row.limit == limit) {
                Some(at) => &mut rows[at],
                None => rows.push_mut(Row { limit, services: Vec::new(), operations: Vec::new() }),
            };
            row.services.push(service.surface.name);
            for contract in charged {
                if !row.operations.contains(&contract.id) {
                    row.operations.push(contract.id);
                }
            }
        }
    }
    let is_common = |row: &Row| row.services.len() == services.len();
    rows.sort_by_key(|row| !is_common(row));
    let cells = rows.iter().map(|row| {
        let services = if is_common(row) { "all".to_owned() } else { row.services.join(", ") };
        let Limit { name, per_minute, subject } = &row.limit;
        vec![code(name), per_minute.to_string(), services, subject.clone(), operations(row)]
    });
    let bounds = bounds::TABLE.iter().map(|row| {
        let (of_grant, of_address) = (row.of_grant, row.of_grant * ADDRESS_FACTOR);
        vec![row.counted.to_owned(), of_grant.to_string(), of_address.to_string(), row.advice.to_owned()]
    });
    let (limits, bounds) = (table(&HEAD, cells), table(&BOUNDS_HEAD, bounds));
    format!("{INTRODUCTION}{limits}{AT_THE_SAME_TIME}{bounds}{}", kept::section())
}

fn charges(contract: &Contract, class: &LimitClass) -> bool {
    contract.limit == class || contract.also_charged.contains(&class)
}

fn subject(class: &LimitClass, charged: &[&Contract]) -> String {
    if *class == PAGES {
        return "grant of the session, else source address".to_owned();
    }
    if charged.iter().any(|contract| contract.also_charged.contains(&class)) {
        return format!("{} and source address", class.name);
    }
    let is_protected = |contract: &&Contract| contract.required().is_some();
    let subject = if charged.iter().any(is_protected) { "grant" } else { "source address" };
    subject.to_owned()
}

fn operations(row: &Row) -> String {
    match row.limit.name {
        name if name == ANONYMOUS.name => "requests without a valid token, before their 401".to_owned(),
        name if name == PAGES.name => "pages; the operations that a page runs count too".to_owned(),
        _ if row.operations.len() > NAMED => format!("{} operations", row.operations.len()),
        _ => codes(row.operations.iter().copied()),
    }
}

//! A file of orders in the format of an export, with ids that are spread like random ones.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Result;

pub fn id(number: u64) -> String {
    // Multiplication by an odd number is reversible, so ids are unique.
    format!("ord_{:032x}", u128::from(number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

/// Writes a file with this many orders. Returns its path and size.
pub fn write(folder: &Path, orders: u64, owner: impl Fn(u64) -> String) -> Result<(PathBuf, u64)> {
    let path = folder.join(format!("orders-{orders}.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    for number in 0..orders {
        let (owner, id, second) = (owner(number), id(number), number % 60);
        let (minute, hour) = (number / 60 % 60, number / 3600 % 24);
        let at =
            |step: u64| format!("2026-10-{:02}T{hour:02}:{minute:02}:{second:02}.{step:06}Z", 1 + number / 86_400 % 28);
        writeln!(
            file,
            r#"{{"owner":"{owner}","order":{{"schema":"service/order/v1","id":"{id}","number":"B-{number}","state":"completed","version":5,"currency":"GBP","amounts":{{"subtotal_minor":5900,"discount_minor":500,"tax_minor":1080,"total_minor":6480,"paid_minor":6480,"refunded_minor":0,"due_minor":0}},"lines":[{{"sku":"room-s","name":"Small room, one month","quantity":2,"unit_minor":2500,"total_minor":5000}},{{"sku":"setup","name":"Setting up","quantity":1,"unit_minor":900,"total_minor":900}}],"payment":{{"method":"card","status":"paid","reference":"pi_{number}"}},"subscription_id":null,"room_id":null,"placed_at":"{0}","updated_at":"{4}","completed_at":"{4}","cancelled_at":null,"timeline":[{{"state":"placed","at":"{0}"}},{{"state":"awaiting_payment","at":"{1}"}},{{"state":"paid","at":"{2}"}},{{"state":"provisioning","at":"{3}"}},{{"state":"completed","at":"{4}"}}]}}}}"#,
            at(0),
            at(1),
            at(2),
            at(3),
            at(4),
        )?;
    }
    file.flush()?;
    Ok((path.clone(), path.metadata()?.len()))
}

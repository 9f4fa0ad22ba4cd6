//! Reading and verifying a receipt never panics. An accepted receipt is written as the same bytes. Only the receipts of the one checkpoint
//! that the log of `corpus/` has signed prove anything.

use trust_log::tlog::{Policy, Receipt, VerifierKey, verify_receipt};

const LOG_KEY: &str = "trust.example/log+f4694ff6+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";
const WITNESS_KEY: &str = "witness.example/w1+ea2ad007+BNYvAWoe/R5P33k+tCzYRHHhup8M8E0Sh7XMcfYWKHy4";
const ENTRIES: [&str; 3] = [r#"{"entry":0}"#, r#"{"entry":1}"#, r#"{"entry":2}"#];
const ROOT: &str = "Egt+ioAUtpjsqvtjTItSUB+Vtq5GrYNEnaO61wDeb6A=";

pub fn run(bytes: &[u8]) {
    let Ok(receipt) = Receipt::parse(bytes) else { return };
    assert_eq!(receipt.to_string().as_bytes(), bytes);
    let [log, witness]: [VerifierKey; 2] = [LOG_KEY, WITNESS_KEY].map(|key| key.parse().expect("a key"));
    for needed in [0, 1] {
        let policy = Policy::new(log.clone(), vec![witness.clone()], needed).expect("a policy");
        for (index, entry) in (0..).zip(ENTRIES) {
            if let Ok(proven) = verify_receipt(&receipt, entry.as_bytes(), &policy) {
                assert_eq!((proven.index, proven.checkpoint.size()), (index, 3));
                assert_eq!(proven.checkpoint.root().to_string(), ROOT);
                assert!(proven.cosigned.len() >= needed);
            }
        }
    }
}

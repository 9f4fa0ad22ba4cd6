//! The key of the log, which never changes.

use shared_runtime::base::signing_key::KeyFile;
use shared_testing::Stage;
use trust_svc::log::key;

use crate::log_reader::LogReader;

#[shared_testing::test]
async fn a_log_is_named_after_its_url_and_starts_empty() {
    let stage = Stage::of(trust_svc::service()).await;
    let reader = LogReader::of(&stage).await;
    let checkpoint = reader.checkpoint().await;
    let base_url = stage.base_url().strip_prefix("http://").expect("a URL");
    assert_eq!(checkpoint.origin(), format!("{base_url}/wp-json/service-trust/v1/log"));
    assert_eq!(checkpoint.origin(), reader.key.name().as_str());
    assert_eq!((checkpoint.size(), checkpoint.root()), (0, trust_log::merkle::EMPTY_ROOT));
}

#[shared_testing::test]
async fn the_key_that_a_service_makes_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::of(trust_svc::service()).await;
    let Some(KeyFile::Generated(path)) = stage.context.settings.log_signing_key.clone() else {
        panic!("no key is kept")
    };
    assert_eq!(std::fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    let again = key::signer(&stage.context).expect("the same");
    assert_eq!(again.verifier_key(), &LogReader::of(&stage).await.key);
}

#[shared_testing::test]
async fn another_key_is_refused_at_start() {
    let stage = Stage::of(trust_svc::service()).await;
    let Some(KeyFile::Generated(path)) = stage.context.settings.log_signing_key.clone() else {
        panic!("no key is kept")
    };
    std::fs::remove_file(&path).expect("removed");
    let refused = key::signer_at_start(&stage.context).await.err().expect("none is made for a log that has one");
    assert!(refused.to_string().contains("LOG_SIGNING_KEY: "), "{refused}");
    KeyFile::Generated(path).read_or_make().expect("another");
    let refused = key::signer_at_start(&stage.context).await.err().expect("another");
    assert!(refused.to_string().contains("the key of the log in"), "{refused}");
}

//! `GET /v1/service` and the developer manifest.

use cloud_svc::service;
use shared_runtime::settings::IssuerSettings;
use shared_testing::{Stage, Text, run};

#[test]
fn the_service_tells_what_it_is() {
    run(async {
        let stage = Stage::of(service()).await;
        let told = stage.anyone().get("/v1/service").await.status(200);
        insta::assert_json_snapshot!(told.redacted());
    });
}

#[test]
fn the_manifest_leads_to_everything() {
    run(async {
        let stage = Stage::of(service()).await;
        let service = stage.anyone().get("/v1/service").await.status(200);
        let manifest = service["developer_manifest"].text();
        let path = manifest.strip_prefix(service["api"].text()).expect("a link to the service itself");
        let told = stage.anyone().get(path).await.status(200);
        insta::assert_json_snapshot!(told.redacted());
    });
}

#[test]
fn every_link_is_https_even_where_the_issuer_is_not() {
    run(async {
        let local = |issuer: &mut IssuerSettings| "http://127.0.0.1:8080".clone_into(&mut issuer.issuer);
        let stage = Stage::of(service())
            .settings(|settings| {
                "http://cloud.test".clone_into(&mut settings.base_url);
                settings.issuer.iter_mut().for_each(local);
            })
            .await;
        let told = stage.anyone().get("/v1/service").await.status(200);
        assert_eq!(told["api"], "https://cloud.test");
        assert_eq!(told["authentication"]["identity_authority"], "https://127.0.0.1:8080");
        assert_eq!(told["authentication"]["delegated_oauth_ready"], false);
    });
}

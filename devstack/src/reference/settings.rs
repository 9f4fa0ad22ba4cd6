//! Every setting with its default, as the help text of the services describes it.

use shared_runtime::{context::settings::DescribedSetting, service::Service};

use super::markdown::{code, names, table};

const INTRODUCTION: &str = "\
# Settings

Environment variables, or options of the same names (`--listen-addr`). `SERVICE` stands for the name of the
service. `.env.example` says more about each.

";

pub fn page(services: &[Service]) -> String {
    let used: Vec<Vec<DescribedSetting>> = services.iter().map(Service::described_settings).collect();
    let mut all: Vec<&DescribedSetting> = Vec::new();
    for setting in used.iter().flatten() {
        if !all.contains(&setting) {
            all.push(setting);
        }
    }
    let rows = all.iter().map(|&setting| {
        let is_used = |service: &Service| service.described_settings().contains(setting);
        let default = setting.default.as_deref().unwrap_or("none");
        let default = default.strip_prefix("default: ").or_else(|| default.strip_prefix("default ")).unwrap_or(default);
        let secret = if setting.is_secret { "yes" } else { "" };
        vec![
            code(&setting.name),
            names(services, is_used),
            default.to_owned(),
            secret.to_owned(),
            setting.about.clone(),
        ]
    });
    format!("{INTRODUCTION}{}", table(&["setting", "services", "default", "secret", "what it is"], rows))
}

//! How pasted commands get tokens and bodies. They come from files in the data folder, or inline when that folder is in
//! a container.

use crate::{
    data_folder::DataFolder,
    error::StackError,
    issuer,
    samples::trust::ReadyBody,
    service_name::ServiceName,
    shell::{self, quoted},
    stack_file::StackFile,
};

pub enum Paste<'a> {
    /// On the machine that has the data folder.
    InFolder(&'a DataFolder),
    /// In the folder of docker-compose.yml; the data folder is inside a container.
    BesideContainers,
}

impl Paste<'_> {
    /// Options for curl that send a token.
    pub fn header(&self, service: ServiceName, token: &str) -> Result<String, StackError> {
        let header = format!("Authorization: Bearer {token}");
        match self {
            Self::InFolder(folder) => {
                // A file keeps the command short and the token out of the process list.
                let path = folder.write(&format!("auth/{}", service.as_str()), &format!("{header}\n"))?;
                Ok(format!("-H @{}", quoted(&path.display().to_string())))
            }
            Self::BesideContainers => Ok(format!("-H {}", quoted(&header))),
        }
    }

    /// Argument of `curl -d` for the prepared publish body.
    pub fn body(&self, publish: &ReadyBody) -> String {
        match self {
            Self::InFolder(_) => format!("@{}", quoted(&publish.file.display().to_string())),
            Self::BesideContainers => quoted(&publish.text),
        }
    }

    pub fn trust_program(&self) -> &'static str {
        match self {
            Self::InFolder(_) => "cargo run -q -p trust-svc --",
            Self::BesideContainers => "docker compose exec -T trust trust-svc",
        }
    }

    /// Path of the authority's certificate, for `--cacert`.
    pub fn authority(&self, stack_file: &StackFile) -> String {
        match self {
            Self::InFolder(_) => quoted(&stack_file.certificate_authority_file.display().to_string()),
            Self::BesideContainers => format!("<(curl -s {}{})", stack_file.issuer.url, issuer::AUTHORITY_PATH),
        }
    }

    /// Path of `stack.json`, if it is on this machine.
    pub fn data(&self) -> Option<String> {
        match self {
            Self::InFolder(folder) => Some(folder.path("stack.json").display().to_string()),
            Self::BesideContainers => None,
        }
    }

    /// A command that sets addresses and tokens as shell variables.
    pub fn shell(&self) -> String {
        match self {
            Self::InFolder(folder) => format!(". {}", quoted(&folder.path(shell::FILE).display().to_string())),
            Self::BesideContainers => r#"eval "$(docker compose exec -T stack devstack env)""#.to_owned(),
        }
    }
}

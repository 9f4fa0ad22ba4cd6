//! What a line of the banner gives to curl, and how: from files beside the stack, or within the line where the stack's files are
//! in a container.

use crate::{
    error::StackError,
    home::Home,
    issuer,
    manifest::Manifest,
    samples::trust::ReadyBody,
    shell::{self, quoted},
    surfaces::SurfaceName,
};

/// Where the lines are pasted.
pub enum Paste<'a> {
    /// On the machine that has this folder.
    InFolder(&'a Home),
    /// In the folder of docker-compose.yml.
    BesideContainers,
}

impl Paste<'_> {
    /// A token for curl. From a file it keeps the lines short and the token out of the list of processes.
    pub fn header(&self, surface: SurfaceName, token: &str) -> Result<String, StackError> {
        let header = format!("Authorization: Bearer {token}");
        match self {
            Self::InFolder(home) => {
                let path = home.write(&format!("auth/{}", surface.as_str()), &format!("{header}\n"))?;
                Ok(format!("-H @{}", quoted(&path.display().to_string())))
            }
            Self::BesideContainers => Ok(format!("-H {}", quoted(&header))),
        }
    }

    /// The body that waits to be published.
    pub fn body(&self, publish: &ReadyBody) -> String {
        match self {
            Self::InFolder(_) => format!("@{}", quoted(&publish.file.display().to_string())),
            Self::BesideContainers => quoted(&publish.text),
        }
    }

    /// Runs the trust service's program.
    pub fn trust_program(&self) -> &'static str {
        match self {
            Self::InFolder(_) => "cargo run -q -p trust-svc --",
            Self::BesideContainers => "docker compose exec -T trust trust-svc",
        }
    }

    /// The file with the authority of the services' certificates.
    pub fn authority(&self, manifest: &Manifest) -> String {
        match self {
            Self::InFolder(_) => quoted(&manifest.certificate_authority_file.display().to_string()),
            Self::BesideContainers => format!("<(curl -s {}{})", manifest.issuer.url, issuer::AUTHORITY_PATH),
        }
    }

    /// The file that says where everything is.
    pub fn data(&self) -> Option<String> {
        match self {
            Self::InFolder(home) => Some(home.path("stack.json").display().to_string()),
            Self::BesideContainers => None,
        }
    }

    /// Has a shell know addresses and tokens.
    pub fn shell(&self) -> String {
        match self {
            Self::InFolder(home) => format!(". {}", quoted(&home.path(shell::FILE).display().to_string())),
            Self::BesideContainers => r#"eval "$(docker compose exec -T stack devstack env)""#.to_owned(),
        }
    }
}

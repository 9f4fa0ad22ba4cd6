//! The key that signs receipts of decisions.

use cloud_receipts::signer::Signer;
use ed25519_dalek::SigningKey;
use shared_model::Secret;
use shared_runtime::{
    Context,
    base::signing_key::KeyFile,
    context::settings::{HEADING, Mistakes, SettingsArguments, SettingsGroup},
};

#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub struct ReceiptKeySettings {
    /// File with the Ed25519 key (PKCS#8 PEM) that signs receipts of decisions, the same for all replicas
    /// [default: derived from SERVICE_SECRET]
    #[arg(long, env, global = true)]
    receipt_signing_key: Option<String>,
}

/// The key in the operator's file.
pub struct ReceiptKey(SigningKey);

impl SettingsGroup for ReceiptKeySettings {
    type Checked = ReceiptKey;

    fn check(self, _: &SettingsArguments, mistakes: &mut Mistakes) -> Option<ReceiptKey> {
        let file = KeyFile::Provided(self.receipt_signing_key?.into());
        mistakes.check("RECEIPT_SIGNING_KEY", file.read()).map(ReceiptKey)
    }
}

pub fn signer(context: &Context) -> Signer {
    let provided = context.settings.groups.get::<ReceiptKey>().map(|ReceiptKey(key)| key.clone());
    // So there is no second secret to make and to keep. Another secret is another key, which is a rotation.
    Signer::new(provided.unwrap_or_else(|| derived(&context.secret)))
}

pub fn derived(secret: &Secret) -> SigningKey {
    // A purpose of its own: no other key of the service follows from this one.
    SigningKey::from_bytes(&secret.tag(&[b"receipts of decisions", b"Ed25519"]))
}

//! A certificate for `localhost` and 127.0.0.1, signed by a local authority that cannot sign for other names.

use std::{path::PathBuf, time::Duration};

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
};
use shared_model::Timestamp;
use time::OffsetDateTime;

use crate::{
    data_folder::DataFolder,
    error::{StackError, cannot},
};

const DAY: Duration = Duration::from_secs(86_400);
// Clients refuse server certificates that are valid for much longer than a year.
const LIFETIME: Duration = Duration::from_secs(365 * 86_400);
// A stack may run for days: renew well before the end, so that the certificate does not expire while in use.
const MARGIN: Duration = Duration::from_secs(30 * 86_400);

const AUTHORITY: &str = "tls/authority.pem";
const CHAIN: &str = "tls/certificate.pem";
const KEY: &str = "tls/key.pem";
const EXPIRES: &str = "tls/expires";

pub struct Certificate {
    /// For clients: the authority that they trust.
    pub authority: PathBuf,
    /// For servers: the certificate chain.
    pub chain: PathBuf,
    pub key: PathBuf,
}

impl Certificate {
    /// Reads the stored certificate; makes a new one if there is none or it expires soon.
    pub fn load_or_make(folder: &DataFolder, now: Timestamp) -> Result<Self, StackError> {
        let expires = folder.read(EXPIRES)?.and_then(|text| Timestamp::parse(text.trim()));
        if expires.is_none_or(|expires| expires < now.plus(MARGIN)) {
            let made = NewCertificate::generate(now).map_err(cannot("make a local certificate"))?;
            folder.write(AUTHORITY, &made.authority)?;
            folder.write(CHAIN, &made.chain)?;
            folder.write(KEY, &made.key)?;
            // Written last: if a start is interrupted, the next one finds no date and makes all files again.
            folder.write(EXPIRES, &format!("{}\n", now.plus(LIFETIME)))?;
        }
        Ok(Self { authority: folder.path(AUTHORITY), chain: folder.path(CHAIN), key: folder.path(KEY) })
    }
}

struct NewCertificate {
    authority: String,
    chain: String,
    key: String,
}

impl NewCertificate {
    fn generate(now: Timestamp) -> Result<Self, rcgen::Error> {
        let mut params = within(CertificateParams::default(), "Fourfold local authority", now);
        // May sign servers, but no further authorities.
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        // If this authority is trusted in a browser, it still cannot sign for other sites.
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: vec![
                GeneralSubtree::DnsName("localhost".to_owned()),
                GeneralSubtree::IpAddress(CidrSubnet::V4([127, 0, 0, 1], [255; 4])),
            ],
            excluded_subtrees: Vec::new(),
        });
        let authority_key = KeyPair::generate()?;
        let authority = params.self_signed(&authority_key)?.pem();
        // The authority's key is not stored: the next certificate gets a new authority. A stolen folder cannot sign
        // more.
        let issuer = Issuer::new(params, authority_key);

        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = within(CertificateParams::new(names)?, "Fourfold on this machine", now);
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate()?;
        let chain = params.signed_by(&key, &issuer)?.pem();
        Ok(Self { authority, chain, key: key.serialize_pem() })
    }
}

fn within(mut params: CertificateParams, name: &str, now: Timestamp) -> CertificateParams {
    let date = |timestamp: Timestamp| {
        OffsetDateTime::from_unix_timestamp(timestamp.seconds()).expect("a year from now is a date")
    };
    // Clocks of containers and virtual machines may lag behind.
    params.not_before = date(now.minus(DAY));
    params.not_after = date(now.plus(LIFETIME));
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

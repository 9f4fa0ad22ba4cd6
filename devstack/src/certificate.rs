//! A certificate for this machine alone: `localhost` and 127.0.0.1, signed by a local authority that can sign no other.

use std::{path::PathBuf, time::Duration};

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
};
use shared_model::Timestamp;
use time::OffsetDateTime;

use crate::{
    error::{StackError, cannot},
    home::Home,
};

const DAY: Duration = Duration::from_secs(86_400);
/// How long a certificate is good for; clients refuse server certificates that promise much more than a year.
const LIFETIME: Duration = Duration::from_secs(365 * 86_400);
/// A stack that starts this shortly before the end makes a new one, so that it does not expire under it.
const MARGIN: Duration = Duration::from_secs(30 * 86_400);

const AUTHORITY: &str = "tls/authority.pem";
const CHAIN: &str = "tls/certificate.pem";
const KEY: &str = "tls/key.pem";
const EXPIRES: &str = "tls/expires";

/// Files of the local certificate.
pub struct Certificate {
    /// What clients trust.
    pub authority: PathBuf,
    /// What the services show.
    pub chain: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

impl Certificate {
    /// The kept certificate; a new one when there is none or it is about to expire.
    pub fn load_or_make(home: &Home, now: Timestamp) -> Result<Self, StackError> {
        let expires = home.read(EXPIRES)?.and_then(|text| Timestamp::parse(text.trim()));
        if expires.is_none_or(|expires| expires < now.plus(MARGIN)) {
            let made = Made::new(now).map_err(cannot("make a local certificate"))?;
            home.write(AUTHORITY, &made.authority)?;
            home.write(CHAIN, &made.chain)?;
            home.write(KEY, &made.key)?;
            // Last, so that a start that was interrupted makes all of it anew.
            home.write(EXPIRES, &format!("{}\n", now.plus(LIFETIME)))?;
        }
        Ok(Self { authority: home.path(AUTHORITY), chain: home.path(CHAIN), key: home.path(KEY) })
    }
}

struct Made {
    authority: String,
    chain: String,
    key: String,
}

impl Made {
    fn new(now: Timestamp) -> Result<Self, rcgen::Error> {
        let mut params = within(CertificateParams::default(), "Fourfold local authority", now);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: vec![
                GeneralSubtree::DnsName("localhost".to_owned()),
                GeneralSubtree::IpAddress(CidrSubnet::V4([127, 0, 0, 1], [255; 4])),
            ],
            excluded_subtrees: Vec::new(),
        });
        let authority_key = KeyPair::generate()?;
        let authority = params.self_signed(&authority_key)?.pem();
        // Nobody needs the authority's key again: the next certificate comes with the next authority.
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
    params.not_before = date(now.minus(DAY));
    params.not_after = date(now.plus(LIFETIME));
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

//! Warnings about the links and hidden characters that a plan adds.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{ContentWarning, Counts, HiddenTextCode, WARNINGS, links};
use crate::{
    content::Content,
    passage::Link,
    preview::{Change, ChangedPlace, PlanWarning, Severity, WarningCode},
};

/// The places with more hidden characters than in `base`, and those with new targets of links; at most 100 of each.
pub fn added_warnings<C: Content>(
    base: &C,
    result: &C,
    changes: &[Change],
    is_known: impl Fn(&str) -> bool,
) -> Vec<PlanWarning> {
    let warning = |code, severity, place: String, detail| PlanWarning {
        code,
        op: operation_at(&place, changes),
        place,
        severity,
        detail,
    };
    // The last change at the place has its final text, so the warning names its operation.
    let characters = added_characters(base, result).into_iter().map(|(code, place)| {
        let severity = match code {
            HiddenTextCode::InvisibleCharacters => Severity::Medium,
            _ => Severity::High,
        };
        warning(WarningCode::HiddenCharactersAdded, severity, place, code.as_str().to_owned())
    });
    let links = targets(result);
    // What is not there is not new, and needs no look at `base`.
    let known = if links.is_empty() { BTreeSet::new() } else { targets(base) };
    // On a host that strangers share, the path says whose page it is. One warning for each domain of a place is enough.
    let new: BTreeSet<_> = links.difference(&known).map(|(place, domain, _)| (place.clone(), domain.clone())).collect();
    let links = new.into_iter().map(|(place, domain)| {
        // The people of the workspace have seen the domains to which it links already.
        let severity = if is_known(&domain) { Severity::Low } else { Severity::High };
        warning(WarningCode::LinkAdded, severity, place, domain)
    });
    [gravest(characters), gravest(links)].concat()
}

/// At most 100 warnings, those of high severity first. Otherwise a hundred harmless ones would hide them.
fn gravest(warnings: impl Iterator<Item = PlanWarning>) -> Vec<PlanWarning> {
    let mut warnings: Vec<PlanWarning> = warnings.collect();
    warnings.sort_by_key(|warning| Reverse(warning.severity));
    warnings.truncate(WARNINGS);
    warnings
}

fn added_characters<C: Content>(base: &C, result: &C) -> Vec<(HiddenTextCode, String)> {
    let Counts(later) = Counts::of_characters(result);
    if later.is_empty() {
        return Vec::new();
    }
    let Counts(before) = Counts::of_characters(base);
    // The total must grow too: text that only moved to another part has added nothing.
    let total = |counts: &BTreeMap<_, ContentWarning>, code| {
        counts.values().filter(|warning| warning.code == code).map(|warning| warning.count).sum::<usize>()
    };
    let codes = HiddenTextCode::ALL.iter().map(|(_, code)| *code);
    let more: Vec<_> = codes.filter(|code| total(&later, *code) > total(&before, *code)).collect();
    let is_more = |(key, warning): &(&_, &ContentWarning)| {
        more.contains(&warning.code) && warning.count > before.get(*key).map_or(0, |before| before.count)
    };
    later.iter().filter(is_more).map(|(_, warning)| (warning.code, warning.block_id.clone())).collect()
}

/// Each place with a domain to which it links, and the whole target.
fn targets(content: &impl Content) -> BTreeSet<(String, String, String)> {
    let of_link = |Link { place, target, .. }: Link<'_>| {
        let (place, target) = (place.to_string(), target.into_owned());
        links::domains(&target).into_iter().map(move |domain| (place.clone(), domain, target.clone()))
    };
    content.links().into_iter().flat_map(of_link).collect()
}

fn operation_at(place: &str, changes: &[Change]) -> Option<usize> {
    let is_at = |change: &&Change| {
        let ChangedPlace { block_id, sheet, cell, page_id, slide_id, element_id, member, .. } = &change.place;
        let id = element_id.as_ref().or(block_id.as_ref()).or(page_id.as_ref()).or(slide_id.as_ref());
        let cell = sheet.as_ref().zip(cell.as_ref()).map(|(sheet, cell)| format!("{sheet}!{cell}"));
        id.map(|id| id.as_str()).or(cell.as_deref()).or(member.as_deref()) == Some(place)
    };
    changes.iter().rfind(is_at).map(|change| change.op)
}

//! Proposals over several files.

use shared_runtime::{pages::Table, translations};

#[rustfmt::skip]
pub const TABLE: Table = translations! {
    // On other pages
    "Belongs to" => "Gehört zu",
    "a proposal over several files" => "einem Vorschlag für mehrere Dateien",
    "decided with its proposal" => "wird mit seinem Vorschlag entschieden",
    "This plan is decided together with the others of its proposal, on {page}." =>
        "Über diesen Plan wird zusammen mit den anderen seines Vorschlags entschieden, auf {page}.",
    "the page of the proposal" => "der Seite des Vorschlags",
    "It was applied together with others: undo all of them on {page}." =>
        "Er wurde zusammen mit anderen angewendet: Machen Sie alle auf {page} rückgängig.",
    "Decide on the page of the proposal" => "Auf der Seite des Vorschlags entscheiden",

    // Lists
    "Proposals" => "Vorschläge",
    "All proposals" => "Alle Vorschläge",
    "Open proposals" => "Offene Vorschläge",
    "The title of a proposal" => "Der Titel eines Vorschlags",
    "by {author}" => "von {author}",
    "Nobody has made a proposal over several files yet." =>
        "Noch niemand hat einen Vorschlag für mehrere Dateien gemacht.",

    // What it is
    "Proposal: {title}" => "Vorschlag: {title}",
    "Proposal" => "Vorschlag",
    "Undone" => "Rückgängig gemacht",
    "Stale: files have changed since" => "Veraltet: Dateien haben sich seitdem geändert",
    "All of them change together, or none does." => "Alle ändern sich zusammen, oder keine.",
    "What a proposal says and would write" => "Was ein Vorschlag sagt und schreiben würde",
    "Why" => "Warum",
    "A file of the proposal is gone, or its folder is in the trash." =>
        "Eine Datei des Vorschlags ist weg, oder ihr Ordner ist im Papierkorb.",
    "{file} is in the trash." => "{file} ist im Papierkorb.",
    "Take the file out of the trash. Otherwise the proposal can only be discarded, by its author." =>
        "Holen Sie die Datei aus dem Papierkorb. Sonst kann der Vorschlag nur noch vom Autor verworfen werden.",
    "This proposal was not applied in time." => "Dieser Vorschlag wurde nicht rechtzeitig angewendet.",
    "These files have changed since their plans were made:" =>
        "Diese Dateien haben sich geändert, seit ihre Pläne entstanden:",
    "SHA-256 of all plans" => "SHA-256 aller Pläne",

    // Its plans
    "The changes do not fit on this page." => "Die Änderungen passen nicht auf diese Seite.",
    "The first {shown} of {n} changes are shown." => "Die ersten {shown} von {n} Änderungen werden gezeigt.",
    "Read all of them on the page of the plan" => "Alle auf der Seite des Plans lesen",

    // Decisions
    "Some changes or warnings are only on the pages of their plans. Read them there first." =>
        "Einige Änderungen oder Warnungen stehen nur auf den Seiten ihrer Pläne. Lesen Sie sie zuerst dort.",
    "Apply to all files" => "Auf alle Dateien anwenden",
    "Discard the proposal with its plans" => "Den Vorschlag mit seinen Plänen verwerfen",
    "Update to the current files" => "An die aktuellen Dateien anpassen",
    "The same edits can be proposed for the files as they are now, if they still fit." =>
        "Dieselben Änderungen können für die jetzigen Dateien vorgeschlagen werden, wenn sie noch passen.",
    "Then all of them wait for a review again." => "Danach warten sie alle wieder auf eine Prüfung.",
    "All files get their earlier content again, unless one of them has changed since." =>
        "Alle Dateien bekommen ihren früheren Inhalt zurück, außer wenn sich eine von ihnen seitdem geändert hat.",
    "You have made this proposal: somebody else has to approve it." =>
        "Sie haben diesen Vorschlag gemacht: Jemand anders muss ihn genehmigen.",
    "The proposal waits for somebody who may approve plans." =>
        "Der Vorschlag wartet auf jemanden, der Pläne genehmigen darf.",
    "Somebody with write access can apply it." => "Jemand mit Schreibrecht kann ihn anwenden.",
    "Its author can discard the proposal and propose the edits again." =>
        "Wer den Vorschlag gemacht hat, kann ihn verwerfen und die Änderungen neu vorschlagen.",
    "A reviewer can reject it." => "Wer prüft, kann ihn ablehnen.",
    "You can restore the earlier version of each file on its own page." =>
        "Auf der Seite jeder Datei können Sie ihre frühere Version zurückholen.",
    "You may read this proposal, but not change it." => "Sie dürfen diesen Vorschlag lesen, aber nicht ändern.",
};

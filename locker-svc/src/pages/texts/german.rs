//! German. People are addressed as "Sie".

use shared_runtime::{pages::Table, translations};

#[rustfmt::skip]
pub const TABLE: Table = translations! {
    "Rooms" => "Räume",
    "Your rooms" => "Ihre Räume",
    "You have no room." => "Sie haben keinen Raum.",
    "Exports" => "Exporte",
    "Your exports" => "Ihre Exporte",
    "No export of a room of yours has been made." => "Von Ihren Räumen gibt es noch keinen Export.",
    "Model" => "Modell",
    "None yet" => "Noch keines",
    "State" => "Zustand",
    "Since" => "Seit",
    "Room" => "Raum",
    "Export" => "Export",
    "Size" => "Größe",
    "Made" => "Erstellt",
    "Path" => "Pfad",
    "Export {file}" => "Export {file}",
    "Can be downloaded until" => "Kann heruntergeladen werden bis",
    "It is being built. Load this page again in a while." =>
        "Er wird gerade erstellt. Laden Sie diese Seite bald noch einmal.",
    "Its build has failed. Ask the operator for another one." =>
        "Er ist gescheitert. Bitten Sie den Betreiber um einen neuen.",
    "It has expired. Ask the operator for another one." =>
        "Seine Zeit ist vorbei. Bitten Sie den Betreiber um einen neuen.",
    "The operator has revoked it." => "Der Betreiber hat ihn widerrufen.",
    "Part" => "Teil",
    "Parts" => "Teile",
    "SHA-256" => "SHA-256",
    "The parts of the export" => "Die Teile des Exports",
    "Pages of the parts" => "Seiten der Teile",
    "Next parts" => "Nächste Teile",
    "Join the parts in order: the result is {file}." =>
        "Fügen Sie die Teile der Reihe nach zusammen: Das Ergebnis ist {file}.",
    "Together they have {size} and the SHA-256 {hash}." => "Zusammen haben sie {size} und den SHA-256 {hash}.",
    "A signed manifest names the same hashes: {manifest}." =>
        "Ein signiertes Manifest nennt dieselben Hashes: {manifest}.",
    "Being set up" => "Wird eingerichtet",
    "In use" => "In Gebrauch",
    "Stopped" => "Angehalten",
    "Closed" => "Geschlossen",
    "Being built" => "Wird erstellt",
    "Ready" => "Fertig",
    "Failed" => "Gescheitert",
    "Expired" => "Abgelaufen",
    "Revoked" => "Widerrufen",
};

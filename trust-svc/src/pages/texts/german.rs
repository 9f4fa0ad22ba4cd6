//! German. People are addressed as "Sie".

use shared_runtime::{pages::Table, translations};

#[rustfmt::skip]
pub const TABLE: Table = translations! {
    "Log" => "Protokoll",
    "The log" => "Das Protokoll",
    "Signed market events, published once and in order. Entries are appended and never changed, and anyone can \
         check that." =>
        "Signierte Ereignisse von Märkten, einmal und der Reihe nach veröffentlicht. Einträge werden angehängt und \
         nie geändert. Jeder kann das prüfen.",
    "Entries" => "Einträge",
    "Root hash" => "Wurzel-Hash",
    "Name" => "Name",
    "Key" => "Schlüssel",
    "Witnesses" => "Zeugen",
    "A checkpoint is shown when {n} of these have cosigned it:" =>
        "Ein Prüfpunkt wird gezeigt, wenn {n} von diesen ihn mit signiert haben:",
    "Checkpoint" => "Prüfpunkt",
    "The signed checkpoint" => "Der signierte Prüfpunkt",
    "The name, the size and the root of the log, signed by the log. It may be a little older than the numbers above." =>
        "Name, Größe und Wurzel des Protokolls, von ihm signiert. Er kann etwas älter sein als die Zahlen oben.",
    "Not enough witnesses have cosigned a checkpoint yet." =>
        "Noch haben nicht genug Zeugen einen Prüfpunkt mit signiert.",
    "Newest events" => "Neueste Ereignisse",
    "No events have been published yet." => "Es wurden noch keine Ereignisse veröffentlicht.",
    "Check it yourself" => "Prüfen Sie es selbst",
    "Save the key above when you begin to rely on the log. With it you need not trust anything else on this page." =>
        "Speichern Sie den Schlüssel oben, wenn Sie anfangen, sich auf das Protokoll zu verlassen. Mit ihm müssen \
         Sie sonst nichts auf dieser Seite vertrauen.",
    "This command reads all entries, computes every hash, checks every signature and saves the checkpoint." =>
        "Dieser Befehl liest alle Einträge, berechnet jeden Hash, prüft jede Signatur und speichert den Prüfpunkt.",
    "Next time, add {option} and write to another file:" =>
        "Nehmen Sie nächstes Mal {option} dazu und schreiben Sie in eine andere Datei:",
    "Audit the log" => "Das Protokoll prüfen",
    "This command reads only the checkpoint:" => "Dieser Befehl liest nur den Prüfpunkt:",
    "Read the checkpoint" => "Den Prüfpunkt lesen",
    "Last self-check" => "Letzte Selbstprüfung",
    "Intact." => "Unversehrt.",
    "The service computed the tree, the events and the signers again from the entries. They agree for the first \
         {size} entries. Last done: {time}." =>
        "Der Dienst hat den Baum, die Ereignisse und die Unterzeichner noch einmal aus den Einträgen berechnet. Sie \
         stimmen für die ersten {size} Einträge überein. Zuletzt: {time}.",
    "Damaged." => "Beschädigt.",
    "The service found stored data that does not follow from the entries." =>
        "Der Dienst hat gespeicherte Daten gefunden, die nicht aus den Einträgen folgen.",
    "It accepts no more events. Found: {time}." => "Er nimmt keine Ereignisse mehr an. Gefunden: {time}.",
    "Find an event" => "Ein Ereignis finden",
    "By its hash or the hash's first digits, by its id, or by the id of its market." =>
        "Nach seinem Hash oder dessen ersten Ziffern, seiner Nummer oder der Nummer seines Marktes.",
    "Find" => "Finden",
    "Found events" => "Gefundene Ereignisse",
    "That is neither a hash nor the id of an event or a market." =>
        "Das ist kein Hash und keine Nummer eines Ereignisses oder Marktes.",
    "The log does not have this event." => "Das Protokoll hat kein solches Ereignis.",
    "Event" => "Ereignis",
    "Event {id}" => "Ereignis {id}",
    "The events" => "Die Ereignisse",
    "The event" => "Das Ereignis",
    "State" => "Zustand",
    "Revision" => "Fassung",
    "Published" => "Veröffentlicht",
    "Hash" => "Hash",
    "Market" => "Markt",
    "State of the market after the event" => "Zustand des Marktes nach dem Ereignis",
    "Signer" => "Unterzeichner",
    "Signature" => "Signatur",
    "Written by their signers." => "Von ihren Unterzeichnern geschrieben.",
    "The titles were not written by this service." => "Die Titel sind nicht von diesem Dienst.",
    "Written by its signer." => "Von seinem Unterzeichner geschrieben.",
    "Nothing in it was written by this service." => "Nichts darin ist von diesem Dienst.",
    "What the event says" => "Was das Ereignis sagt",
    "Warnings about the event" => "Warnungen zum Ereignis",
    "Check carefully." => "Sehen Sie zweimal hin.",
    "The event has characters that are invisible, or that change the direction of text: {n}." =>
        "Das Ereignis hat Zeichen, die unsichtbar sind oder die Richtung des Textes ändern: {n}.",
    "They are shown as escapes, such as {escape}." => "Sie stehen hier als Umschreibung, etwa {escape}.",
    "Proof" => "Beweis",
    "Verified." => "Bewiesen.",
    "The server computed the root {root} from the event as entry {index} and the inclusion path below (hashes: {hashes})." =>
        "Der Server hat aus dem Ereignis als Eintrag {index} und dem Pfad unten (Hashes: {hashes}) die Wurzel \
         {root} berechnet.",
    "It is the root of the log {log} with {size} entries, and the log's signature of that root is valid." =>
        "Es ist die Wurzel des Protokolls {log} mit {size} Einträgen, und dessen Signatur dieser Wurzel ist gültig.",
    "Not verified:" => "Nicht bewiesen:",
    "Do not rely on this event." => "Verlassen Sie sich nicht auf dieses Ereignis.",
    "Signed." => "Signiert.",
    "The event has the hash above, and the signature is valid for the key of the signer {signer}." =>
        "Das Ereignis hat den Hash oben, und die Signatur ist gültig für den Schlüssel des Unterzeichners {signer}.",
    "The signature is not valid:" => "Die Signatur ist nicht gültig:",
    "Step by step" => "Schritt für Schritt",
    "SHA-256 of a zero byte and the entry is {hash}. It is entry {index}, counted from 0." =>
        "SHA-256 eines Null-Bytes und des Eintrags ist {hash}. Es ist Eintrag {index}, von 0 gezählt.",
    "With {hash} before it: {result}" => "Mit {hash} davor: {result}",
    "With {hash} after it: {result}" => "Mit {hash} dahinter: {result}",
    "This is the root of the log with {size} entries, which the checkpoint names: {root}" =>
        "Das ist die Wurzel des Protokolls mit {size} Einträgen, die der Prüfpunkt nennt: {root}",
    "This is not the root of the log with {size} entries, which the checkpoint names: {root}" =>
        "Das ist nicht die Wurzel des Protokolls mit {size} Einträgen, die der Prüfpunkt nennt: {root}",
    "A step is SHA-256 of a byte 1 and the two hashes (RFC 9162, 2.1.3.2)." =>
        "Ein Schritt ist SHA-256 eines Bytes 1 und der zwei Hashes (RFC 9162, 2.1.3.2).",
    "To check the event without trusting this page, use the log's key from a source that you trust:" =>
        "Um das Ereignis zu prüfen, ohne dieser Seite zu vertrauen, nehmen Sie den Schlüssel des Protokolls aus \
         einer Quelle, der Sie vertrauen:",
    "Verify the receipt" => "Die Quittung prüfen",
    "Receipt" => "Quittung",
    "The receipt" => "Die Quittung",
    "The proof as one text. With the event and the log's key it stays valid forever, even without this service." =>
        "Der Beweis als ein Text. Mit dem Ereignis und dem Schlüssel des Protokolls gilt er für immer, auch ohne \
         diesen Dienst.",
};

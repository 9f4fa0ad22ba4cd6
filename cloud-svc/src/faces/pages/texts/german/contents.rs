//! Contents of files, and what people say about them.

use shared_runtime::{pages::Table, translations};

#[rustfmt::skip]
pub const TABLE: Table = translations! {
    // Warnings
    "Warnings about the content" => "Warnungen zum Inhalt",
    "Check carefully:" => "Sehen Sie zweimal hin:",
    "at {place}" => "bei {place}",
    "characters that change the direction of text" => "Zeichen, die die Richtung des Textes ändern",
    "a link whose text hides its target" => "ein Link, dessen Text sein Ziel verbirgt",
    "invisible characters" => "unsichtbare Zeichen",
    "invisible characters that can hide instructions" => "unsichtbare Zeichen, die Anweisungen verbergen können",
    "text that the page does not show" => "Text, den die Seite nicht zeigt",
    "a very long line" => "eine sehr lange Zeile",

    // Texts
    "Pages of the content" => "Seiten des Inhalts",
    "Headings" => "Überschriften",
    "Table of contents" => "Inhaltsverzeichnis",
    "Only the first {n} headings are here." => "Hier sind nur die ersten {n} Überschriften.",
    "(no words)" => "(ohne Wörter)",
    "Annotations" => "Anmerkungen",
    "Annotation:" => "Anmerkung:",
    "Table" => "Tabelle",
    "Pinned" => "Angeheftet",
    "Archived" => "Archiviert",
    "Tags:" => "Schlagwörter:",
    "picture at {place}, not shown:" => "Bild bei {place}, nicht gezeigt:",
    "picture, not shown:" => "Bild, nicht gezeigt:",

    // Sheets, pages and slides
    "Row" => "Zeile",
    "Sheet {n}" => "Blatt {n}",
    "Sheets" => "Blätter",
    "Rows of the sheet" => "Zeilen des Blattes",
    "{n} row" => "{n} Zeile",
    "{n} rows" => "{n} Zeilen",
    "{n} column" => "{n} Spalte",
    "{n} columns" => "{n} Spalten",
    "This workbook has data from another editor, so plans cannot change it." =>
        "Diese Arbeitsmappe hat Daten eines anderen Programms, deshalb können Pläne sie nicht ändern.",
    "Formulas are shown below their values." => "Formeln stehen unter ihren Werten.",
    "Its formulas are too much to calculate for a page, and are shown as written." =>
        "Die Formeln sind für eine Seite zu aufwendig und stehen da, wie sie geschrieben sind.",
    "Page {n}" => "Seite {n}",
    "Text of page {n}" => "Text von Seite {n}",
    "Slide {n}" => "Folie {n}",
    "Text of slide {n}" => "Text von Folie {n}",
    "Speaker notes" => "Notizen zum Vortrag",
    "Notes:" => "Notizen:",

    // Uploads
    "Looks like" => "Sieht aus wie",
    "SHA-256" => "SHA-256",
    "Audio" => "Der Ton",
    "Video" => "Der Film",
    "This browser cannot play it. Download it." => "Dieser Browser kann das nicht abspielen. Laden Sie es herunter.",
    "Read it in the browser" => "Im Browser lesen",
    "It opens in a tab of its own. What it shows is not from this service. If the tab stays empty, download it." =>
        "Es öffnet sich in einem eigenen Tab. Was dort steht, ist nicht von diesem Dienst. Bleibt er leer, laden Sie es herunter.",
    "{width} × {height} pixels" => "{width} × {height} Pixel",
    "This picture is too large to be shown here." => "Dieses Bild ist zu groß, um hier gezeigt zu werden.",
    "This picture cannot be read: it may be incomplete." =>
        "Dieses Bild kann nicht gelesen werden. Vielleicht ist es unvollständig.",
    "Download it to open it elsewhere." => "Laden Sie es herunter, um es anderswo zu öffnen.",
    "Only {n} columns are shown." => "Es werden nur {n} Spalten gezeigt.",
    "The table" => "Die Tabelle",

    // Comments
    "Comments" => "Kommentare",
    "{n} comment" => "{n} Kommentar",
    "{n} comments" => "{n} Kommentare",
    "{n} comment is beside the content." => "{n} Kommentar steht beim Inhalt.",
    "{n} comments are beside the content." => "{n} Kommentare stehen beim Inhalt.",
    "Older comments" => "Ältere Kommentare",
    "Write a comment" => "Einen Kommentar schreiben",
    "Your comment" => "Ihr Kommentar",
    "Comment" => "Kommentieren",
    "Reply" => "Antworten",
    "Your reply" => "Ihre Antwort",
    "Resolve" => "Erledigen",
    "Resolved" => "Erledigt",
    "Reopen" => "Wieder öffnen",
    "Its place is deleted" => "Seine Stelle ist gelöscht",
    "on {place}" => "zu {place}",
    "A plan answers this" => "Ein Plan antwortet darauf",

    // Authors
    "Who wrote this" => "Wer hat das geschrieben?",
    "Who wrote {file}" => "Wer hat {file} geschrieben?",
    "The name of each part" => "Der Name jedes Teils",
    "Line {line}" => "Zeile {line}",
    "Lines {first} to {last}" => "Zeilen {first} bis {last}",
    "Parts and their authors" => "Teile und ihre Autoren",
    "Part" => "Teil",
    "Written by" => "Geschrieben von",
    "Approved by" => "Genehmigt von",
    "When" => "Wann",
    "not known" => "nicht bekannt",
    "with {other}" => "mit {other}",
    "{first} to {last}" => "{first} bis {last}",
    "Pages of the parts" => "Seiten der Teile",
    "Next parts" => "Nächste Teile",

    // Edits
    "Edit {file}" => "{file} bearbeiten",
    "Title" => "Titel",
    "Sheet" => "Blatt",
    "Cells" => "Zellen",
    "Show these" => "Diese zeigen",
    "Others have changed the same parts. Send yours again to replace theirs." =>
        "Andere haben dieselben Stellen geändert. Noch einmal gesendet, ersetzt Ihr Text den ihren.",
    "Others have changed the same cells. Send yours again to replace theirs." =>
        "Andere haben dieselben Zellen geändert. Noch einmal gesendet, ersetzt Ihre Eingabe die ihre.",
    "Others have changed other parts. Send yours again, and both are kept." =>
        "Andere haben andere Stellen geändert. Senden Sie Ihre Änderung noch einmal, dann bleibt beides erhalten.",
    "Cells have moved. What you typed has moved with them." =>
        "Zellen haben sich verschoben. Ihre Eingabe steht darin, wo sie jetzt sind.",
    "Some of what you typed has no certain place any more. Copy it to the right cells." =>
        "Für einen Teil Ihrer Eingabe steht der Platz nicht mehr fest. Übertragen Sie ihn in die richtigen Zellen.",
    "You have typed into other cells too. The preview will include them." =>
        "Sie haben auch in andere Zellen geschrieben. Die Vorschau wird sie enthalten.",
    "See what has changed meanwhile" => "Sehen, was sich inzwischen geändert hat",
    "You see every change before the file changes." => "Sie sehen jede Änderung, bevor sich die Datei ändert.",
    "Preview the changes" => "Vorschau der Änderungen",
};

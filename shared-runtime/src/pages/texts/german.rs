//! German.

use crate::{pages::text::Table, translations};

#[rustfmt::skip]
pub const TABLE: Table = translations! {
    // Around every page
    "Skip to the content" => "Zum Inhalt springen",
    "Site" => "Hauptmenü",
    "Documentation" => "Dokumentation",
    "waiting" => "warten",
    "Signed in as {person}" => "Angemeldet als {person}",
    "Sign out" => "Abmelden",
    "{n} bytes" => "{n} Bytes",

    // Refusals
    "The request is not valid" => "Die Anfrage ist ungültig",
    "You are not signed in" => "Sie sind nicht angemeldet",
    "You may not do this" => "Das dürfen Sie nicht",
    "There is no such page" => "Diese Seite gibt es nicht",
    "This page does not support that method" => "Diese Seite kennt die Methode nicht",
    "It has changed in the meantime" => "Inzwischen hat sich etwas geändert",
    "This is too large" => "Das ist zu groß",
    "Too many requests" => "Zu viele Anfragen",
    "The service cannot do this right now" => "Der Dienst kann das gerade nicht",
    "Something went wrong on our side" => "Bei uns ist etwas schiefgegangen",
    "This was refused" => "Das wurde abgelehnt",
    "It may have been deleted, or you may not have access to it." =>
        "Vielleicht wurde sie gelöscht, oder Sie haben keinen Zugang zu ihr.",
    "Go to the home page" => "Zur Startseite",
    "Request {id}" => "Anfrage {id}",
    "Try again in {seconds} s." => "Versuchen Sie es in {seconds} s noch einmal.",
    "The person who gave you access can allow this. The scope is {scope}." =>
        "Wer Ihnen den Zugang gegeben hat, kann es erlauben. Die Berechtigung heißt {scope}.",
    "Load the page again, then decide." => "Laden Sie die Seite neu und entscheiden Sie dann.",
    "If this happens again, send the request's id to the operator." =>
        "Wenn es wieder vorkommt, schicken Sie dem Betreiber die Nummer der Anfrage.",

    "What you typed" => "Was Sie geschrieben haben",
    "it is not saved. Copy it before you leave this page." =>
        "Es ist nicht gespeichert. Kopieren Sie es, bevor Sie die Seite verlassen.",

    // Sign-in and sign-out
    "Nothing was changed, because your session has ended. Sign in and submit the form again." =>
        "Es wurde nichts geändert, weil Ihre Sitzung zu Ende ist. Melden Sie sich an und senden Sie das Formular noch einmal.",
    "Sign in" => "Anmelden",
    "Sign in again" => "Noch einmal anmelden",
    "You are signed out" => "Sie sind abgemeldet",
    "You are signed out. Sign in to continue." => "Sie sind abgemeldet. Melden Sie sich an, um weiterzumachen.",
    "This ended your session at this service only. On a computer that others use, sign out at your sign-in service, too." =>
        "Damit endet nur Ihre Sitzung bei diesem Dienst. An einem Rechner, den auch andere nutzen, melden Sie sich auch bei \
         Ihrem Anmeldedienst ab.",
    "Nobody can sign in here" => "Hier kann sich niemand anmelden",
    "The operator of this service has not set up a sign-in for people ({setting}). The API works without it." =>
        "Der Betreiber hat keine Anmeldung für Menschen eingerichtet ({setting}). Die API geht ohne sie.",
    "The sign-in cannot be completed" => "Die Anmeldung lässt sich nicht abschließen",
    "It was started in another browser, more than five minutes ago, or is already complete." =>
        "Sie wurde in einem anderen Browser oder vor mehr als fünf Minuten begonnen, oder sie ist schon abgeschlossen.",
    "The sign-in was declined." => "Die Anmeldung wurde abgelehnt.",
    "The sign-in was not confirmed." => "Die Anmeldung wurde nicht bestätigt.",
    "Your session" => "Ihre Sitzung",
    "Signed in as" => "Angemeldet als",
    "Since" => "Seit",
    "Until" => "Bis",
    "Sign out in this browser" => "In diesem Browser abmelden",
    "All your sessions" => "Alle Ihre Sitzungen",
    "Did you sign in on a device that you no longer have? End your sessions at this service in all browsers, this one too." =>
        "Haben Sie sich auf einem Gerät angemeldet, das Sie nicht mehr haben? Beenden Sie Ihre Sitzungen bei diesem Dienst in \
         allen Browsern, auch in diesem.",
    "Then sign out at your sign-in service, which may let that device in again." =>
        "Melden Sie sich danach bei Ihrem Anmeldedienst ab, der das Gerät sonst vielleicht wieder einlässt.",
    "Sign out everywhere" => "Überall abmelden",

    // Said by the script
    "This page is out of date." => "Diese Seite ist veraltet.",
    "Changed by" => "Geändert von",
    "Load it again" => "Neu laden",
    "Keys" => "Tasten",
    "Use these keys" => "Diese Tasten verwenden",
    "Close" => "Schließen",
    "This list" => "Diese Liste",
    "Or drop files and folders anywhere on this page. Large files arrive in parts." =>
        "Oder ziehen Sie Dateien und Ordner auf diese Seite. Große Dateien kommen in Teilen an.",
    "Waiting" => "Wartet",
    "Reading" => "Wird gelesen",
    "Done" => "Fertig",
    "Open" => "Öffnen",
    "Pause" => "Anhalten",
    "Resume" => "Fortsetzen",
    "The connection was lost. Trying again." => "Die Verbindung ist unterbrochen. Neuer Versuch.",
    "Forget" => "Vergessen",
    "Interrupted. Choose the file again to continue:" => "Unterbrochen. Wählen Sie die Datei noch einmal, um fortzufahren:",
    "This browser has computed the same root, and the signature of the log above it is valid." =>
        "Dieser Browser hat dieselbe Wurzel berechnet, und die Signatur des Protokolls über ihr ist gültig.",
    "This browser has computed a different root. Do not rely on this event." =>
        "Dieser Browser kommt zu einer anderen Wurzel. Verlassen Sie sich nicht auf dieses Ereignis.",
    "The signature of the checkpoint is not by the key of the log. Do not rely on this event." =>
        "Die Signatur des Prüfpunkts ist nicht vom Schlüssel des Protokolls. Verlassen Sie sich nicht auf dieses Ereignis.",
};

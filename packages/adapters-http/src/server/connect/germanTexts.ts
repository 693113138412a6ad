import type { Wording } from "./Wording.ts"

export const germanTexts: Wording = {
  choosing: {
    title: (network) => `${network} verbinden`,
    intro: (workspace, network) => `Sie verbinden Konten von ${network} mit ${workspace}.`,
    allowed: (workspace) => `${workspace} darf dann:`,
    chooseOne: "Wählen Sie das Konto, das verbunden werden soll.",
    chooseSome: "Wählen Sie die Konten, die verbunden werden sollen.",
    nothingChosen: "Wählen Sie mindestens ein Konto.",
    submit: "Verbinden"
  },
  features: {
    inbox: "Kommentare und Nachrichten lesen und beantworten",
    publish: "Beiträge veröffentlichen",
    moderate: "Kommentare verbergen und löschen"
  },
  hindrances: {
    page_permission_required:
      "Ihre Rolle auf dieser Seite erlaubt es nicht. Bitten Sie den Besitzer um vollen Zugriff.",
    page_token_missing: "Das Netzwerk hat keinen Zugriff darauf gegeben. Erlauben Sie ihn im Dialog des Netzwerks.",
    account_not_eligible: "Dieses Konto kann nicht verbunden werden: Es muss ein Business- oder Creator-Konto sein."
  },
  connected: {
    title: "Verbunden",
    happened: (network, accounts) =>
      accounts > 1 ? `Ihre Konten bei ${network} sind verbunden:` : `Ihr Konto bei ${network} ist verbunden:`,
    remedy: "Sie können dieses Fenster schließen."
  },
  waiting: {
    title: "Einen Augenblick",
    happened: "Das Netzwerk wird nach Ihren Konten gefragt.",
    remedy: "Diese Seite geht von selbst weiter. Schließen Sie sie nicht."
  },
  failures: {
    denied: {
      title: "Nicht verbunden",
      happened: "Sie haben die Verbindung nicht erlaubt, oder das Netzwerk hat sie nicht erlaubt.",
      remedy:
        "Versuchen Sie es noch einmal und erlauben Sie alles, wonach gefragt wird. Eine App, die noch in Entwicklung ist, " +
        "lässt nur Personen zu, die eine Rolle in ihr haben."
    },
    code_expired: {
      title: "Nicht verbunden",
      happened: "Die Antwort des Netzwerks war nicht mehr gültig.",
      remedy: "Versuchen Sie es noch einmal, und lassen Sie die Seiten des Netzwerks nicht lange offen."
    },
    provider_error: {
      title: "Nicht verbunden",
      happened: "Das Netzwerk hat mit einem Fehler geantwortet, oder gar nicht.",
      remedy: "Versuchen Sie es in einigen Minuten noch einmal."
    },
    no_pages: {
      title: "Keine Seite gefunden",
      happened: "Es gibt keine Seite, die Sie verwalten, oder Sie haben keine davon erlaubt.",
      remedy:
        "Versuchen Sie es noch einmal und wählen Sie Ihre Seiten im Dialog des Netzwerks, oder melden Sie sich als jemand " +
        "an, der eine verwaltet."
    },
    page_permission_required: {
      title: "Nicht verbunden",
      happened: "Ihre Rolle auf der Seite erlaubt nicht, wonach gefragt wurde.",
      remedy: "Bitten Sie den Besitzer der Seite um vollen Zugriff, und versuchen Sie es noch einmal."
    },
    account_not_eligible: {
      title: "Nicht verbunden",
      happened: "Das Netzwerk gibt keinen Zugriff auf dieses Konto.",
      remedy:
        "Machen Sie es zu einem Business- oder Creator-Konto, oder melden Sie sich mit einem anderen Konto an, und " +
        "versuchen Sie es noch einmal."
    },
    account_mismatch: {
      title: "Ein anderes Konto",
      happened:
        "Sie haben sich mit einem anderen Konto angemeldet als dem, das neu verbunden werden soll. Nichts wurde geändert.",
      remedy: "Melden Sie sich beim Netzwerk mit dem richtigen Konto an, und versuchen Sie es noch einmal."
    },
    account_of_other_user: {
      title: "Schon verbunden",
      happened: "Dieses Konto ist schon verbunden, für jemand anderen. Nichts wurde geändert.",
      remedy: "Fragen Sie dort nach, woher Sie den Link haben."
    },
    missing_scopes: {
      title: "Verbunden, mit weniger Rechten als gefragt",
      happened: "Das Konto ist verbunden, aber nicht alle Rechte wurden erlaubt: Manches wird nicht gehen.",
      remedy: "Verbinden Sie es noch einmal und erlauben Sie alles, wonach gefragt wird."
    }
  },
  troubles: {
    link_unknown: {
      title: "Diesen Link gibt es nicht",
      happened: "Unter dieser Adresse gibt es nichts zu verbinden.",
      remedy: "Prüfen Sie, ob sie vollständig ist, oder bitten Sie dort um einen neuen Link, woher Sie ihn haben."
    },
    link_expired: {
      title: "Dieser Link ist abgelaufen",
      happened: "Er galt 30 Minuten.",
      remedy: "Bitten Sie dort um einen neuen Link, woher Sie diesen haben."
    },
    state_invalid: {
      title: "Hier geht es nicht weiter",
      happened:
        "Die Seite wurde in einem anderen Browser, zu spät oder ein zweites Mal geöffnet. Nichts wurde verbunden.",
      remedy: "Öffnen Sie den Link, den Sie bekommen haben, noch einmal in diesem Browser, und erlauben Sie Cookies."
    },
    deletion_unknown: {
      title: "Unbekannter Code",
      happened: "Es gibt keinen Antrag auf Löschung mit diesem Code.",
      remedy: "Prüfen Sie, ob die Adresse vollständig ist."
    },
    too_many: {
      title: "Zu viele Anfragen",
      happened: "Von Ihrer Adresse kamen zu viele ungültige Anfragen.",
      remedy: "Warten Sie eine Minute, und versuchen Sie es noch einmal."
    },
    too_large: {
      title: "Zu groß",
      happened: "Das gesendete Formular ist zu groß. Nichts wurde verbunden.",
      remedy: "Gehen Sie zurück, und versuchen Sie es noch einmal."
    },
    unavailable: {
      title: "Zurzeit nicht verfügbar",
      happened: "Der Dienst kann im Augenblick nicht fortfahren. Nichts ist verloren.",
      remedy: "Laden Sie diese Seite in einigen Sekunden neu."
    }
  },
  deletion: {
    title: "Löschung Ihrer Daten",
    underWay: "Ihr Antrag wird bearbeitet. Diese Seite sagt, wann alles gelöscht ist.",
    done: "Alles, was von Ihnen gespeichert war, ist gelöscht.",
    requestedAt: "Beantragt",
    completedAt: "Gelöscht",
    code: "Code"
  },
  tryAgain: "Noch einmal versuchen",
  reference: "Kennung",
  locale: "de-DE"
}

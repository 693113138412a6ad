import type { AccountsMessages } from "../english/accounts.ts"

export const germanAccounts: AccountsMessages = {
  accounts: "Verbundene Konten",
  emptyHeading: "Noch kein Konto ist verbunden",
  emptyText: "Verbinden Sie eines, und was Menschen ihm schreiben, kommt im Posteingang an.",
  connect: "Konto verbinden",
  connectTo: "Verbinden",
  reconnect: "Neu verbinden",
  continueAtNetwork: "Weiter beim Netzwerk",
  check: "Jetzt prüfen",
  disconnect: "Trennen",
  disconnectHeading: "Dieses Konto trennen?",
  disconnectText:
    "Von ihm kommt nichts mehr. Seine Unterhaltungen verschwinden aus dem Posteingang; sie kommen zurück, wenn es innerhalb von 7 Tagen wieder verbunden wird.",
  statuses: { ok: "Läuft", degraded: "Braucht Aufmerksamkeit", broken: "Läuft nicht", disconnected: "Getrennt" },
  since: (time) => `Seit ${time}`,
  retried: (time) => `neuer Versuch ${time}`,
  lastWebhook: (time) => `Letzter Webhook ${time}`,
  noWebhook: "Noch kein Webhook",
  lastPoll: (time) => `letzte Abfrage ${time}`,
  noPoll: "noch nicht abgefragt",
  neverHeard: "Noch nichts gehört",
  search: "Konto finden",
  noneFound: "Kein Konto hat diese Wörter.",
  more: "Mehr zeigen",
  ownGroup: "Eigene des Arbeitsbereichs",
  userGroup: "Verwalteter Nutzer",
  owner: "Für welchen verwalteten Nutzer",
  ownerHint: "Ihre Kennung des Kunden, dem es gehören wird. Leer: der Arbeitsbereich selbst.",
  returnDone: "Das Konto ist verbunden.",
  returnDenied:
    "Es wurde nicht verbunden: Beim Netzwerk wurde abgelehnt. Versuchen Sie es wieder, wenn es gewünscht ist.",
  returnFailed: "Es wurde nicht verbunden.",
  otherReason: "Das Netzwerk nannte keinen Grund, der hier bekannt ist. Versuchen Sie es noch einmal.",
  reasons: {
    denied: "Beim Netzwerk wurde abgelehnt.",
    code_expired: "Es hat zu lange gedauert. Beginnen Sie von vorn.",
    provider_error: "Das Netzwerk hatte einen Fehler. Versuchen Sie es in einigen Minuten noch einmal.",
    no_pages: "Die Person hat keine Seite. Legen Sie eine an, oder melden Sie sich als jemand an, der eine hat.",
    page_permission_required: "Die Person darf diese Seite nicht verwalten. Bitten Sie den Inhaber um die Rechte.",
    account_not_eligible:
      "Nur professionelle Konten lassen sich verbinden. Ändern Sie zuerst die Art des Kontos beim Netzwerk.",
    account_mismatch:
      "Es wurde ein anderes Konto gewählt als das, das neu verbunden werden soll. Melden Sie sich mit jenem an.",
    account_of_other_user: "Das Konto gehört einem anderen verwalteten Nutzer. Trennen Sie es zuerst dort.",
    missing_scopes:
      "Nicht alle Berechtigungen wurden erteilt, also geht manches nicht. Verbinden Sie neu und erlauben Sie alle."
  },
  notSetUp: "Diese Liste ist nicht eingerichtet",
  notSetUpText: "Sie braucht base-url und getToken: siehe README von @loopbox/elements."
}

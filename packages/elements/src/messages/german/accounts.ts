import { type AccountsMessages, namesOf } from "../english/accounts.ts"

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
  problems: {
    reconnect_required: {
      message: (network) =>
        `${network} nimmt das Token dieses Kontos nicht mehr an, oder es gehört einem anderen Konto.`,
      remedy: "Verbinden Sie das Konto neu."
    },
    missing_scopes: {
      message: (_network, missing) =>
        `Berechtigungen, um die gebeten wurde, wurden nicht erteilt oder wieder entzogen${namesOf(missing)}.`,
      remedy: "Verbinden Sie das Konto neu; sein Inhaber muss alle Berechtigungen erlauben."
    },
    webhook_not_subscribed: {
      message: (network) =>
        `Die Webhooks des Kontos sind bei ${network} nicht abonniert: Neues kommt nur durch Abfragen, also später.`,
      remedy:
        "Es wird von selbst wieder versucht. Bleibt es so, prüfen Sie, ob die Person, die das Konto verbunden hat, es noch verwalten darf, und ob die App beim Netzwerk Webhooks und deren Berechtigungen hat."
    },
    webhook_quiet: {
      message: (network) => `Abfragen fanden Neues, das kein Webhook von ${network} gebracht hat.`,
      remedy:
        "Prüfen Sie, ob die Webhook-Adresse der App beim Netzwerk von außen erreichbar ist und ihre Felder abonniert sind; `loopbox doctor --networks` tut das. Eine App im Entwicklungsmodus bekommt keine Webhooks anderer Leute."
    },
    rate_limited: {
      message: (network) => `${network} begrenzt, wie oft dieses Konto abgefragt wird.`,
      remedy: "Es ist nichts zu tun: Es geht von selbst weiter. Webhooks kommen inzwischen an."
    },
    permission_missing: {
      message: (network, missing) =>
        `${network} hat eine Abfrage abgelehnt, weil dem Token dafür eine Berechtigung fehlt${namesOf(missing)}.`,
      remedy:
        "Prüfen Sie, ob die Person, die das Konto verbunden hat, dort noch eine Rolle hat, und verbinden Sie es dann neu mit allen Berechtigungen."
    },
    network_unavailable: {
      message: (network) => `${network} hat bei der letzten Abfrage des Kontos nicht brauchbar geantwortet.`,
      remedy: "Es wird von selbst wieder versucht. Bleibt es so, sehen Sie auf der Statusseite des Netzwerks nach."
    },
    plan_excludes: {
      message: (network) => `Der Tarif des Arbeitsbereichs enthält ${network} nicht; das Konto wird nicht abgefragt.`,
      remedy: "Wählen Sie einen Tarif, der es enthält, oder trennen Sie das Konto."
    },
    expires_soon: {
      message: () => "Das Token des Kontos endet innerhalb von 7 Tagen und lässt sich nicht maschinell erneuern.",
      remedy: "Verbinden Sie das Konto vorher neu."
    }
  },
  notSetUp: "Diese Liste ist nicht eingerichtet",
  notSetUpText: "Sie braucht base-url und getToken: siehe README von @loopbox/elements."
}

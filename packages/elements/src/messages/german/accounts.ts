import type { AccountsMessages } from "../english/accounts.ts"

export const germanAccounts: AccountsMessages = {
  accounts: "Verbundene Konten",
  emptyHeading: "Noch kein Konto ist verbunden",
  emptyText: "Verbinde eines, und was Menschen ihm schreiben, kommt im Posteingang an.",
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
  lastArrival: (time) => `Zuletzt gehört ${time}`,
  neverHeard: "Noch nichts gehört",
  notSetUp: "Diese Liste ist nicht eingerichtet",
  notSetUpText: "Sie braucht base-url und getToken: siehe README von @loopbox/elements."
}

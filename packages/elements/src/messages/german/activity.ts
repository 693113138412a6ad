import type { ActivityMessages } from "../english/activity.ts"

export const germanActivity: ActivityMessages = {
  heading: "Aktivität",
  lead: "Was dieser Host getan hat und was er zu tun hat.",
  hour: "Letzte Stunde",
  day: "Letzter Tag",
  range: "Zeitraum",
  charts: {
    requests: "Anfragen",
    request_seconds: "Dauer einer Anfrage",
    items_in: "Eingegangene Einträge",
    replies: "Antworten nach Ausgang",
    conversions: "Umwandlungen nach Ausgang",
    conversion_seconds: "Dauer einer Umwandlung",
    posts: "Beiträge nach Ausgang",
    overlays: "Töne über Videos, nach Ausgang",
    deliveries: "Zustellungen an Ihre Adressen, nach Ausgang",
    queue_depth: "In Warteschlangen",
    delivery_lag: "Vom Ereignis bis zur ersten Zustellung",
    webhook_lag: "Von den Netzwerken in den Posteingang",
    network_budget: "Verbrauchte Budgets der Netzwerke"
  },
  units: { count: "", seconds: "s", percent: "%" },
  nothing: "Nichts in dieser Zeit.",
  table: "Als Tabelle",
  time: "Zeit",
  empty: "Noch ist nichts geschehen",
  emptyText: "Zehn Sekunden nach dem Start stehen hier die ersten Punkte."
}

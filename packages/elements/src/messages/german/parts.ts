import type { PartMessages } from "../english/parts.ts"

export const germanParts: PartMessages = {
  loading: "Wird geladen …",
  loadingSlowly: "Das dauert länger als sonst.",
  tryAgain: "Noch einmal versuchen",
  close: "Schließen",
  cancel: "Abbrechen",
  requestId: (id) => `Anfrage ${id}`,
  connectionFailed: "Loopbox ist nicht erreichbar. Prüfe die Verbindung; es geht von selbst weiter.",
  timedOut: "Loopbox hat nicht rechtzeitig geantwortet.",
  failedHere: "Auf dieser Seite ist etwas schiefgegangen. Lade sie neu."
}

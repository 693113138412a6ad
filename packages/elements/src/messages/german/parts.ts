import type { PartMessages } from "../english/parts.ts"
import { germanErrors } from "./errors.ts"

export const germanParts: PartMessages = {
  loading: "Wird geladen …",
  loadingSlowly: "Das dauert länger als sonst.",
  tryAgain: "Noch einmal versuchen",
  close: "Schließen",
  cancel: "Abbrechen",
  showAll: (letters) => `Alle ${letters.toLocaleString("de")} Zeichen zeigen`,
  showLess: "Weniger zeigen",
  requestId: (id) => `Anfrage ${id}`,
  connectionFailed: "Loopbox ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es dann noch einmal.",
  timedOut: "Loopbox hat nicht rechtzeitig geantwortet.",
  errors: germanErrors,
  failedHere: "Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu."
}

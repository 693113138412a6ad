import type { ApiErrorCode } from "@loopbox/client"

/** Codes that no operation of the API's description names: of other paths, of operations, and of clients themselves. */
type OtherCode = "EXPIRED" | "FORBIDDEN" | "HEADERS_TOO_LARGE" | "METHOD_NOT_ALLOWED" | "UPGRADE_REQUIRED"

/** The host's sentences are English. One that ends with a colon is followed by the host's own, which says more. */
export const germanErrors: Readonly<Record<ApiErrorCode | OtherCode, string>> = {
  X_REMOTE_ACCEPTED_RECONCILING:
    "Das Netzwerk hat die Antwort; sie kommt von selbst hierher. Senden Sie sie nicht noch einmal.",
  VALIDATION_ERROR: "Eine Angabe stimmt nicht:",
  INBOX_SCOPE_REQUIRED: "Es fehlt, wessen Posteingang gemeint ist.",
  INBOX_SCOPE_INVALID: "So lässt sich kein Posteingang wählen:",
  UNAUTHORIZED: "Die Anmeldung gilt nicht oder nicht mehr.",
  PLAN_FEATURE_NOT_AVAILABLE: "Der Tarif des Arbeitsbereichs enthält das nicht.",
  FORBIDDEN: "Das ist nicht erlaubt.",
  API_KEY_REQUIRED: "Das darf nur ein Server mit einem API-Schlüssel.",
  API_KEY_CREATOR_REQUIRED:
    "Der ganze Arbeitsbereich ist nur mit einem Schlüssel zu sehen, dessen Ersteller Admin oder Inhaber ist.",
  INSUFFICIENT_ROLE: "Das dürfen nur Admins und Inhaber des Arbeitsbereichs.",
  NOT_FOUND: "Das gibt es hier nicht, oder nicht mehr.",
  MANAGED_USER_NOT_FOUND: "Einen solchen verwalteten Nutzer gibt es in diesem Arbeitsbereich nicht.",
  METHOD_NOT_ALLOWED: "Das geht an dieser Adresse nicht.",
  REQUEST_TIMEOUT: "Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.",
  ALREADY_EXISTS: "Das gibt es in diesem Arbeitsbereich schon.",
  NETWORK_NOT_CONFIGURED: "Auf diesem Host ist für das Netzwerk keine App eingerichtet:",
  ENDPOINT_DISABLED: "Die Adresse ist abgeschaltet. Schalten Sie sie zuerst ein.",
  ACCOUNT_DISCONNECTED: "Das Konto ist getrennt. Verbinden Sie es zuerst neu.",
  PUBLIC_URL_REQUIRED:
    "Das Netzwerk kann von der eigenen Adresse dieser Maschine keine Dateien laden. Setzen Sie LOOPBOX_PUBLIC_URL.",
  POST_NOT_EDITABLE: "Dieser Beitrag lässt sich so nicht mehr ändern.",
  POST_ALREADY_PUBLISHING: "Er ist überall schon unterwegs; es ist nichts mehr abzubrechen.",
  TARGET_NOT_RETRYABLE: "Dort ist nichts gescheitert, oder es würde wieder scheitern.",
  ACTION_NOT_AVAILABLE: "Das geht hier gerade nicht:",
  IDEMPOTENCY_KEY_CONFLICT: "Derselbe Idempotency-Key kam schon mit einem anderen Inhalt.",
  X_WRITE_OUTCOME_PENDING:
    "Noch ist nicht bekannt, ob das Netzwerk es hat. Loopbox sieht nach und sendet es nicht zweimal.",
  X_WRITE_NEEDS_RECONCILIATION:
    "Es wurde nicht bekannt, ob das Netzwerk es hat. Sehen Sie dort nach, bevor Sie noch einmal antworten.",
  X_RECONNECT_REQUIRED: "Das Konto muss neu verbunden werden. Es wurde nichts gesendet.",
  PRECONDITION_FAILED: "Die Datei ist inzwischen eine andere.",
  PAYLOAD_TOO_LARGE: "Das ist mehr, als auf einmal gesendet werden darf:",
  UNSUPPORTED_MEDIA_TYPE: "Diese Art von Datei wird hier nicht angenommen:",
  RANGE_NOT_SATISFIABLE: "So weit reicht die Datei nicht.",
  ACCOUNT_CHECK_FAILED: "Das Netzwerk nimmt das Token nicht an. Es wurde nichts gespeichert.",
  PLATFORM_ERROR: "Das Netzwerk hat abgelehnt oder nicht geantwortet:",
  UPGRADE_REQUIRED: "Diese Adresse ist nur für WebSockets.",
  RATE_LIMITED: "Das waren zu viele Anfragen. Warten Sie einen Augenblick.",
  PLATFORM_RATE_LIMITED:
    "Das Netzwerk nimmt vorerst nicht mehr an. Es wurde nichts gesendet; versuchen Sie es später noch einmal.",
  HEADERS_TOO_LARGE: "Die Kopfzeilen der Anfrage sind zu groß.",
  INTERNAL_ERROR: "Im Host ist etwas schiefgegangen. Versuchen Sie es noch einmal.",
  INBOX_SCOPE_LOOKUP_FAILED: "Der Posteingang ließ sich gerade nicht nachschlagen. Versuchen Sie es noch einmal.",
  TEMPORARILY_UNAVAILABLE: "Der Host kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.",
  EXPIRED: "Es wurde zu lange nicht gesendet und ist verfallen.",
  not_found: "Eine solche Umwandlung gibt es in diesem Arbeitsbereich nicht.",
  media_not_found: "Eine solche Datei gibt es in diesem Arbeitsbereich nicht, oder nicht mehr.",
  idempotency_conflict: "Derselbe Idempotency-Key kam schon mit einem anderen Inhalt.",
  input_media_unavailable: "Die Datei ist nicht ganz hochgeladen oder nicht mehr da. Laden Sie sie noch einmal hoch.",
  job_already_ended: "Die Umwandlung ist schon zu Ende; es ist nichts abzubrechen.",
  media_in_use:
    "Eine Umwandlung oder ein Beitrag braucht diese Datei noch. Warten Sie das Ende ab oder brechen Sie ab.",
  media_not_ready: "Die Datei ist noch nicht ganz hochgeladen.",
  upload_already_finished: "Diese Datei ist schon hochgeladen.",
  upload_expired: "Die Adresse zum Hochladen gilt nicht mehr. Beginnen Sie von vorn.",
  validation_error: "Eine Angabe stimmt nicht:",
  gif_media_required: "Wählen Sie das GIF, das umgewandelt werden soll.",
  invalid_background_color: "Die Farbe muss die Form #RRGGBB haben.",
  gif_size_exceeded: "Das GIF ist größer als 50 MB.",
  video_media_id_required: "Wählen Sie das Video.",
  audio_media_id_required: "Wählen Sie die Datei mit dem Ton.",
  video_stream_required: "In der Datei, die das Video sein soll, ist kein bewegtes Bild.",
  audio_stream_required: "In der Datei, die der Ton sein soll, ist keiner.",
  media_size_exceeded: "Eine Datei ist zu groß:",
  media_processing_capacity_exceeded:
    "Der Tarif erlaubt nicht mehr Umwandlungen auf einmal. Warten Sie, bis eine zu Ende ist.",
  gif_conversion_rate_limit_exceeded: "Die Umwandlungen der letzten 24 Stunden sind aufgebraucht:",
  media_processing_unavailable: "Medien lassen sich gerade nicht bearbeiten. Versuchen Sie es gleich noch einmal."
}

import type { MediaMessages } from "../english/media.ts"

export const germanMedia: MediaMessages = {
  heading: "Medien",
  lead: "Legen Sie ein GIF ab; es wird zu einem MP4, das jedes Netzwerk annimmt.",
  drop: "GIF hier ablegen, oder",
  choose: "Datei wählen",
  background: "Hintergrund",
  backgroundHint: "Scheint durch transparente Pixel",
  wrongType: (name) => `${name} ist kein GIF.`,
  uploading: "Wird hochgeladen",
  queued: "In der Warteschlange",
  place: (place) =>
    place === 1 ? "Wartet als Erstes dieses Arbeitsbereichs" : `Wartet als Nummer ${place} dieses Arbeitsbereichs`,
  processing: "Wird umgewandelt",
  succeeded: "Fertig",
  failed: "Fehlgeschlagen",
  cancel: "Abbrechen",
  remove: "Aus der Liste nehmen",
  gif: "GIF",
  video: "Video",
  download: "Herunterladen",
  keptUntil: (when) => `Aufbewahrt bis ${when}`,
  recent: "Umwandlungen",
  empty: "Noch nichts umgewandelt",
  emptyText: "Das erste GIF, das Sie oben ablegen, steht hier neben seinem Video.",
  more: "Ältere zeigen",
  quota: "Umwandlungen der letzten 24 Stunden",
  quotaUsed: (used, limit) => `${used} von ${limit}`,
  quotaReset: (when) => `Eine weitere ab ${when}`,
  failures: {
    gif_dimensions_exceeded: "Das Bild ist größer, als Ihr Tarif erlaubt.",
    gif_frame_count_exceeded: "Es hat mehr Bilder, als Ihr Tarif erlaubt.",
    gif_decode_budget_exceeded: "Seine Bilder zusammen sind mehr, als hier dekodiert werden kann.",
    gif_duration_exceeded: "Es ist länger, als Ihr Tarif erlaubt.",
    gif_probe_failed: "Es ist kein vollständiges GIF: Es endet zu früh, oder seine Teile widersprechen sich.",
    gif_decode_failed: "Seine Bilder lassen sich nicht dekodieren.",
    processing_timeout: "Es hat zu lange gedauert.",
    output_size_exceeded: "Das Video wäre größer, als Netzwerke annehmen.",
    gif_conversion_failed: "Der Encoder ist gescheitert. Versuchen Sie es noch einmal.",
    canceled: "Es wurde abgebrochen."
  }
}

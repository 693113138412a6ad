import type { IssueFacts } from "../PostIssue.ts"

type Value = IssueFacts["actual"]

/** As it is, but numbers as Germans write them. */
const told = (value: Value): string =>
  typeof value === "number" ? value.toLocaleString("de", { maximumFractionDigits: 6 }) : (value ?? "")

/** "0.8 to 1.91", "at least 320". */
const range = (value: Value): string =>
  String(value ?? "")
    .replace("at least ", "mindestens ")
    .replace(" to ", " bis ")
    .replaceAll(/\d+(?:\.\d+)?/g, (number) => told(Number(number)))

const files = (value: Value): string => `${told(value)} ${value === 1 ? "Datei" : "Dateien"}`

/** What a value of an option must be. */
const wanted = (value: Value): string =>
  String(value ?? "")
    .replace(/^one of /, "eines von ")
    .replace("true or false", "true oder false")
    .replace(/^a text of at most (\d+) characters$/, "ein Text mit höchstens $1 Zeichen")
    .replace("an http or https address", "eine Adresse mit http oder https")

const isAltText = ({ path }: IssueFacts): boolean => path.includes("options.alt_texts.")

const nameOf = ({ path }: IssueFacts): string => path.slice(path.lastIndexOf(".") + 1)

const missing = ({ path }: IssueFacts): string => {
  if (path.endsWith("scheduled_at"))
    return "Ein geplanter Beitrag hat eine Zeit. Brechen Sie ihn ab, um ihn zurückzunehmen."
  return path === "targets"
    ? "Ein Beitrag braucht mindestens ein Konto."
    : "Ein Beitrag braucht einen Text oder eine Datei."
}

const tooLong = (facts: IssueFacts): string => {
  const { actual, limit, path } = facts
  if (isAltText(facts)) return `Ein Alternativtext hat ${told(actual)} Zeichen; erlaubt sind höchstens ${told(limit)}.`
  const what = path.endsWith("first_comment") ? "Der erste Kommentar" : "Der Text"
  return `${what} ist ${told(actual)} lang, wie das Netzwerk zählt; erlaubt sind höchstens ${told(limit)}.`
}

const tooMany =
  (what: string) =>
  ({ actual, limit }: IssueFacts): string =>
    `Der Text hat ${told(actual)} ${what}; erlaubt sind höchstens ${told(limit)}.`

/** What is wrong with a post, and what its author should know, by the host's codes. */
export const germanPostIssues: Readonly<Record<string, (facts: IssueFacts) => string>> = {
  missing_required: missing,
  scheduled_too_soon: () => "Die Zeit muss mindestens 60 Sekunden in der Zukunft liegen.",
  scheduled_too_far: () => "Die Zeit darf höchstens 90 Tage in der Zukunft liegen.",
  max_targets_exceeded: ({ limit }) => `Ein Beitrag geht an höchstens ${told(limit)} Konten.`,
  duplicate_target: () => "Ein Konto ist zweimal gewählt.",
  account_not_found: () => "Ein solches Konto gibt es nicht, oder nicht mehr.",
  account_not_connected: () => "Das Konto muss neu verbunden werden.",
  publishing_unsupported: () => "In diesem Netzwerk lässt sich nichts veröffentlichen.",
  missing_scopes: ({ limit }) => `Dem Token des Kontos fehlen Berechtigungen zum Veröffentlichen: ${told(limit)}.`,
  media_not_found: () => "Eine Datei gibt es nicht, oder nicht mehr.",
  media_not_ready: () => "Eine Datei ist noch nicht ganz hochgeladen.",
  media_required: ({ limit }) => `Das Netzwerk braucht dafür mindestens ${files(limit)}.`,
  max_media_exceeded: ({ limit }) => `Das Netzwerk nimmt hier höchstens ${files(limit)}.`,
  mixed_media_unsupported: () => "Das Netzwerk nimmt in einem Beitrag Bilder oder ein Video, nicht beides.",
  gif_conversion_required: () =>
    "Dieses Netzwerk nimmt kein GIF. Machen Sie auf der Seite Medien ein Video daraus, und wählen Sie das.",
  unsupported_format: ({ actual, limit }) =>
    limit === undefined || limit === null
      ? `Das Netzwerk nimmt hier kein ${told(actual)}.`
      : `Das Netzwerk nimmt hier ${told(limit)}, und nicht ${told(actual)}.`,
  file_too_large: ({ actual, limit }) => `Die Datei hat ${told(actual)} Byte; erlaubt sind höchstens ${told(limit)}.`,
  dimensions_out_of_range: ({ actual, limit }) =>
    typeof limit === "number"
      ? `Breite mal Höhe mal Zahl der Bilder ist ${told(actual)}; erlaubt sind höchstens ${told(limit)}.`
      : `Eine Seite des Bildes hat ${told(actual)} Pixel; erlaubt sind ${range(limit)}.`,
  aspect_ratio_unsupported: ({ actual, limit }) =>
    `Breite durch Höhe ist ${told(actual)}; erlaubt sind ${range(limit)}.`,
  duration_out_of_range: ({ actual, limit }) =>
    typeof limit === "number"
      ? `Die Datei hat ${told(actual)} Einzelbilder; erlaubt sind höchstens ${told(limit)}.`
      : `Die Datei dauert ${told(actual)} Millisekunden; erlaubt sind ${range(limit)}.`,
  frame_rate_out_of_range: ({ actual, limit }) =>
    `Die Datei hat ${told(actual)} Bilder in der Sekunde; erlaubt sind ${range(limit)}.`,
  exceeds_max_length: tooLong,
  too_many_hashtags: tooMany("Hashtags"),
  too_many_mentions: tooMany("Erwähnungen"),
  too_many_links: tooMany("Adressen"),
  first_comment_unsupported: () => "Dieses Netzwerk nimmt keinen ersten Kommentar.",
  unknown_option: (facts) =>
    isAltText(facts)
      ? "Ein Alternativtext gehört zu keiner Datei dieses Beitrags."
      : `Die Angabe „${nameOf(facts)}“ kennt das Netzwerk nicht.`,
  invalid_option: (facts) => `Die Angabe „${nameOf(facts)}“ muss etwas anderes sein: ${wanted(facts.limit)}.`,
  link_with_media: () => "Ein Beitrag einer Seite hat eine Adresse oder Dateien, nicht beides.",
  reel_not_vertical: () => "Ein Reel ist ein Video im Hochformat, 9:16.",
  text_ignored: () => "Bei dieser Art von Beitrag zeigt das Netzwerk keinen Text.",
  published_as_reel: () => "Eine Seite veröffentlicht ein Video im Hochformat als Reel.",
  first_comment_failed: () => "Der Beitrag ist veröffentlicht, aber sein erster Kommentar wurde nicht geschrieben.",
  first_comment_unknown: () =>
    "Der Beitrag ist veröffentlicht; ob auch sein erster Kommentar, wurde nicht bekannt. Sehen Sie dort nach; er wird nicht noch einmal gesendet."
}

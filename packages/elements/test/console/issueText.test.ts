import { assert } from "@effect/vitest"
import type { PublishDescription } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { MediaShape } from "@loopbox/core/networks/publishing/Publication"
import { judgePost } from "@loopbox/core/posts/judging/judgePost"
import { DateTime, Option } from "effect"
import { describe, it } from "vitest"
import { issueText } from "../../src/console/posts/issueText.ts"
import { englishPosts } from "../../src/messages/english/posts.ts"
import { germanPosts } from "../../src/messages/german/posts.ts"

const video: MediaShape = {
  mediaId: "a",
  kind: "video",
  contentType: "video/webm",
  sizeBytes: 9_000_000,
  width: Option.some(100),
  height: Option.some(3_000),
  durationMs: Option.some(500),
  frameRate: Option.some(120),
  frames: Option.some(60),
  videoCodec: Option.none(),
  audioCodec: Option.none()
}

/** A network that finds fault with all of it. */
const strict: PublishDescription = {
  rules: [
    {
      kind: "video",
      text: "ignored",
      media: { least: 2, most: 4 },
      isMixed: false,
      video: {
        contentTypes: ["video/mp4", "video/quicktime"],
        maxBytes: 8_388_608,
        width: { least: 320, most: 1_920 },
        ratio: { least: 0.8, most: 1.91 },
        durationMs: { least: 3_000, most: Infinity },
        frameRate: { least: 23, most: 60 },
        maxFrames: 30,
        maxFramePixels: 1_000_000
      }
    }
  ],
  text: { length: 500, hashtags: 1, altText: 3, firstComment: 4 },
  options: [
    { name: "kind", value: { type: "choice", of: ["feed", "reel"] } },
    { name: "share", value: { type: "flag" } },
    { name: "title", value: { type: "text", most: 5 } },
    { name: "link", value: { type: "address" } }
  ],
  fetchesMedia: true,
  measure: (text) => text.length,
  commentSource: Option.none(),
  choose: () => ({ kind: "video", faults: [], warnings: [] })
}

const now = DateTime.makeUnsafe("2026-11-24T09:30:00.000Z")

const { issues, warnings } = judgePost(
  {
    text: Option.some(`#one #two ${"x".repeat(2_490)}`),
    mediaIds: ["a"],
    targets: [
      {
        accountId: "acc",
        text: Option.none(),
        mediaIds: Option.none(),
        firstComment: Option.some("12345"),
        options: {
          values: { kind: "story", share: "maybe", title: "too long", link: "nowhere", mood: "good" },
          altTexts: { a: "1234", b: "" }
        }
      }
    ],
    scheduledAt: Option.some(now),
    isDraft: false
  },
  {
    accounts: new Map([["acc", { isConnected: true, missingScopes: ["write", "read"], publish: Option.some(strict) }]]),
    media: new Map([["a", Option.some(video)]])
  },
  now
)

const shown = (texts: Pick<typeof englishPosts, "issues">) =>
  [
    ...issues.map((one) => ({ ...one, actual: Option.getOrNull(one.actual), limit: Option.getOrNull(one.limit) })),
    ...warnings
  ].map((one) => issueText(one, texts))

describe("what is wrong with a post, in words", () => {
  it("is told in German with its numbers and names, and nothing of the host's English is left", () => {
    assert.deepStrictEqual(shown(germanPosts), [
      "Die Zeit muss mindestens 60 Sekunden in der Zukunft liegen.",
      "Dem Token des Kontos fehlen Berechtigungen zum Veröffentlichen: write, read.",
      "Der Text ist 2.500 lang, wie das Netzwerk zählt; erlaubt sind höchstens 500.",
      "Der Text hat 2 Hashtags; erlaubt sind höchstens 1.",
      "Der erste Kommentar ist 5 lang, wie das Netzwerk zählt; erlaubt sind höchstens 4.",
      "Die Angabe „kind“ muss etwas anderes sein: eines von feed, reel.",
      "Die Angabe „share“ muss etwas anderes sein: true oder false.",
      "Die Angabe „title“ muss etwas anderes sein: ein Text mit höchstens 5 Zeichen.",
      "Die Angabe „link“ muss etwas anderes sein: eine Adresse mit http oder https.",
      "Die Angabe „mood“ kennt das Netzwerk nicht.",
      "Ein Alternativtext hat 4 Zeichen; erlaubt sind höchstens 3.",
      "Ein Alternativtext gehört zu keiner Datei dieses Beitrags.",
      "Das Netzwerk braucht dafür mindestens 2 Dateien.",
      "Das Netzwerk nimmt hier video/mp4, video/quicktime, und nicht video/webm.",
      "Die Datei hat 9.000.000 Byte; erlaubt sind höchstens 8.388.608.",
      "Eine Seite des Bildes hat 100 Pixel; erlaubt sind 320 bis 1.920.",
      "Breite durch Höhe ist 0,03; erlaubt sind 0,8 bis 1,91.",
      "Die Datei hat 60 Einzelbilder; erlaubt sind höchstens 30.",
      "Breite mal Höhe mal Zahl der Bilder ist 18.000.000; erlaubt sind höchstens 1.000.000.",
      "Die Datei dauert 500 Millisekunden; erlaubt sind mindestens 3.000.",
      "Die Datei hat 120 Bilder in der Sekunde; erlaubt sind 23 bis 60.",
      "Bei dieser Art von Beitrag zeigt das Netzwerk keinen Text."
    ])
  })

  it("is told in the host's own words in English, and where a code is not known", () => {
    assert.deepStrictEqual(
      shown(englishPosts),
      [...issues, ...warnings].map(({ message }) => message)
    )
    const newer = { path: "text", code: "code_of_a_newer_host", message: "Said by the host." }
    assert.strictEqual(issueText(newer, germanPosts), "Said by the host.")
  })
})

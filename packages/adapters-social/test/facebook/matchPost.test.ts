import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import { matchPost } from "../../src/facebook/publishing/facebookPosts.ts"

const attemptedAt = DateTime.makeUnsafe("2026-11-20T10:00:00Z")

/** A publication of a photo, with these words. */
const uncertain = (text: string): UncertainPublication => ({
  publication: {
    operationId: "o1",
    kind: "image",
    text,
    media: [],
    options: { values: {}, altTexts: {} }
  },
  preparation: {},
  attemptedAt,
  lastAttemptAt: attemptedAt,
  knownIds: new Set<string>(),
  rivals: []
})

const post = (id: string, change: { text?: string; targets?: ReadonlyArray<string>; appId?: string } = {}) => ({
  id,
  text: change.text ?? "",
  at: Option.some(DateTime.add(attemptedAt, { seconds: 30 })),
  url: Option.none(),
  targets: change.targets ?? [],
  hasVideo: false,
  appId: Option.fromUndefinedOr(change.appId)
})

describe("the post of a publication whose outcome is not known", () => {
  const find = (text: string, posts: ReadonlyArray<ReturnType<typeof post>>) =>
    Option.getOrUndefined(Option.map(matchPost(uncertain(text), ["111"], "app", posts), ({ id }) => id))

  it("is the one that shows its photo", () => {
    assert.strictEqual(find("", [post("ours", { targets: ["111"] }), post("other", { targets: ["900"] })]), "ours")
  })

  it("is none that a person posted by hand, which shows another photo, or has no words either", () => {
    assert.isUndefined(find("", [post("by hand", { targets: ["900"] })]))
    assert.isUndefined(find("", [post("by hand")]))
    assert.isUndefined(find("words", [post("by hand", { text: "words", targets: ["900"] })]))
  })

  it("is the only one with its words, or one without words that our app made", () => {
    assert.strictEqual(find("words", [post("ours", { text: "words" })]), "ours")
    assert.strictEqual(find("", [post("ours", { appId: "app" })]), "ours")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { eventTypes, eventWildcards, isEventPattern, isWanted } from "../../src/outgoing/eventPatterns.ts"

describe("the events that an endpoint names (api-2.md §15)", () => {
  it("are types and the wildcards of their kinds, and no wildcard for all", () => {
    assert.deepStrictEqual(eventWildcards, ["inbox.*", "account.*", "post.*", "webhook_endpoint.*", "media.*"])
    assert.isTrue(isEventPattern("inbox.new_item"))
    assert.isTrue(isEventPattern("post.*"))
    for (const wrong of ["*", "inbox", "inbox.", "inbox.new*", "hello", "INBOX.*", ""]) {
      assert.isFalse(isEventPattern(wrong), wrong)
    }
  })

  it("are all but the ends of media jobs where none is named", () => {
    assert.deepStrictEqual(
      eventTypes.filter((type) => !isWanted(undefined, type)),
      ["media.gif_conversion_ended", "media.audio_overlay_ended"]
    )
  })

  it("are those that are named, and those of a wildcard's kind", () => {
    const wanted = (...patterns: ReadonlyArray<string>) => eventTypes.filter((type) => isWanted(patterns, type))
    assert.deepStrictEqual(wanted("inbox.new_item", "post.failed"), ["inbox.new_item", "post.failed"])
    assert.deepStrictEqual(wanted("account.*"), ["account.connected", "account.attention", "account.disconnected"])
    assert.deepStrictEqual(wanted(), [])
    assert.deepStrictEqual(wanted("media.*", "media.audio_overlay_ended"), ["media.audio_overlay_ended"])
    assert.deepStrictEqual(wanted("media.*"), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { eventVersion, fromIso, fromOldX, fromUnix } from "../../src/payloads/times.ts"
import { postText } from "@loopbox/adapters-social/x/postText"

const iso = (time: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(time, DateTime.formatIso))

describe("times that networks give", () => {
  it("are seconds or milliseconds by their size, also as text", () => {
    assert.strictEqual(iso(fromUnix(1_790_000_000)), "2026-09-21T14:13:20.000Z")
    assert.strictEqual(iso(fromUnix(1_790_000_000_123)), "2026-09-21T14:13:20.123Z")
    assert.strictEqual(iso(fromUnix("1790000000")), "2026-09-21T14:13:20.000Z")
    for (const wrong of [0, -1, Number.NaN, Infinity, 1e300, "", "soon", null, {}]) {
      assert.strictEqual(iso(fromUnix(wrong)), null)
    }
  })

  it("are ISO with Z, with a zone, and with a zone without a colon", () => {
    assert.strictEqual(iso(fromIso("2026-09-21T15:00:00+0000")), "2026-09-21T15:00:00.000Z")
    assert.strictEqual(iso(fromIso("2026-09-21T15:00:00-0730")), "2026-09-21T22:30:00.000Z")
    assert.strictEqual(iso(fromIso("2026-09-21T15:00:00.125Z")), "2026-09-21T15:00:00.125Z")
    for (const wrong of ["2026-09-21", "2026-13-21T15:00:00Z", "2026-09-21T15:00:00", "", "+275760-09-13T00:00:00Z"]) {
      assert.strictEqual(iso(fromIso(wrong)), null, wrong)
    }
  })

  it("are X's old ones", () => {
    assert.strictEqual(iso(fromOldX("Wed Aug 12 18:00:00 +0000 2026")), "2026-08-12T18:00:00.000Z")
    assert.strictEqual(iso(fromOldX("Wed Foo 12 18:00:00 +0000 2026")), null)
  })

  it("order versions by when something happened, then by when it was told", () => {
    const at = (second: number) => DateTime.makeUnsafe(1_790_000_000_000 + second * 1000)
    const told = (second: number) => Option.some(at(second))
    assert.isAbove(eventVersion(at(1), Option.none()), 0)
    assert.isAbove(eventVersion(at(2), told(2)), eventVersion(at(1), told(1_000)))
    assert.isAbove(eventVersion(at(1), told(7_200)), eventVersion(at(1), told(3_600)))
    assert.strictEqual(eventVersion(at(1), told(0)), eventVersion(at(1), Option.none()))
    assert.isTrue(Number.isSafeInteger(eventVersion(DateTime.makeUnsafe("9999-12-31T00:00:00Z"), Option.none())))
  })
})

describe("the text of a post (api.md §3)", () => {
  const link = (url: string, expandedUrl: string, isMedia = false) => ({
    url,
    expandedUrl: Option.some(expandedUrl),
    isMedia
  })

  it("has its entities decoded once", () => {
    assert.strictEqual(postText("a &amp;lt; b &gt; c &quot;", [], []), "a &lt; b > c &quot;")
  })

  it("has its links expanded, each as often as it stands there, and none that only begins alike", () => {
    const links = [
      link("https://t.co/a", "https://example.org/?x=1&amp=2"),
      link("https://t.co/ab", "https://b.example")
    ]
    assert.strictEqual(
      postText("https://t.co/a https://t.co/ab https://t.co/a https://t.co/abc", links, []),
      "https://example.org/?x=1&amp=2 https://b.example https://example.org/?x=1&amp=2 https://t.co/abc"
    )
  })

  it("loses the links at its end that stand for its own media, and none elsewhere", () => {
    const photo = link("https://t.co/p", "https://x.com/kai/status/1/photo/1")
    assert.strictEqual(postText("look https://t.co/p", [photo], []), "look")
    assert.strictEqual(postText("https://t.co/p", [photo], []), "")
    assert.strictEqual(postText("https://t.co/p look", [photo], []), "https://t.co/p look")
    assert.strictEqual(
      postText("look https://t.co/v https://t.co/p", [photo, link("https://t.co/v", "https://x.com/v", true)], []),
      "look"
    )
  })

  it("keeps a link that leads to no http address, and the one of the quoted post, short", () => {
    assert.strictEqual(postText("https://t.co/a", [link("https://t.co/a", "javascript:x")], []), "https://t.co/a")
    const quoted = link("https://t.co/q", "https://twitter.com/kai/status/77")
    assert.strictEqual(postText("see https://t.co/q", [quoted], ["77"]), "see https://t.co/q")
    assert.strictEqual(postText("see https://t.co/q", [quoted], ["78"]), "see https://twitter.com/kai/status/77")
  })
})

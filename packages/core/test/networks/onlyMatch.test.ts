import { assert, describe, it } from "@effect/vitest"
import { noon } from "@loopbox/testing/fixtures/activities"
import { DateTime, Option } from "effect"
import type { PublicationRival, UncertainPublication } from "../../src/networks/publishing/NetworkPublish.ts"
import { onlyMatch, type OwnPost } from "../../src/networks/publishing/onlyMatch.ts"

const at = (seconds: number) => DateTime.add(noon, { seconds })

const uncertain = (rivals: ReadonlyArray<PublicationRival> = []): UncertainPublication => ({
  publication: { kind: "text", text: "Hello", media: [], options: { values: {}, altTexts: {} }, operationId: "m" },
  preparation: null,
  attemptedAt: at(0),
  lastAttemptAt: at(0),
  knownIds: new Set(["known"]),
  rivals
})

const rival = (seconds: number, change: Partial<PublicationRival> = {}): PublicationRival => ({
  operationId: "r",
  text: "Hello",
  isTwin: false,
  attemptedAt: at(seconds),
  lastAttemptAt: at(seconds),
  until: at(seconds + 3_600),
  ...change
})

const post = (id: string, seconds: number, text = "Hello"): OwnPost => ({
  id,
  text,
  at: Option.some(at(seconds)),
  url: Option.none()
})

const found = (posts: ReadonlyArray<OwnPost>, rivals: ReadonlyArray<PublicationRival> = []) =>
  Option.getOrUndefined(Option.map(onlyMatch(uncertain(rivals), posts), ({ id }) => id))

describe("which post of an account is an uncertain publication's (api-2-decided A41, A42)", () => {
  it("is the only one with its words that is not older and not another's", () => {
    assert.strictEqual(found([post("a", 3), post("b", 4, "Other"), post("old", -61), post("known", 5)]), "a")
    assert.strictEqual(found([post("a", -60, " Hello\n")]), "a")
    assert.isUndefined(found([post("a", 3), post("b", 4)]))
    assert.isUndefined(found([]))
  })

  it("is not known where a rival with the same words may have made it", () => {
    assert.isUndefined(found([post("a", 3)], [rival(-5)]))
    assert.isUndefined(found([post("a", 3)], [rival(63)]))
    assert.strictEqual(found([post("a", 3)], [rival(-5, { text: "Other" })]), "a")
  })

  it("is known where every rival began later, or was over long before", () => {
    assert.strictEqual(found([post("a", 3)], [rival(64)]), "a")
    assert.strictEqual(found([post("a", 3), post("b", 100)], [rival(64)]), "a")
    assert.strictEqual(found([post("a", 3)], [rival(-7_200)]), "a")
  })

  it("is told by the order of attempts where exactly as many posts are there as were sent", () => {
    const posts = [post("second", 62), post("first", 1)]
    assert.strictEqual(found(posts, [rival(61)]), "first")
    assert.strictEqual(found([post("first", -50), post("second", 15)], [rival(-61)]), "second")
    assert.isUndefined(found([...posts, post("third", 63)], [rival(61)]))
    // The first call may have taken effect after the second one.
    assert.isUndefined(found([post("a", 3), post("b", 12)], [rival(10)]))
  })

  it("is either of two equal ones, and never the same for both", () => {
    const posts = [post("a", 3), post("b", 3)]
    const [earlier, later] = [rival(-10, { isTwin: true }), rival(10, { isTwin: true })]
    assert.deepStrictEqual([found(posts, [earlier]), found(posts, [later])], ["b", "a"])
    const same = (operationId: string) => rival(0, { isTwin: true, operationId })
    assert.deepStrictEqual([found(posts, [same("a")]), found(posts, [same("z")])], ["b", "a"])
  })
})

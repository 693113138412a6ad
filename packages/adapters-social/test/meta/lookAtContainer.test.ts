import { assert, describe, it } from "@effect/vitest"
import { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { lookAtContainer } from "../../src/meta/publishing/lookAtContainer.ts"

const attemptedAt = DateTime.makeUnsafe("2026-11-20T10:00:00Z")

const uncertain = (kind: Publication["kind"], text: string): UncertainPublication => ({
  publication: { operationId: "o1", kind, text, media: [], options: { values: {}, altTexts: {} } },
  preparation: { container: "c1", children: [], polls: 0 },
  attemptedAt,
  lastAttemptAt: attemptedAt,
  knownIds: new Set<string>(),
  rivals: []
})

const gone = Effect.fail(
  new Rejected({ network: "instagram", networkCode: Option.none(), detail: "no such container", reason: "gone" })
)
const published = Effect.succeed({ status: "PUBLISHED", words: "" })
/** The one post of the account's list that has its words, or has none as it has none. */
const fitting = Effect.succeed(Option.some({ externalId: "p1", url: Option.none(), postIds: ["p1"] }))

describe("a publication whose outcome is not known, and a post that fits", () => {
  const look = (kind: Publication["kind"], text: string, read: typeof gone | typeof published) =>
    Effect.map(
      lookAtContainer(uncertain(kind, text), () => read, fitting),
      ({ _tag }) => _tag
    )

  it.effect("are the same where its container is published, or its words tell it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* look("image", "", published), "Found")
      assert.strictEqual(yield* look("image", "words", published), "Found")
      assert.strictEqual(yield* look("image", "words", gone), "Found")
    })
  )

  it.effect("may be two where its container can't be read: a person may have posted by hand what has no words", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* look("image", " ", gone), "Nothing")
      assert.strictEqual(yield* look("story", "words, which no story has", gone), "Nothing")
    })
  )
})

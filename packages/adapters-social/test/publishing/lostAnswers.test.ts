/** The publishing call goes wrong at the simulated networks: what is known then, and that nothing goes out twice. */
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import type { ApiFault } from "@loopbox/adapters-social/sandbox/faults/ApiFaults"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import { hostedMedia, prepared, publicationOf, uncertainOf, whileTimePasses } from "./driving.ts"
import { accessOf, publishingWorld } from "./world.ts"

const photo = hostedMedia("photo.jpg")
const reel = hostedMedia("reel.mp4")
const clip = hostedMedia("clip.mp4")

interface Case {
  readonly network: Network
  readonly publication: Publication
  /** The name of the operation that publishes. */
  readonly endpoint: string
  /** What a look-up shows a minute after a call that did nothing. */
  readonly unsent: "NotPublished" | "Nothing"
}

const cases: ReadonlyArray<Case> = [
  {
    network: "instagram",
    publication: publicationOf("image", "one", [photo]),
    endpoint: "publish",
    unsent: "NotPublished"
  },
  {
    network: "instagram",
    publication: publicationOf("story", "", [reel]),
    endpoint: "publish",
    unsent: "NotPublished"
  },
  { network: "facebook", publication: publicationOf("text", "one"), endpoint: "create_post", unsent: "Nothing" },
  {
    network: "facebook",
    publication: publicationOf("photos", "", [photo, photo]),
    endpoint: "create_post",
    unsent: "Nothing"
  },
  {
    network: "facebook",
    publication: publicationOf("video", "one", [clip]),
    endpoint: "create_video",
    unsent: "Nothing"
  },
  { network: "threads", publication: publicationOf("text", "one"), endpoint: "publish", unsent: "NotPublished" },
  {
    network: "x",
    publication: publicationOf("text", "see https://a.example/"),
    endpoint: "create_tweet",
    unsent: "Nothing"
  },
  {
    network: "x",
    publication: publicationOf("photos", "", [photo, photo]),
    endpoint: "create_tweet",
    unsent: "Nothing"
  }
]

/** An account at its network, a publication that is ready, and what core would ask. */
const readyFor = Effect.fnUntraced(function* ({ network, publication }: Pick<Case, "network" | "publication">) {
  const { of, sandbox } = yield* publishingWorld()
  const [publish, access] = [of(network), accessOf(network)]
  const preparation = yield* prepared(publish, access, publication)
  const uncertain = yield* uncertainOf(publication, preparation)
  const send = Effect.exit(whileTimePasses(publish.publish(access, publication, preparation)))
  const look = Effect.map(publish.find(access, uncertain), ({ _tag }) => _tag)
  const fault = (one: Omit<ApiFault, "network">) => sandbox.api.faults.set({ network, ...one })
  const posts = () =>
    sandbox.world
      .findAccounts(network)
      .flatMap(sandbox.world.ofAccount)
      .filter(({ kind, sent }) => kind === "post" && Option.isSome(sent)).length
  return { publish, access, preparation, send, look, fault, posts }
})

const failureOf = <A, E extends { readonly _tag: string }>(exit: Exit.Exit<A, E>) =>
  Option.match(Exit.findErrorOption(exit), { onNone: () => "none", onSome: ({ _tag }) => _tag })

describe("a publishing call without an answer", () => {
  for (const one of cases) {
    const { endpoint, network, publication, unsent } = one
    const name = `${network}: ${publication.kind}`
    it.effect(`${name} that went out is found`, () =>
      Effect.gen(function* () {
        const { fault, look, posts, send } = yield* readyFor(one)
        fault({ endpoint, kind: "reset_after", times: 1 })
        assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* look, "Found")
        assert.strictEqual(posts(), 1)
      })
    )

    it.effect(
      `${name} that did not go out is ${unsent === "Nothing" ? "never proven" : "sent again by the same container"}`,
      () =>
        Effect.gen(function* () {
          const { fault, look, posts, send } = yield* readyFor(one)
          fault({ endpoint, kind: "reset", times: 1 })
          assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
          assert.strictEqual(yield* look, "Nothing")
          yield* TestClock.adjust("61 seconds")
          assert.strictEqual(yield* look, unsent)
          assert.strictEqual(posts(), 0)
          if (unsent === "Nothing") return
          assert.isTrue(Exit.isSuccess(yield* send))
          // Somebody sends it a third time: the container is published once.
          assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
          assert.strictEqual(posts(), 1)
        })
    )
  }

  it.effect("two posts with the same words are not told apart, unless one of them is known", () =>
    Effect.gen(function* () {
      const publication = publicationOf("image", "twice", [photo])
      const { access, fault, look, preparation, publish, send } = yield* readyFor({ network: "instagram", publication })
      fault({ endpoint: "publish", kind: "reset_after", times: 1 })
      assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
      const other = yield* prepared(publish, access, publication)
      const known = yield* publish.publish(access, publication, other)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* look, "Nothing")
      const uncertain = yield* uncertainOf(publication, preparation, [known.externalId])
      assert.strictEqual((yield* publish.find(access, uncertain))._tag, "Found")
    })
  )
})

describe("a publishing call that is refused", () => {
  const image = publicationOf("image", "one", [photo])
  const words = publicationOf("text", "one")

  it.effect("is not believed where Instagram calls it spam, for the post may be live", () =>
    Effect.gen(function* () {
      const { fault, look, send } = yield* readyFor({ network: "instagram", publication: image })
      fault({ endpoint: "publish", kind: "refused_after", code: 4, subcode: 2_207_051, times: 1 })
      assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* look, "Found")
    })
  )

  for (const [network, publication, code, subcode] of [
    ["instagram", image, 9007, 2_207_027],
    ["instagram", image, 24, 2_207_008],
    ["instagram", image, 24, 4_279_009],
    ["threads", words, 24, 4_279_009]
  ] as const) {
    it.effect(`${network}: ${code}/${subcode} asks to come back, and the same container goes out`, () =>
      Effect.gen(function* () {
        const { fault, posts, send } = yield* readyFor({ network, publication })
        fault({ endpoint: "publish", kind: "refused", code, subcode, times: 1 })
        assert.strictEqual(failureOf(yield* send), "NotYet")
        assert.isTrue(Exit.isSuccess(yield* send))
        assert.strictEqual(posts(), 1)
      })
    )
  }

  for (const [network, publication, endpoint, code, subcode, expected] of [
    ["instagram", image, "publish", 9, 2_207_042, "RateLimited"],
    ["instagram", image, "publish", 25, 2_207_050, "Rejected"],
    ["instagram", image, "publish", 24, 2_207_006, "AuthExpired"],
    ["instagram", image, "publish", 190, 460, "AuthExpired"],
    ["instagram", image, "publish", 10, undefined, "AuthExpired"],
    ["threads", words, "publish", 100, 4_279_013, "Rejected"],
    ["facebook", words, "create_post", 506, undefined, "Rejected"],
    ["facebook", words, "create_post", 368, undefined, "Rejected"],
    ["facebook", words, "create_post", 1_390_008, undefined, "Rejected"],
    ["facebook", words, "create_post", 1_366_051, undefined, "Rejected"],
    ["facebook", words, "create_post", 1_404_006, undefined, "Rejected"],
    ["facebook", words, "create_post", 80_001, undefined, "RateLimited"],
    ["facebook", words, "create_post", 32, undefined, "RateLimited"],
    ["facebook", words, "create_post", 1, 1_357_046, "OutcomeUnknown"]
  ] as const) {
    it.effect(`${network}: ${code}${subcode === undefined ? "" : `/${subcode}`} is ${expected}`, () =>
      Effect.gen(function* () {
        const { fault, posts, send } = yield* readyFor({ network, publication })
        fault({ endpoint, kind: "refused", code, ...(subcode === undefined ? {} : { subcode }), times: 1 })
        assert.strictEqual(failureOf(yield* send), expected)
        assert.strictEqual(posts(), 0)
      })
    )
  }
})

describe("a reel of a Page", () => {
  const publication = publicationOf("reel", "moving", [reel])

  it.effect("that is told to be published and fails is void, and never called published", () =>
    Effect.gen(function* () {
      const { fault, look, posts, send } = yield* readyFor({ network: "facebook", publication })
      fault({ endpoint: "create_reel", kind: "fails_later", message: "1363128", times: 1 })
      assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
      assert.strictEqual(yield* look, "Void")
      assert.strictEqual(posts(), 0)
    })
  )

  it.effect("whose last call was lost is sent again only while Facebook says that nobody told to publish it", () =>
    Effect.gen(function* () {
      const { fault, look, posts, send } = yield* readyFor({ network: "facebook", publication })
      fault({ endpoint: "create_reel", kind: "reset", times: 1 })
      assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(yield* look, "NotPublished")
      fault({ endpoint: "create_reel", kind: "reset_after", times: 1 })
      assert.strictEqual(failureOf(yield* send), "OutcomeUnknown")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(yield* look, "Found")
      assert.strictEqual(posts(), 1)
    })
  )
})

import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { appsecretProof } from "../src/payloads/signature.ts"
import { connected } from "./loopback.ts"
import type { Answer, Behaviour } from "./loopback.ts"

const access = {
  networkAccountId: "1",
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none(),
  username: Option.none(),
  accessToken: Redacted.make("token-of-the-account")
}

const always =
  (answer: Answer): Behaviour =>
  () =>
    answer

const error = (code: number, error_subcode?: number, more: Readonly<Record<string, unknown>> = {}) => ({
  error: {
    message: "(#0) token-of-the-account said no",
    type: "OAuthException",
    code,
    error_subcode,
    fbtrace_id: "T",
    ...more
  }
})

/** A failure in a word or two. */
const kind = (failed: ReadFailed): string =>
  failed._tag === "RateLimited" ? "RateLimited" : `${failed._tag} ${failed.reason}`

describe("findPerson", () => {
  it.live("reads Instagram's people, the token in the header alone", () =>
    Effect.gen(function* () {
      const body = { name: "Mira", username: "mira.k", profile_pic: "https://cdn.example/m.jpg", id: "55" }
      const { connectors, received } = yield* connected(always({ body }))
      const person = yield* connectorTo(connectors, "instagram").findPerson(access, "ig_dm", "55")
      assert.deepStrictEqual(
        person,
        Option.some({
          id: Option.some("55"),
          name: Option.some("Mira"),
          username: Option.some("mira.k"),
          avatarUrl: Option.some("https://cdn.example/m.jpg")
        })
      )
      assert.strictEqual(received[0]?.path, "/ig/v25.0/55")
      assert.strictEqual(received[0]?.query.toString(), "fields=name%2Cusername%2Cprofile_pic")
      assert.strictEqual(received[0]?.headers.authorization, "Bearer token-of-the-account")
      assert.isUndefined(received[0]?.headers["traceparent"])
    })
  )

  it.live("reads Facebook's people by their kind, with proof that the token is our app's", () =>
    Effect.gen(function* () {
      const metaAppSecrets = [Redacted.make("key"), Redacted.make("older")]
      const { connectors, received } = yield* connected(
        ({ query }) => ({
          body:
            query.get("fields") === "name,picture"
              ? { name: "Ada", picture: { data: { url: "https://cdn.example/c.jpg" } } }
              : { name: "Ada", profile_pic: "https://cdn.example/p.jpg" }
        }),
        { metaAppSecrets, metaApiVersion: "v24.0" }
      )
      const avatar = Effect.fnUntraced(function* (source: "fb_comment" | "fb_dm") {
        const person = yield* connectorTo(connectors, "facebook").findPerson(access, source, "6001")
        return Option.getOrNull(Option.flatMap(person, ({ avatarUrl }) => avatarUrl))
      })
      assert.strictEqual(yield* avatar("fb_dm"), "https://cdn.example/p.jpg")
      assert.strictEqual(yield* avatar("fb_comment"), "https://cdn.example/c.jpg")
      assert.strictEqual(received[0]?.path, "/fb/v24.0/6001")
      assert.strictEqual(
        received[0]?.query.get("appsecret_proof"),
        appsecretProof(Redacted.make("key"), access.accessToken)
      )
    })
  )

  it.live("reads X's people, with the larger picture", () =>
    Effect.gen(function* () {
      const data = { id: "42", name: "Kai", username: "kai", profile_image_url: "https://pbs.twimg.com/1_normal.jpg" }
      const { connectors, received } = yield* connected(always({ body: { data } }))
      const person = yield* connectorTo(connectors, "x").findPerson(access, "x_reply", "42")
      assert.strictEqual(
        Option.getOrNull(Option.flatMap(person, ({ avatarUrl }) => avatarUrl)),
        "https://pbs.twimg.com/1_400x400.jpg"
      )
      assert.strictEqual(received[0]?.path, "/x/2/users/42")
    })
  )

  it.live("knows nobody on Threads, and asks nothing", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(always({}))
      assert.deepStrictEqual(
        yield* connectorTo(connectors, "threads").findPerson(access, "threads_reply", "@ida"),
        Option.none()
      )
      assert.strictEqual(received.length, 0)
    })
  )

  it.live("tells nothing of who is gone, unreachable or did not consent", () =>
    Effect.gen(function* () {
      for (const [code, subcode] of [
        [100, 33],
        [100, 2_534_014],
        [551, undefined],
        [230, undefined]
      ] as const) {
        const { connectors } = yield* connected(always({ status: 400, body: error(code, subcode) }))
        assert.deepStrictEqual(
          yield* connectorTo(connectors, "instagram").findPerson(access, "ig_dm", "55"),
          Option.none()
        )
      }
    }).pipe(Effect.scoped)
  )
})

describe("findThreadKey", () => {
  const chain =
    (parents: Readonly<Record<string, string>>): Behaviour =>
    ({ path }) => {
      const id = path.slice("/fb/v25.0/".length)
      const parent = parents[id]
      if (parent === "gone") return { status: 400, body: error(100, 33) }
      return { body: { id, ...(parent === undefined ? {} : { parent: { id: parent } }) } }
    }
  const thread = { source: "fb_comment", externalId: "9_4", parentExternalId: "9_3" } as const

  it.live("climbs to the top of a Facebook comment's chain", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(chain({ "9_3": "9_2", "9_2": "9_1" }))
      assert.strictEqual(yield* connectorTo(connectors, "facebook").findThreadKey(access, thread), "9_1")
      assert.deepStrictEqual(
        received.map(({ query }) => query.get("fields")),
        ["parent{id}", "parent{id}", "parent{id}"]
      )
    })
  )

  it.live("stays below what is gone, but says so of the parent itself", () =>
    Effect.gen(function* () {
      const above = yield* connected(chain({ "9_3": "9_2", "9_2": "gone" }))
      assert.strictEqual(yield* connectorTo(above.connectors, "facebook").findThreadKey(access, thread), "9_2")
      const itself = yield* connected(chain({ "9_3": "gone" }))
      const failed = yield* Effect.flip(connectorTo(itself.connectors, "facebook").findThreadKey(access, thread))
      assert.strictEqual(kind(failed), "Rejected gone")
    }).pipe(Effect.scoped)
  )

  it.live("ends in a chain that bites its tail", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(chain({ "9_3": "9_2", "9_2": "9_3" }))
      yield* connectorTo(connectors, "facebook").findThreadKey(access, thread)
      assert.strictEqual(received.length, 10)
    })
  )

  it.live("reads an X post's conversation, by its first version where that is the root", () =>
    Effect.gen(function* () {
      const conversation = {
        "7": { conversation_id: "5" },
        "8": { conversation_id: "8", edit_history_tweet_ids: ["6", "8"] }
      }
      const { connectors, received } = yield* connected(({ path }) => {
        const id = path.endsWith("7") ? "7" : "8"
        return { body: { data: { id, ...conversation[id] } } }
      })
      const x = connectorTo(connectors, "x")
      const post = { source: "x_reply", parentExternalId: "5" } as const
      assert.strictEqual(yield* x.findThreadKey(access, { ...post, externalId: "7" }), "5")
      assert.strictEqual(yield* x.findThreadKey(access, { ...post, externalId: "8" }), "6")
      assert.strictEqual(received[0]?.path, "/x/2/tweets/7")
    })
  )

  it.live("takes the parent's id on networks that tell the thread", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(always({}))
      const unsettled = { source: "ig_comment", externalId: "2", parentExternalId: "1" } as const
      assert.strictEqual(yield* connectorTo(connectors, "instagram").findThreadKey(access, unsettled), "1")
      assert.strictEqual(yield* connectorTo(connectors, "threads").findThreadKey(access, unsettled), "1")
    })
  )

  it.live("asks for no id that could lead elsewhere", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(always({}))
      for (const parentExternalId of ["..", "me/accounts", "1?fields=x", "1#", "", "%2e%2e"]) {
        const failed = yield* Effect.flip(
          connectorTo(connectors, "facebook").findThreadKey(access, { ...thread, parentExternalId })
        )
        assert.strictEqual(kind(failed), "Rejected invalid")
        const post = { source: "x_reply", externalId: parentExternalId, parentExternalId: "1" } as const
        assert.strictEqual(
          kind(yield* Effect.flip(connectorTo(connectors, "x").findThreadKey(access, post))),
          "Rejected invalid"
        )
      }
      assert.strictEqual(received.length, 0)
    })
  )
})

/** How reading a Facebook comment's parent fails. */

import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { connected } from "../loopback.ts"
import { accessOf, at, feedOf, graph, graphError, kind, line, newest } from "../meta/graph.ts"
import { replyTo, uncertain } from "../support.ts"

/** Connected by Facebook's login. */
const access: AccountAccess = {
  ...accessOf("1784", "our_account"),
  login: Option.some("facebook"),
  throughAccountId: Option.some("1001")
}
/** Connected by Instagram's own login. */
const direct = accessOf("1785", "our_other_account")

const since = at("2026-01-20T00:00:00Z")

const withoutProof = (text: string): string => text.replace(/[?&]appsecret_proof=[0-9a-f]{64}/, "")

describe("an Instagram account that Facebook's login connected", () => {
  it.live("is read at Facebook's host, in the name of its Page", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "1784/media": { data: [] },
          "1001/conversations": { data: [{ id: "t_1", updated_time: "2026-02-17T10:31:00+0000" }] },
          t_1: { id: "t_1", messages: { data: [] } },
          "179/comments": { data: [] },
          "179": { id: "179", caption: "Hello" },
          "551": { id: "551", username: "reader" }
        }),
        { metaAppSecrets: [Redacted.make("secret of Meta's app")] }
      )
      const instagram = connectorTo(connectors, "instagram")
      yield* instagram.listFeeds(access, "comments", since)
      yield* instagram.listFeeds(access, "messages", since)
      yield* instagram.readFeed(access, feedOf({ step: "messages", source: "ig_dm", id: "t_1" }, "551"), newest)
      yield* instagram.readFeed(access, feedOf({ step: "comments", source: "ig_comment", id: "179" }), newest)
      yield* instagram.findMediaContext(access, "ig_comment", "179")
      yield* instagram.findPerson(access, "ig_dm", "551")
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        [
          "/fb/v25.0/1784/media",
          "/fb/v25.0/1001/conversations",
          "/fb/v25.0/t_1",
          "/fb/v25.0/179/comments",
          "/fb/v25.0/179",
          "/fb/v25.0/551"
        ]
      )
      assert.strictEqual(received[1]?.query.get("platform"), "instagram")
      for (const { headers, query } of received) {
        assert.match(query.get("appsecret_proof") ?? "", /^[0-9a-f]{64}$/)
        assert.strictEqual(headers.authorization, "Bearer token-of-the-account")
      }
    })
  )

  it.live("answers there, and looks there for what became of an answer", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({
          "17/replies": { id: "18", data: [] },
          "1001/messages": { message_id: "mid.1" },
          "1001/conversations": { data: [] }
        })
      )
      const instagram = connectorTo(connectors, "instagram")
      const answer = replyTo("ig_comment", "17", "17")
      const onComment = { ...answer, target: { ...answer.target, linkedPostId: Option.some("9") } }
      yield* instagram.sendReply(access, onComment, Option.none())
      yield* instagram.sendReply(access, replyTo("ig_dm", "mid.0", "551"), Option.none())
      yield* instagram.findReply(access, uncertain(replyTo("ig_dm", "mid.0", "551")))
      assert.deepStrictEqual(
        received.map((one) => withoutProof(line(one)).replace(/\?.*/, "")),
        ["POST /fb/v25.0/17/replies", "POST /fb/v25.0/1001/messages", "GET /fb/v25.0/1001/conversations"]
      )
    })
  )

  it.live("lives beside one of Instagram's own login", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(
        graph({ "me/conversations": { data: [] }, "1001/conversations": { data: [] } })
      )
      const instagram = connectorTo(connectors, "instagram")
      yield* instagram.listFeeds(direct, "messages", since)
      yield* instagram.listFeeds(access, "messages", since)
      yield* instagram.listFeeds(direct, "messages", since)
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        ["/ig/v25.0/me/conversations", "/fb/v25.0/1001/conversations", "/ig/v25.0/me/conversations"]
      )
    })
  )

  it.live("has a token that nobody renews", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(() => ({}))
      const renewed = yield* connectorTo(connectors, "instagram").refreshToken(access, Option.none())
      assert.deepStrictEqual([renewed, received.length], [Option.none(), 0])
    })
  )

  it.live("fails as an account of Instagram, by Facebook's names of permissions", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(graph({ "1784/media": () => graphError(403, 10) }))
      const failed = yield* Effect.flip(connectorTo(connectors, "instagram").listFeeds(access, "comments", since))
      assert.strictEqual(kind(failed), "AuthExpired permission")
      assert.strictEqual(failed.network, "instagram")
      assert.deepStrictEqual(failed._tag === "AuthExpired" ? failed.missingScopes : [], ["instagram_basic"])
    })
  )

  it.live("suffers what Facebook's host suffers, and no other account of Instagram does", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(({ path }) =>
        path.startsWith("/fb/") ? { status: 503, body: "<html>" } : { body: { data: [] } }
      )
      const facebook = connectorTo(connectors, "facebook")
      const instagram = connectorTo(connectors, "instagram")
      for (const id of ["1", "2", "3"]) {
        yield* Effect.flip(facebook.listFeeds(accessOf(id, "page"), "comments", since))
      }
      const failed = yield* Effect.flip(instagram.listFeeds(access, "comments", since))
      assert.deepStrictEqual([kind(failed), failed.network], ["Unavailable circuit_open", "instagram"])
      yield* instagram.listFeeds(direct, "comments", since)
    })
  )
})

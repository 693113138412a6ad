/** Instagram names an account by two ids: one of webhooks, and one that is of the app. */
import { connectorTo, Connectors } from "@loopbox/core/networks/Connectors"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { makeInboxWorkspace, newAccount, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { normaliseMeta } from "@loopbox/adapters-social"
import { connected } from "../loopback.ts"
import { accessOf, at, graph, graphError, line } from "../meta/graph.ts"
import { accounts, sandboxed } from "../sandbox/sandboxed.ts"

const since = at("2026-01-01T00:00:00Z")

/** An inbox with the sandbox's Instagram account, connected without its handle. */
const inboxBeside = Effect.fnUntraced(function* ({ connectors }: Effect.Success<ReturnType<typeof sandboxed>>) {
  const layer = Ingest.layer.pipe(
    Layer.provideMerge(AccountTokens.layer),
    Layer.provideMerge(MemoryAdapters.layer),
    Layer.provideMerge(Layer.succeed(Connectors, connectors)),
    Layer.provideMerge(layerNetworks)
  )
  return yield* Layer.build(layer)
})

const connectInstagram = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const [instagram] = accounts.filter(({ network }) => network === "instagram")
  const { accessToken, accountId: networkAccountId, network } = instagram ?? assert.fail("no account")
  const account = yield* newAccount(workspaceId, { network, networkAccountId })
  const vault = yield* CredentialVault
  const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
  const seal = (accountId: typeof account.id) => vault.seal({ workspaceId, accountId }, credentials)
  yield* (yield* SocialAccounts).connect(account, seal, DateTime.subtract(account.createdAt, { days: 7 }))
  return account
})

/** A webhook with a comment of the account itself and a message to it, under one of its ids. */
const told = (ownId: string) => {
  const changes = [{ field: "comments", value: { id: "c1", text: "Yes", from: { id: ownId }, media: { id: "m1" } } }]
  const message = { sender: { id: "551" }, recipient: { id: ownId }, timestamp: 1_771_323_668_000 }
  const messaging = [{ ...message, message: { mid: "d1", text: "Hi" } }]
  const body = { object: "instagram", entry: [{ id: ownId, time: 1_771_323_668, changes, messaging }] }
  return normaliseMeta({ body: new TextEncoder().encode(JSON.stringify(body)), arrivedAt: since })
}

describe("Instagram: an account has two ids", () => {
  it.effect("webhooks that carry either of them find it, once a network was asked in its name", () =>
    Effect.gen(function* () {
      const world = yield* sandboxed()
      const headers = { authorization: "Bearer token of instagram" }
      const me = yield* Effect.promise(async () => {
        const answer = await world.ask("http://sandbox.example/instagram/v25.0/me?fields=id,user_id", { headers })
        return await answer.json()
      })
      assert.notStrictEqual(me.id, me.user_id)
      yield* Effect.gen(function* () {
        const { id, networkAccountId, workspaceId } = yield* connectInstagram
        assert.strictEqual(networkAccountId, me.user_id)
        const instagram = connectorTo(yield* Connectors, "instagram")
        yield* (yield* AccountTokens).withAccess(workspaceId, id, (access) =>
          instagram.listFeeds(access, "messages", since)
        )
        const ingest = yield* Ingest
        const { activities } = told(me.id)
        const report = yield* ingest.ingest({ activities, deliveryIds: ["1"], isLastTry: false })
        assert.deepStrictEqual([report.unrouted, report.created], [0, 2])
        const query = { ...noFilter, limit: 10, after: Option.none() }
        const { items } = yield* (yield* InboxStore).list(scopeOf(workspaceId), query)
        assert.deepStrictEqual(
          items
            .map((item) => [item.source, item.threadKey, Option.getOrNull(item.authorId), item.isOwn])
            .toSorted((one, other) => String(one).localeCompare(String(other))),
          [
            ["ig_comment", "c1", me.user_id, true],
            ["ig_dm", "551", "551", false]
          ]
        )
      }).pipe(Effect.provideContext(yield* inboxBeside(world)))
    })
  )

  it.live("are told by the network, by the token's own word", () =>
    Effect.gen(function* () {
      const me = { id: "25999", user_id: 1784, username: "our_account" }
      const { connectors, received } = yield* connected(graph({ me }))
      const names = connectorTo(connectors, "instagram").identify?.(accessOf("1784", "our_account"))
      assert.deepStrictEqual(yield* names ?? Effect.die("no such call"), {
        ids: ["1784", "25999"],
        username: Option.some("our_account")
      })
      assert.deepStrictEqual(received.map(line), ["GET /ig/v25.0/me?fields=id,user_id,username"])
    })
  )

  it.live("a conversation in which nobody is known as the account makes no thread under its own id", () =>
    Effect.gen(function* () {
      const nameless = { ...accessOf("1784", "our_account"), username: Option.none<string>() }
      const participants = {
        data: [
          { id: "25999", username: "our_account" },
          { id: "551", username: "reader" }
        ]
      }
      const { connectors } = yield* connected(
        graph({ me: () => graphError(500, 2), "me/conversations": { data: [{ id: "t_1", participants }] } })
      )
      const feeds = yield* connectorTo(connectors, "instagram").listFeeds(nameless, "messages", since)
      assert.deepStrictEqual(feeds, [])
    })
  )
})

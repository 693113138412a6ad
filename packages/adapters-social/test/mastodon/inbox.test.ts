/** A network of somebody else's feeds an inbox and is answered there: by a descriptor and a connector, nothing else. */
import * as FakeMediaLinks from "@loopbox/testing/fakes/FakeMediaLinks"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { noFilter } from "@loopbox/core/inbox/InboxStore"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { Networks, networkTable } from "@loopbox/core/networks/Networks"
import { Replies } from "@loopbox/core/replies/Replies"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import { Sync } from "@loopbox/core/sync/Sync"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { Access } from "@loopbox/core/access/Access"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { socialNetworks } from "../../src/socialNetworks.ts"
import { mastodon } from "./descriptor.ts"
import { makeMastodonConnector } from "./MastodonConnector.ts"
import { mastodonServer, ourId, token } from "./mastodonServer.ts"

/** The five networks: the four that Loopbox brings, and one more line. */
const layerNetworks = Layer.succeed(Networks, networkTable([...socialNetworks, mastodon]))

const layerOf = (url: string) => {
  const connectors = Layer.effect(
    Connectors,
    Effect.map(HttpClient.HttpClient, (client) =>
      Connectors.of({
        normalise: {},
        redact: Option.none(),
        byNetwork: { mastodon: makeMastodonConnector(client, url) }
      })
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))
  const services = Layer.mergeAll(
    Administration.layer({ keyMode: "test" }),
    AccountAdministration.layer,
    InboxAccess.layer,
    Inbox.layer,
    EventFeed.layer,
    Replies.layer,
    Ingest.layer,
    Sync.layer()
  ).pipe(Layer.provideMerge(Layer.mergeAll(AccountTokens.layer, Access.layer)))
  return Layer.mergeAll(
    SyncWorker.layer({ pollEvery: "50 millis" }),
    ReplyWorker.layer({ pollEvery: "50 millis" })
  ).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(Layer.mergeAll(connectors, MemoryAdapters.layer, FakeMediaLinks.layer)),
    Layer.provideMerge(layerNetworks)
  )
}

describe("a fifth network, polled only and text only", () => {
  it.live("feeds an inbox, is listed by its source, and is answered", () =>
    Effect.gen(function* () {
      const server = yield* mastodonServer
      for (const text of ["first", "second", "third"]) server.write("200", text, null)
      yield* Effect.gen(function* () {
        const { id: workspaceId } = yield* (yield* Administration).createWorkspace({
          name: "Acme",
          plan: "basic",
          limits: { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }
        })
        const { account } = yield* (yield* AccountAdministration).connect(workspaceId, {
          network: "mastodon",
          networkAccountId: ourId,
          name: "Acme",
          username: Option.some("acme@example.social"),
          avatarUrl: Option.none(),
          externalUserId: Option.some("customer_1"),
          credentials: { accessToken: Redacted.make(token), refreshToken: Option.none(), expiresAt: Option.none() },
          permissions: []
        })
        const caller = yield* (yield* InboxAccess).enterEmbedded(workspaceId, Option.some("customer_1"))
        const run = yield* (yield* Sync).poll(caller)
        assert.isTrue(run.isCompleted)

        const inbox = yield* Inbox
        const ask = { ...noFilter, source: Option.some("mastodon_reply"), limit: 50, after: Option.none() }
        const { items } = yield* inbox.list(caller, ask)
        assert.deepStrictEqual(
          items.map(({ body }) => body),
          ["third", "second", "first"]
        )
        assert.strictEqual(items[0]?.account.id, account.id)
        assert.deepStrictEqual(items[0]?.authorName, Option.some("Person 200"))
        assert.strictEqual(yield* inbox.countUnread(caller), 3)

        const { item, operation } = yield* (yield* Replies).reply(caller, items[0]?.id ?? "", {
          text: "thank you",
          idempotencyKey: Option.none()
        })
        assert.strictEqual(operation.state._tag, "Completed")
        assert.isTrue(Option.exists(item, ({ body, isOwn }) => isOwn && body === "thank you"))
      }).pipe(Effect.provide(layerOf(server.url)))
    }).pipe(Effect.scoped)
  )
})

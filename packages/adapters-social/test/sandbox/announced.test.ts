/** Instagram at times sends an edit of number 0 instead of a direct message: a poll brings the message. */
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { Connectors } from "@loopbox/core/networks/Connectors"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as WebhookWorker from "@loopbox/core/webhooks/WebhookWorker"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { noon } from "@loopbox/testing/fixtures/activities"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { makeInboxWorkspace, newAccount, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { accounts, sandboxed } from "./sandboxed.ts"

const network = "instagram"
const ours = accounts.find((one) => one.network === network) ?? assert.fail("no account")

/** Lets so many seconds pass, and promises of the sandbox come to their ends. */
const wait = Effect.fnUntraced(function* (seconds: number) {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    for (let turn = 0; turn < 3; turn++) yield* Effect.promise(() => new Promise<void>((done) => setImmediate(done)))
    yield* TestClock.adjust("100 millis")
  }
})

const connectOurs = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const { accessToken, accountId: networkAccountId, username } = ours
  const at = yield* DateTime.now
  const account = yield* newAccount(workspaceId, { network, networkAccountId, username, at })
  const vault = yield* CredentialVault
  const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
  const seal = (accountId: typeof account.id) => vault.seal({ workspaceId, accountId }, credentials)
  yield* (yield* SocialAccounts).connect(account, seal, DateTime.subtract(at, { days: 7 }))
  return workspaceId
})

/** An inbox whose accounts are polled so often by themselves, and are told only what a test hands over. */
const inboxWith = Effect.fnUntraced(function* (every: Option.Option<Duration.Duration>) {
  yield* TestClock.setTime(DateTime.toEpochMillis(noon))
  const { connectors, sandbox } = yield* sandboxed()
  const context = yield* Layer.build(
    Layer.mergeAll(
      SyncWorker.layer({ every, pollEvery: "1 second" }),
      WebhookWorker.layer({ pollEvery: "1 second" })
    ).pipe(
      Layer.provideMerge(Layer.mergeAll(Ingest.layer, Webhooks.layer)),
      Layer.provideMerge(AccountTokens.layer),
      Layer.provideMerge(MemoryAdapters.layer),
      Layer.provideMerge(Layer.succeed(Connectors, connectors)),
      Layer.provideMerge(layerNetworks)
    )
  )
  const workspaceId = yield* Effect.provideContext(connectOurs, context)
  yield* wait(3)
  const webhooks = yield* Effect.provideContext(Effect.service(Webhooks), context)
  const store = yield* Effect.provideContext(Effect.service(InboxStore), context)
  const tell = (...mids: ReadonlyArray<string>) => {
    const messaging = mids.map((mid) => ({ message_edit: { mid, num_edit: 0 } }))
    const body = { object: network, entry: [{ id: ours.accountId, time: 1_790_000_000_000, messaging }] }
    return webhooks.accept("meta", new TextEncoder().encode(JSON.stringify(body)))
  }
  const query = { ...noFilter, limit: 50, after: Option.none() }
  const bodies = Effect.map(store.list(scopeOf(workspaceId), query), ({ items }) =>
    items.map(({ body, editedAt }) => `${body}${Option.isSome(editedAt) ? ", edited" : ""}`)
  )
  const failed = Effect.map(webhooks.listFailed({ limit: 10, after: Option.none() }), ({ items }) => items.length)
  /** The list of posts is at times read in two pages, at one moment. */
  const polls = () =>
    new Set(
      sandbox.api
        .listRequests()
        .flatMap(({ at, path }) => (path.endsWith("/media") ? [DateTime.toEpochMillis(at)] : []))
    ).size
  return { sandbox, webhooks, tell, bodies, failed, polls }
})

describe("Instagram: an edit of number 0 instead of a message", () => {
  for (const [how, every] of [
    ["where accounts are polled by themselves", Option.some(Duration.hours(6))],
    ["where none is", Option.none<Duration.Duration>()]
  ] as const) {
    it.effect(`has the account polled, whose message is there some seconds later, ${how}`, () =>
      Effect.gen(function* () {
        const { bodies, failed, polls, sandbox, tell } = yield* inboxWith(every)
        const before = polls()
        const { id } = yield* sandbox.message({ network, from: "Ada", text: "Do you ship?" }, { times: 0 })
        yield* tell(id)
        yield* wait(2)
        assert.deepStrictEqual([yield* bodies, polls()], [[], before])
        yield* wait(8)
        assert.deepStrictEqual([yield* bodies, polls()], [["Do you ship?"], before + 1])
        // What never comes costs one poll a minute, however often it is announced.
        for (let n = 0; n < 5; n++) {
          yield* tell(`ghost ${n}`)
          yield* wait(8)
        }
        assert.isAtMost(polls(), before + 2)
        yield* wait(60)
        assert.strictEqual(polls(), before + 2)
        assert.deepStrictEqual([yield* bodies, yield* failed], [["Do you ship?"], 0])
      })
    )

    it.effect(`asks nothing where the message came by itself, ${how}`, () =>
      Effect.gen(function* () {
        const { bodies, failed, polls, sandbox, tell, webhooks } = yield* inboxWith(every)
        const before = polls()
        const { id } = yield* sandbox.message({ network, from: "Ada", text: "Do you ship?" }, { times: 0 })
        yield* tell(id)
        yield* wait(1)
        const message = { mid: id, text: "Do you ship?" }
        const messaging = [
          { sender: { id: "551" }, recipient: { id: ours.accountId }, timestamp: 1_790_000_000_000, message }
        ]
        const body = { object: network, entry: [{ id: ours.accountId, time: 1_790_000_000_000, messaging }] }
        yield* webhooks.accept("meta", new TextEncoder().encode(JSON.stringify(body)))
        yield* wait(10)
        yield* tell(id)
        yield* wait(10)
        assert.deepStrictEqual([yield* bodies, polls(), yield* failed], [["Do you ship?"], before, 0])
      })
    )
  }
})

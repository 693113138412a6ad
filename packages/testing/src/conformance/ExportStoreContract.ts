import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ManagedUserScope } from "@loopbox/core/access/InboxScope"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { CurrentActor } from "@loopbox/core/audit/Actor"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { type ExportPage, type ExportQuery, ExportStore } from "@loopbox/core/exporting/ExportStore"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { showEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { nextThreadNoteId } from "@loopbox/core/kernel/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { noon, posted } from "../fixtures/activities.ts"
import { threadOfKey } from "../fixtures/threadFixtures.ts"
import {
  connect,
  ingest,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../fixtures/inboxFixtures.ts"
import { addEndpoint } from "../fixtures/laneFixtures.ts"
import { makeOperation } from "../fixtures/outboundFixtures.ts"
import { makeKeptPost, type PostOptions } from "../fixtures/postFixtures.ts"
import { makeGif, type StorePorts } from "../fixtures/storeFixtures.ts"

/** The ports that the suite needs. */
export type ExportPorts =
  | InboxPorts
  | StorePorts
  | AuditStore
  | ExportStore
  | OutgoingEndpointStore
  | OutboundStore
  | PostStore
  | ThreadStore

type List<A> = (user: ManagedUserScope, query: ExportQuery) => Effect.Effect<ExportPage<A>, StoreUnavailable>

/** All pages of a list. */
const walk = Effect.fnUntraced(function* <A>(list: List<A>, user: ManagedUserScope, limit = 100) {
  const all: Array<A> = []
  let after = Option.none<string>()
  do {
    const page = yield* list(user, { limit, after })
    assert.isAtMost(page.items.length, limit)
    all.push(...page.items)
    after = page.next
  } while (Option.isSome(after))
  return all
})

const idsOf = (all: ReadonlyArray<{ readonly id: string }>) => all.map(({ id }) => id)

const submitReply = Effect.fnUntraced(function* (operation: OutboundOperation) {
  const { accountId, idempotencyKey, itemId, privately, workspaceId } = operation
  const name = { workspaceId, accountId, itemId, idempotencyKey, privately }
  return yield* (yield* OutboundStore).submit(name, () => Result.succeed(operation))
})

const submitPost = Effect.fnUntraced(function* (account: SocialAccount, options: PostOptions) {
  const kept = yield* makeKeptPost(account.workspaceId, [account], noon, options)
  const { idempotencyKey, workspaceId } = kept.post
  return yield* (yield* PostStore).submit({ workspaceId, idempotencyKey }, () => Result.succeed(kept))
})

/** Two users of a workspace with an account each, and one of another workspace with the same id as the first. */
const world = Effect.gen(function* () {
  const [{ id }, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
  return {
    id,
    other: other.id,
    mine: new ManagedUserScope({ workspaceId: id, externalUserId: "u1" }),
    account: yield* connect(id, { owner: "u1", networkAccountId: "a" }),
    theirs: yield* connect(id, { owner: "u2", networkAccountId: "b" }),
    elsewhere: yield* connect(other.id, { owner: "u1", networkAccountId: "a" })
  }
})

/** What every adapter does: what is kept of one managed user, and of nobody else. */
export const exportStoreContract = <E>(adapter: string, stores: Layer.Layer<ExportPorts, E>) =>
  layer(inboxWorld(stores))(`ExportStore: ${adapter}`, (it) => {
    it.effect("begins for a user who exists, and audits it with who asked", () =>
      Effect.gen(function* () {
        const { id, mine, other } = yield* world
        const store = yield* ExportStore
        const asker = { type: "operator", id: Option.none(), requestId: Option.some("req_1") } as const
        const user = yield* Effect.provideService(store.begin(mine), CurrentActor, asker)
        assert.deepStrictEqual(
          Option.map(user, ({ externalUserId, workspaceId }) => [workspaceId, externalUserId]),
          Option.some([id, "u1"])
        )
        assert.isTrue(Option.isNone(yield* store.begin(new ManagedUserScope({ workspaceId: id, externalUserId: "x" }))))
        const exported = Effect.fnUntraced(function* (workspaceId: typeof id) {
          const filter = {
            actorId: Option.none(),
            action: Option.some("managed_user.exported" as const),
            targetId: Option.none()
          }
          return (yield* (yield* AuditStore).list(workspaceId, filter, { limit: 10, after: Option.none() })).items
        })
        const [event, ...more] = yield* exported(id)
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual(event?.target, { type: "managed_user", id: "u1" })
        assert.deepStrictEqual(event?.actor, { type: "operator", id: Option.none() })
        assert.deepStrictEqual(event?.requestId, Option.some("req_1"))
        assert.deepStrictEqual(yield* exported(other), [])
        yield* (yield* ManagedUsers).erase(id, "u1", redactNames)
        assert.match((yield* exported(id))[0]?.target.id ?? "", /^sha256:/)
        assert.isTrue(Option.isNone(yield* store.begin(mine)))
      })
    )

    it.effect("lists his accounts, disconnected ones included, until they move away", () =>
      Effect.gen(function* () {
        const { account, id, mine, theirs } = yield* world
        const [store, accounts] = [yield* ExportStore, yield* SocialAccounts]
        assert.deepStrictEqual(idsOf(yield* walk(store.accounts, mine)), [account.id])
        yield* accounts.update(id, theirs.id, { externalUserId: Option.some("u1") }, noon)
        assert.sameMembers(idsOf(yield* walk(store.accounts, mine, 1)), [account.id, theirs.id])
        yield* accounts.disconnect(id, account.id, noon)
        const all = yield* walk(store.accounts, mine, 1)
        assert.sameMembers(
          all.map(({ id: one, status }) => `${one} ${status}`),
          [`${account.id} disconnected`, `${theirs.id} connected`]
        )
        yield* accounts.update(id, theirs.id, { externalUserId: Option.none() }, noon)
        assert.deepStrictEqual(idsOf(yield* walk(store.accounts, mine)), [account.id])
      })
    )

    it.effect("lists the replies of his accounts with their texts, each once, page by page", () =>
      Effect.gen(function* () {
        const { account, elsewhere, mine, theirs } = yield* world
        const store = yield* ExportStore
        const texts = ["one", "two", "three"]
        for (const text of texts) yield* submitReply(yield* makeOperation(account, noon, { text }))
        for (const other of [theirs, elsewhere]) {
          yield* submitReply(yield* makeOperation(other, noon, { text: "not his" }))
        }
        const all = yield* walk(store.operations, mine, 2)
        assert.sameMembers(
          all.map(({ text }) => text),
          texts
        )
        assert.deepStrictEqual(idsOf(all), idsOf(all).toSorted())
      })
    )

    it.effect("lists the notes on threads of his accounts, each once, page by page", () =>
      Effect.gen(function* () {
        const { account, id, mine, theirs } = yield* world
        const [store, threads, random] = [yield* ExportStore, yield* ThreadStore, yield* SecureRandom]
        const note = Effect.fnUntraced(function* (of: typeof account, text: string) {
          const { id: threadId } = yield* threadOfKey(scopeOf(id), of.networkAccountId)
          const made = { id: yield* nextThreadNoteId(random), workspaceId: id, accountId: of.id, threadId, text }
          yield* threads.addNote(scopeOf(id), { ...made, author: Option.none(), createdAt: noon })
        })
        for (const of of [account, theirs]) {
          const { networkAccountId: name } = of
          yield* ingest(of, [posted({ externalId: name, threadKey: name, account: name })])
        }
        const texts = ["one", "two", "three"]
        for (const text of texts) yield* note(account, text)
        yield* note(theirs, "not his")
        const all = yield* walk(store.notes, mine, 2)
        assert.sameMembers(
          all.map(({ text }) => text),
          texts
        )
        assert.deepStrictEqual(idsOf(all), idsOf(all).toSorted())
      })
    )

    it.effect("lists the files of his posts and of the replies of his accounts, each once", () =>
      Effect.gen(function* () {
        const { account, id, mine, theirs } = yield* world
        const store = yield* ExportStore
        const files = yield* Effect.forEach([1, 2, 3, 4, 5], () => makeGif(id, noon))
        const [first, second, third, fourth] = idsOf(files)
        const named = (at: number) => files.slice(at, at + 1).map((file) => file.id)
        yield* submitPost(account, { owner: "u1", mediaIds: [...named(0), ...named(1)] })
        yield* submitPost(account, { owner: "u1", mediaIds: named(0), key: "again" })
        const media = named(2).map((mediaId) => ({ mediaId, kind: "image" as const }))
        yield* submitReply(yield* makeOperation(account, noon, { media }))
        yield* submitPost(theirs, { owner: "u2", mediaIds: named(3) })
        const all = idsOf(yield* walk(store.media, mine, 1))
        assert.sameMembers([...all], [first, second, third])
        assert.notInclude(all, fourth)
      })
    )

    it.effect("lists the webhook endpoints that get his events only, each once", () =>
      Effect.gen(function* () {
        const { id, mine, other } = yield* world
        const [store, endpoints] = [yield* ExportStore, yield* OutgoingEndpointStore]
        const own = yield* Effect.replicateEffect(addEndpoint(id, noon, { externalUserId: Option.some("u1") }), 3)
        const removed = yield* addEndpoint(id, noon, { externalUserId: Option.some("u1") })
        assert.isTrue(yield* endpoints.remove(id, removed.id))
        yield* addEndpoint(id, noon)
        yield* addEndpoint(id, noon, { externalUserId: Option.some("u2") })
        yield* addEndpoint(other, noon, { externalUserId: Option.some("u1") })
        const all = yield* walk(store.webhookEndpoints, mine, 2)
        assert.deepStrictEqual(
          all,
          own.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((endpoint) => showEndpoint(endpoint))
        )
      })
    )

    it.effect("lists what was done to him, to his accounts and to his posts", () =>
      Effect.gen(function* () {
        const { account, id, mine, theirs } = yield* world
        const store = yield* ExportStore
        const { post } = yield* submitPost(account, { owner: "u1" })
        yield* submitPost(theirs, { owner: "u2" })
        yield* (yield* SocialAccounts).disconnect(id, account.id, DateTime.add(noon, { minutes: 1 }))
        const all = yield* walk(store.auditEvents, mine, 2)
        assert.sameMembers(
          all.map(({ action, target }) => `${action} ${target.id}`),
          [
            "managed_user.created u1",
            `account.connected ${account.id}`,
            `post.created ${post.id}`,
            `account.disconnected ${account.id}`
          ]
        )
      })
    )
  })

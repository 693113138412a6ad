import { nextConnectSessionId, nextSyncId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { ConnectSessionStore } from "@loopbox/core/connecting/ConnectSessionStore"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { eraseDue } from "@loopbox/core/accounts/eraseDue"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { newPollState } from "@loopbox/core/sync/SyncRun"
import { Post } from "@loopbox/core/posts/Post"
import { PostTarget } from "@loopbox/core/posts/PostTarget"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, inboxWorld, makeInboxWorkspace, redactNames, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint } from "@loopbox/testing/fixtures/laneFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { nobodyDone, resultOf } from "@loopbox/testing/fixtures/syncFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"
import { awaitWaiting } from "../waiting.ts"

const days = (count: number) => DateTime.subtract(noon, { days: count })

/** Erases a managed user; its account is hidden, and what it has waits to be removed, until `meanwhile` has ended. */
const eraseBeside = Effect.fnUntraced(function* <A, E, R>(
  workspaceId: WorkspaceId,
  user: string,
  meanwhile: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const open = yield* sql.reserve
  yield* open.executeRaw("BEGIN", [])
  yield* open.executeRaw("SELECT 1 FROM account_polls WHERE workspace_id = $1 FOR KEY SHARE", [workspaceId])
  const erasing = yield* Effect.forkChild((yield* ManagedUsers).erase(workspaceId, user, redactNames))
  yield* awaitWaiting(1)
  yield* meanwhile
  yield* open.executeRaw("COMMIT", [])
  assert.isTrue(yield* Fiber.join(erasing))
  // What took longer than a request may.
  yield* eraseDue(days(9_000), redactNames)
  assert.deepStrictEqual(yield* sql`SELECT id FROM social_accounts WHERE workspace_id = ${workspaceId}`, [])
}, Effect.scoped)

/** A managed user who is named like nobody else, with an account of that name. */
const makeUser = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const user = `ann-${workspaceId}`
  const account = yield* connect(workspaceId, { owner: user, networkAccountId: user })
  return { workspaceId, user, account }
})

layer(inboxWorld(layerStores()), { excludeTestServices: true })("Beside the erasure of a managed user", (it) => {
  it.effect("a sync that ends names the user in no event", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const polls = yield* PollStore
      const { account, user, workspaceId } = yield* makeUser
      const { network } = account
      const id = yield* nextSyncId(yield* SecureRandom.SecureRandom)
      const asked = { id, scope: scopeOf(workspaceId, user).scope, networks: new Set([network]), createdAt: noon }
      const run = { ...asked, backfill: Option.none(), confirmation: Option.none() }
      yield* (yield* SyncStore).start(run, nobodyDone)
      const leaseUntil = DateTime.add(noon, { minutes: 1 })
      const request = { network, limit: 100, isAutomatic: false, token: "t", now: noon, leaseNow: noon, leaseUntil }
      const claim = (yield* polls.claim(request)).find(({ accountId }) => accountId === account.id)
      if (claim === undefined) return assert.fail("not claimed")
      const ended = { poll: Option.some(resultOf(account)), backfills: [], facts: Option.none(), state: newPollState }
      // Somebody else gets the same name at once.
      const again = Effect.andThen((yield* ManagedUsers).put(workspaceId, user, noon), () =>
        polls.settle(claim, { ...ended, nextPollAt: Option.none() }, noon)
      )
      yield* eraseBeside(workspaceId, user, again)
      const named = yield* sql`SELECT event FROM events WHERE position(${user} IN event::text) > 0`
      assert.deepStrictEqual(named, [])
    })
  )

  it.effect("no post or draft that is stored or changed meanwhile is theirs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PostStore
      const { account, user, workspaceId } = yield* makeUser
      const { scope } = scopeOf(workspaceId)
      const add = Effect.fnUntraced(function* (owner?: string) {
        const options = { isDraft: true, ...(owner === undefined ? {} : { owner }) }
        const kept = yield* makeKeptPost(workspaceId, [account], noon, options)
        return yield* store.submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(kept))
      })
      const free = yield* add()
      const give = store.change(scope, free.post.id, ({ post, targets }) =>
        Result.succeed({
          _tag: "Change",
          kept: { post: new Post({ ...post, externalUserId: Option.some(user) }), targets }
        })
      )
      const ends: Array<Fiber.Fiber<unknown, unknown>> = []
      yield* eraseBeside(
        workspaceId,
        user,
        Effect.gen(function* () {
          ends.push(yield* Effect.forkChild(Effect.exit(add(user))))
          ends.push(yield* Effect.forkChild(Effect.exit(give)))
          // Both wait for the erasure, or have written what it has not seen.
          yield* Effect.sleep("500 millis")
        })
      )
      yield* Effect.forEach(ends, Fiber.join)
      const named = yield* sql`SELECT id FROM posts
        WHERE workspace_id = ${workspaceId} AND position(${user} IN post::text) > 0`
      assert.deepStrictEqual(named, [])
    })
  )

  it.effect("no session for connecting that begins meanwhile stays with their name", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ConnectSessionStore
      const { user, workspaceId } = yield* makeUser
      const id = yield* nextConnectSessionId(yield* SecureRandom.SecureRandom)
      const session = new ConnectSession({
        id,
        workspaceId,
        network: "facebook",
        login: "facebook",
        externalUserId: Option.some(user),
        status: "pending",
        returnUrl: Option.none(),
        features: [],
        socialAccountId: Option.none(),
        accountIds: [],
        failure: Option.none(),
        createdAt: noon,
        expiresAt: DateTime.add(noon, { minutes: 30 }),
        completedAt: Option.none()
      })
      const kept = { session, linkDigest: Buffer.from(id).toString("hex"), sealedLink: "sealed" }
      const putting: Array<Fiber.Fiber<boolean, unknown>> = []
      yield* eraseBeside(
        workspaceId,
        user,
        Effect.gen(function* () {
          putting.push(yield* Effect.forkChild(store.put(kept, true)))
          // It waits for the erasure, or has written what that has not seen.
          yield* Effect.sleep("500 millis")
        })
      )
      assert.deepStrictEqual(yield* Effect.forEach(putting, Fiber.join), [false])
      const named = yield* sql`SELECT id FROM connect_sessions
        WHERE workspace_id = ${workspaceId} AND external_user_id = ${user}`
      assert.deepStrictEqual(named, [])
    })
  )

  it.effect("a webhook that waited is redacted, also where a worker has found nobody that it is about", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* WebhookDeliveries
      const { user, workspaceId } = yield* makeUser
      const arrivedAt = yield* DateTime.now
      const store = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
        const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
        const body = new TextEncoder().encode(names.join(","))
        yield* deliveries.store({ id, endpoint: "meta", body, arrivedAt }, arrivedAt)
        return id
      })
      const claim = Effect.gen(function* () {
        const [token, leaseNow] = [yield* (yield* SecureRandom.SecureRandom).uuidV7(), yield* DateTime.now]
        const leaseUntil = DateTime.add(leaseNow, { minutes: 1 })
        return yield* deliveries.claim({ limit: 100, token, leaseNow, leaseUntil })
      })
      const ids = [yield* store(user), yield* store(user, "another"), yield* store("another")]
      // A worker has some by then; it and others find no account of that name any more.
      const early = yield* claim
      yield* eraseBeside(
        workspaceId,
        user,
        Effect.gen(function* () {
          const late = yield* store(user)
          yield* deliveries.complete([...early, ...(yield* claim)], yield* DateTime.now)
          ids.push(late)
        })
      )
      const kept = yield* sql`SELECT convert_from(body, 'UTF8') AS body FROM webhook_deliveries
        WHERE id = ANY(${ids}::text[]) ORDER BY body`
      assert.deepStrictEqual(kept, [{ body: "another" }, { body: "another" }])
    })
  )

  it.effect("an endpoint that is given back to the user goes with the user", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* OutgoingEndpointStore
      const users = yield* ManagedUsers
      const { user, workspaceId } = yield* makeUser
      const [hers, other] = [`${user}-other`, `${user}-third`]
      for (const one of [hers, other]) yield* users.put(workspaceId, one, noon)
      const { id } = yield* addEndpoint(workspaceId, noon, { externalUserId: Option.some(hers) })
      const give = (endpoint: OutgoingEndpoint) =>
        new OutgoingEndpoint({ ...endpoint, externalUserId: Option.some(hers) })
      yield* Effect.gen(function* () {
        const open = yield* sql.reserve
        yield* open.executeRaw("BEGIN", [])
        yield* open.executeRaw("SELECT 1 FROM outgoing_positions WHERE workspace_id = $1 FOR UPDATE", [workspaceId])
        const giving = yield* Effect.forkChild(endpoints.update(workspaceId, id, give, noon))
        yield* awaitWaiting(1)
        // Another has moved it meanwhile.
        yield* sql`UPDATE outgoing_endpoints SET external_user_id = ${other} WHERE workspace_id = ${workspaceId} AND id = ${id}`
        const erasing = yield* Effect.forkChild(users.erase(workspaceId, hers, redactNames))
        yield* Effect.race(awaitWaiting(2), Fiber.await(erasing))
        yield* open.executeRaw("COMMIT", [])
        yield* Fiber.join(giving)
        assert.isTrue(yield* Fiber.join(erasing))
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* endpoints.find(workspaceId, id), Option.none())
    })
  )

  it.effect("a draft that is given to another account meanwhile stays, and goes there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PostStore
      const { account, user, workspaceId } = yield* makeUser
      const other = yield* connect(workspaceId, { networkAccountId: `${user}-other` })
      const draft = yield* makeKeptPost(workspaceId, [account], noon, { isDraft: true })
      yield* store.submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(draft))
      const { targets } = yield* makeKeptPost(workspaceId, [other], noon, { isDraft: true })
      const moved = targets.map((target) => new PostTarget({ ...target, postId: draft.post.id }))
      const { scope } = scopeOf(workspaceId)
      yield* Effect.gen(function* () {
        const open = yield* sql.reserve
        yield* open.executeRaw("BEGIN", [])
        yield* open.executeRaw("SELECT 1 FROM posts WHERE workspace_id = $1 FOR UPDATE", [workspaceId])
        const editing = yield* Effect.forkChild(
          store.change(scope, draft.post.id, ({ post }) =>
            Result.succeed({ _tag: "Change", kept: { post, targets: moved } })
          )
        )
        yield* awaitWaiting(1)
        const erasing = yield* Effect.forkChild(
          (yield* Erasures).erase({ workspaceId, accountId: account.id }, redactNames)
        )
        yield* awaitWaiting(2)
        yield* open.executeRaw("COMMIT", [])
        assert.isTrue(Option.isSome(yield* Fiber.join(editing)))
        yield* Fiber.join(erasing)
      }).pipe(Effect.scoped)
      const kept = yield* store.find(scope, draft.post.id)
      assert.deepStrictEqual(
        Option.map(kept, (post) => post.targets.map(({ accountId }) => accountId)),
        Option.some([other.id])
      )
    })
  )

  it.effect("a draft that is published meanwhile, and the erasure, do not wait for each other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PostStore
      const { account, workspaceId } = yield* makeUser
      const draft = yield* makeKeptPost(workspaceId, [account], noon, { isDraft: true })
      yield* store.submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(draft))
      let judged = 0
      const publish = store.change(scopeOf(workspaceId).scope, draft.post.id, ({ post, targets }) => {
        judged += 1
        return Result.succeed({ _tag: "Change", kept: { post: new Post({ ...post, isDraft: false }), targets } })
      })
      yield* Effect.gen(function* () {
        const open = yield* sql.reserve
        yield* open.executeRaw("BEGIN", [])
        yield* open.executeRaw("SELECT 1 FROM social_accounts WHERE workspace_id = $1 FOR NO KEY UPDATE", [workspaceId])
        const erasing = yield* Effect.forkChild(
          Effect.exit((yield* Erasures).erase({ workspaceId, accountId: account.id }, redactNames))
        )
        yield* awaitWaiting(1)
        const publishing = yield* Effect.forkChild(Effect.result(publish))
        yield* awaitWaiting(2)
        yield* open.executeRaw("COMMIT", [])
        const published = yield* Fiber.join(publishing)
        assert.strictEqual((yield* Fiber.join(erasing))._tag, "Success")
        assert.notStrictEqual(Result.isFailure(published) ? published.failure._tag : "", "StoreUnavailable")
      }).pipe(Effect.scoped)
      // Before its locks and under them: a transaction that ended in a deadlock was begun anew.
      assert.isAtMost(judged, 2)
      assert.deepStrictEqual(yield* sql`SELECT id FROM posts WHERE workspace_id = ${workspaceId}`, [])
    })
  )

  it.effect("a draft that names an account whose rows are still being removed stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PostStore
      const { account, workspaceId } = yield* makeUser
      yield* sql`UPDATE social_accounts SET status = 'disconnected', disconnected_at = now(), erased_at = now()
        WHERE workspace_id = ${workspaceId}`
      const { post, targets } = yield* makeKeptPost(workspaceId, [account], noon, { isDraft: true })
      // Nobody finds it, so that it is as one that never was.
      const unknown = targets.map((target) => new PostTarget({ ...target, network: Option.none() }))
      yield* store.submit({ workspaceId, idempotencyKey: Option.none() }, () =>
        Result.succeed({ post, targets: unknown })
      )
      yield* eraseDue(days(9_000), redactNames)
      assert.deepStrictEqual(yield* sql`SELECT id FROM social_accounts WHERE workspace_id = ${workspaceId}`, [])
      assert.isTrue(Option.isSome(yield* store.find(scopeOf(workspaceId).scope, post.id)))
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Order } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkPublish } from "@loopbox/core/networks/publishing/NetworkPublish"
import { Posts } from "@loopbox/core/posts/Posts"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { connectAccount, layerInbox } from "../../src/layers/inboxLayers.ts"
import { makeStart, targetsOf } from "./PostTown.ts"
import { makeProcess } from "./ReplyTown.ts"

const [accountCount, postCount] = [20, 200]

interface Call {
  readonly targetId: string
  readonly account: string
  readonly text: string
  readonly beganAt: DateTime.Utc
  readonly endedAt: DateTime.Utc
}

/** A network that takes two seconds for a post, and keeps what it was told. */
const makeNetwork = () => {
  const calls: Array<Call> = []
  const quotas: Array<{ readonly account: string; readonly at: DateTime.Utc }> = []
  const publish: NetworkPublish["publish"] = Effect.fnUntraced(function* (access, { operationId, text }) {
    const beganAt = yield* DateTime.now
    // It is there, whoever waits for the answer.
    const externalId = `post-${operationId}`
    const call = { targetId: operationId, account: access.networkAccountId, text, beganAt }
    calls.push({ ...call, endedAt: DateTime.add(beganAt, { seconds: 2 }) })
    yield* Effect.sleep("2 seconds")
    if (text.endsWith("refused")) {
      calls.pop()
      return yield* new Rejected({ network: "facebook", networkCode: Option.none(), detail: "", reason: "other" })
    }
    return { externalId, url: Option.some(`https://n/${externalId}`), postIds: [externalId] }
  })
  const script: Partial<NetworkPublish> = {
    quota: (access) =>
      Effect.gen(function* () {
        quotas.push({ account: access.networkAccountId, at: yield* DateTime.now })
        return Option.none()
      }),
    publish,
    find: (_access, { publication: { operationId } }) =>
      Effect.sync(() => {
        const call = calls.find(({ targetId }) => targetId === operationId)
        const externalId = `post-${operationId}`
        const url = Option.some(`https://n/${externalId}`)
        return call === undefined
          ? { _tag: "Nothing" }
          : { _tag: "Found", published: { externalId, url, postIds: [externalId] } }
      })
  }
  return { calls, quotas, script }
}

const open = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const accounts = yield* Effect.forEach(Array.from({ length: accountCount }), (_, n) =>
    connectAccount(workspace.id, { network: "facebook", networkAccountId: `page${n}` })
  )
  const network = makeNetwork()
  ;(yield* FakeNetworks).publish = network.script
  const scope = new WorkspaceScope({ workspaceId: workspace.id })
  const posts = yield* Posts
  const submit = (text: string, accountIds: ReadonlyArray<string>, scheduledAt: Option.Option<DateTime.Utc>) => {
    const own = { text: Option.none(), mediaIds: Option.none(), firstComment: Option.none() }
    const targets = accountIds.map((accountId) => ({ accountId, ...own, options: { values: {}, altTexts: {} } }))
    const input = { text: Option.some(text), mediaIds: [], targets, scheduledAt, isDraft: false }
    return Effect.map(posts.submit(scope, input, Option.none()), ({ post }) => post)
  }
  return { accounts, network, posts, scope, submit }
})

describe("200 posts that are due in one minute on 20 accounts", () => {
  for (const isKilled of [false, true]) {
    const name = isKilled ? "two workers of which one is killed" : "two workers"
    it.effect(`are published by ${name}: on time or in the account's order, one at a time, none twice`, () =>
      Effect.gen(function* () {
        const { accounts, network, submit } = yield* open
        const start = yield* makeStart("1 second")
        const [one, other] = [makeProcess(), makeProcess()]
        yield* start(one)
        yield* start(other)
        const first = DateTime.add(yield* DateTime.now, { minutes: 2 })
        const dueOf = new Map<string, DateTime.Utc>()
        for (let n = 0; n < postCount; n++) {
          const due = DateTime.add(first, { milliseconds: Math.round((n / postCount) * 60_000) })
          const account = accounts[n % accountCount]
          if (account === undefined) return assert.fail("no account")
          const { targets } = yield* submit(`Post ${n}`, [account.id], Option.some(due))
          dueOf.set(targets[0]?.id ?? "", due)
        }
        for (let second = 0; second < 300; second++) {
          yield* TestClock.adjust("1 second")
          if (isKilled && second === 150) one.kill()
        }
        const targets = yield* targetsOf
        assert.deepStrictEqual(new Set(targets.map(({ state }) => state._tag)), new Set(["Published"]))
        const { calls } = network
        assert.deepStrictEqual([calls.length, new Set(calls.map(({ targetId }) => targetId)).size], [200, 200])
        for (const ofAccount of Map.groupBy(calls, ({ account }) => account).values()) {
          const texts = ofAccount.map(({ text }) => Number(text.slice(5)))
          assert.deepStrictEqual(texts, texts.toSorted(Order.Number))
          for (const [n, { beganAt, targetId }] of ofAccount.entries()) {
            const before = ofAccount[n - 1]
            const due = dueOf.get(targetId) ?? assert.fail("no such target")
            if (before !== undefined) assert.isTrue(DateTime.isGreaterThanOrEqualTo(beganAt, before.endedAt), "at once")
            const free = before === undefined ? due : DateTime.max(due, before.endedAt)
            // The targets of the killed one wait for its leases.
            const within = Duration.seconds(isKilled ? 5 + 16 : 5)
            assert.isTrue(Duration.isLessThanOrEqualTo(DateTime.distance(free, beganAt), within), targetId)
            assert.isTrue(DateTime.isGreaterThanOrEqualTo(beganAt, due), "before its time")
          }
        }
        // The quota is read before each.
        assert.isAtLeast(network.quotas.length, postCount)
        one.kill()
        other.kill()
      }).pipe(Effect.scoped, Effect.provide(layerInbox))
    )
  }
})

describe("neighbours", () => {
  it.effect("are published though one is refused, and the post is partial", () =>
    Effect.gen(function* () {
      const { accounts, posts, scope, submit } = yield* open
      const start = yield* makeStart("1 second")
      const process = makeProcess()
      yield* start(process)
      const [one, two] = accounts.map(({ id }) => id)
      if (one === undefined || two === undefined) return assert.fail("no accounts")
      const own = { mediaIds: Option.none(), firstComment: Option.none(), options: { values: {}, altTexts: {} } }
      const { post } = yield* posts.submit(
        scope,
        {
          text: Option.some("Hello"),
          mediaIds: [],
          targets: [
            { accountId: one, text: Option.some("To be refused"), ...own },
            { accountId: two, text: Option.none(), ...own }
          ],
          scheduledAt: Option.none(),
          isDraft: false
        },
        Option.none()
      )
      yield* TestClock.adjust("10 seconds")
      const shown = yield* posts.find(scope, post.id)
      const statuses = shown.targets.map(({ status }) => status)
      assert.deepStrictEqual([shown.status, ...statuses], ["partial", "failed", "published"])
      yield* submit("Next", [one], Option.none())
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* targetsOf).filter(({ state }) => state._tag === "Published").length, 2)
      process.kill()
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )

  it.effect("that could not begin within 15 minutes, as where the clock jumps, are too late and never published", () =>
    Effect.gen(function* () {
      const { accounts, network, posts, scope, submit } = yield* open
      const [one, two] = accounts.map(({ id }) => id)
      if (one === undefined || two === undefined) return assert.fail("no accounts")
      const now = yield* DateTime.now
      const early = yield* submit("Missed", [one], Option.some(DateTime.add(now, { minutes: 2 })))
      const late = yield* submit("In time", [two], Option.some(DateTime.add(now, { minutes: 3 })))
      // No worker runs meanwhile.
      yield* TestClock.adjust("17 minutes")
      const process = makeProcess()
      yield* (yield* makeStart("1 second"))(process)
      yield* TestClock.adjust("10 seconds")
      const [missed, met] = [yield* posts.find(scope, early.id), yield* posts.find(scope, late.id)]
      assert.deepStrictEqual([missed.status, met.status], ["failed", "published"])
      const failure = missed.targets[0]?.failure ?? Option.none()
      assert.isTrue(Option.exists(failure, ({ code, retryable }) => code === "too_late" && retryable))
      assert.deepStrictEqual(
        network.calls.map(({ text }) => text),
        ["In time"]
      )
      process.kill()
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )
})

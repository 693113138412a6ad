import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/networks/ConnectorErrors.ts"
import type { NetworkPublish, PublishQuota } from "../../src/networks/publishing/NetworkPublish.ts"
import { PostStore } from "../../src/posts/PostStore.ts"
import { showPost } from "../../src/posts/showPost.ts"
import * as PublishWorker from "../../src/publishing/PublishWorker.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const layerWorld = PublishWorker.layer().pipe(Layer.provideMerge(layerInbox))

/** An account whose network tells a quota; `submit` publishes posts in turn and answers their statuses. */
const open = Effect.fnUntraced(function* (quota: PublishQuota, publish?: NetworkPublish["publish"]) {
  const asked = { quotas: 0, posts: 0 }
  const said = { quota }
  const world = yield* FakeNetworks
  const posting: NetworkPublish["publish"] = () =>
    Effect.sync(() => {
      const externalId = `p${++asked.posts}`
      said.quota = { ...said.quota, used: said.quota.used + 1 }
      return { externalId, url: Option.some(`https://n.test/${externalId}`), postIds: [externalId] }
    })
  world.publish = {
    quota: () => Effect.sync(() => (asked.quotas++, Option.some(said.quota))),
    publish: publish ?? posting
  }
  const workspace = yield* makeWorkspace("growth")
  const account = yield* connectAccount(workspace.id, { network: "instagram" })
  const store = yield* PostStore
  const submit = Effect.fnUntraced(function* (count: number) {
    const statuses: Array<string> = []
    for (let nth = 0; nth < count; nth++) {
      const made = yield* makeKeptPost(workspace.id, [account], yield* DateTime.now)
      const { idempotencyKey } = made.post
      yield* store.submit({ workspaceId: workspace.id, idempotencyKey }, () => Result.succeed(made))
      for (let second = 0; second < 3; second++) yield* TestClock.adjust("1 second")
      const kept = yield* store.find(scopeOf(workspace.id).scope, made.post.id)
      statuses.push(...showPost(Option.getOrThrow(kept)).targets.map(({ status }) => status))
    }
    return new Set(statuses)
  })
  return { asked, said, submit }
})

const of = (used: number, total: number): PublishQuota => ({ used, total, window: Duration.days(1) })

describe("the quota of a network", () => {
  it.effect("is read once for posts of ten minutes, while a fifth of it is free", () =>
    Effect.gen(function* () {
      const { asked, submit } = yield* open(of(30, 50))
      assert.deepStrictEqual(yield* submit(10), new Set(["published"]))
      assert.deepStrictEqual(asked, { quotas: 1, posts: 10 })
      // From here on before each.
      assert.deepStrictEqual(yield* submit(5), new Set(["published"]))
      assert.deepStrictEqual(asked, { quotas: 6, posts: 15 })
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("is read again ten minutes later", () =>
    Effect.gen(function* () {
      const { asked, submit } = yield* open(of(0, 50))
      yield* submit(2)
      assert.strictEqual(asked.quotas, 1)
      yield* TestClock.adjust("10 minutes")
      yield* submit(2)
      assert.strictEqual(asked.quotas, 2)
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("lets no post begin once it is used up, however it was known before", () =>
    Effect.gen(function* () {
      const { asked, submit } = yield* open(of(45, 50))
      assert.deepStrictEqual(yield* submit(5), new Set(["published"]))
      assert.deepStrictEqual(yield* submit(1), new Set(["preparing"]))
      assert.deepStrictEqual(asked, { quotas: 6, posts: 5 })
    }).pipe(Effect.provide(layerWorld))
  )

  it.effect("is read again after a network has refused a post for it, as where others use it too", () =>
    Effect.gen(function* () {
      const shared = { network: "instagram", networkCode: Option.some("9/2207042"), detail: "no more today" }
      let calls = 0
      const { asked, submit } = yield* open(of(0, 50), () =>
        Effect.suspend(() => {
          calls += 1
          if (calls === 2) return Effect.fail(new RateLimited({ ...shared, retryAt: Option.none() }))
          return Effect.succeed({
            externalId: `p${calls}`,
            url: Option.some("https://n.test/p"),
            postIds: [`p${calls}`]
          })
        })
      )
      yield* submit(2)
      assert.strictEqual(asked.quotas, 1)
      yield* submit(1)
      assert.strictEqual(asked.quotas, 2)
    }).pipe(Effect.provide(layerWorld))
  )
})

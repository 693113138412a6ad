import { assert, type Vitest } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import type { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"

type Held<R> = Effect.Effect<unknown, LeaseLost | StoreUnavailable, R>

/** The methods of a store of leased work. */
export interface LeasedWork<C, E, R> {
  readonly what: LeaseLost["what"]
  /** Adds pieces of work; returns when they become claimable. Other tests must leave no older work. */
  readonly add: (count: number) => Effect.Effect<DateTime.Utc, E, R>
  /** May return fewer than the limit. */
  readonly claim: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<C>, E, R>
  readonly idOf: (claim: C) => string
  readonly renew: (claim: C, leaseUntil: DateTime.Utc) => Held<R>
  readonly release: (claim: C, leaseNow: DateTime.Utc) => Held<R>
  /** Each way to end a claim; after the first one the work is done. */
  readonly settle: ReadonlyArray<(claim: C, at: DateTime.Utc) => Held<R>>
}

const lease_seconds = 60

/**
 * What every store of leased work does: one worker at a time, a lost lease is refused, released work is claimable at
 * once.
 */
export const leaseContract = <C, E, R>(it: Vitest.MethodsNonLive<R>, work: LeasedWork<C, E, R | Scope.Scope>) => {
  let tokens = 0
  const later = (at: DateTime.Utc, seconds: number) => DateTime.add(at, { seconds })

  const claim = Effect.fnUntraced(function* (leaseNow: DateTime.Utc, limit = 1) {
    const token = `${work.what}-${++tokens}`
    return yield* work.claim({ limit, token, leaseNow, leaseUntil: later(leaseNow, lease_seconds) })
  })

  const only = Effect.fnUntraced(function* (leaseNow: DateTime.Utc) {
    const [held, ...more] = yield* claim(leaseNow)
    assert.deepStrictEqual(more, [])
    return held ?? assert.fail("nothing to claim")
  })

  const lost = Effect.fnUntraced(function* (held: C, call: Held<R | Scope.Scope>) {
    const { _tag, ...facts } = yield* Effect.flip(call)
    assert.deepInclude({ _tag, ...facts }, { _tag: "LeaseLost", what: work.what, id: work.idOf(held) })
  })

  const refusedEverything = Effect.fnUntraced(function* (held: C, at: DateTime.Utc) {
    yield* lost(held, work.renew(held, later(at, 3600)))
    yield* lost(held, work.release(held, at))
    for (const settle of work.settle) yield* lost(held, settle(held, at))
  })

  it.effect("gives no piece of work to two workers that claim at once", () =>
    Effect.gen(function* () {
      const now = yield* work.add(12)
      const claims = yield* Effect.all(
        Array.from({ length: 15 }, () => claim(now, 3)),
        { concurrency: "unbounded" }
      )
      const ids = claims.flat().map(work.idOf)
      // Workers that competed for one row may have found nothing; the rest is left for later claims.
      for (let rest = yield* claim(now, 3); rest.length > 0; rest = yield* claim(now, 3)) {
        ids.push(...rest.map(work.idOf))
      }
      assert.deepStrictEqual([new Set(ids).size, ids.length], [12, 12])
    })
  )

  it.effect("leaves work with a worker that prolongs its lease, and gives it to another when the lease ends", () =>
    Effect.gen(function* () {
      const now = yield* work.add(1)
      const slow = yield* only(now)
      assert.deepStrictEqual(yield* claim(later(now, lease_seconds - 1)), [])
      yield* work.renew(slow, later(now, 2 * lease_seconds))
      assert.deepStrictEqual(yield* claim(later(now, 2 * lease_seconds - 1)), [])
      const next = yield* only(later(now, 2 * lease_seconds))
      assert.strictEqual(work.idOf(next), work.idOf(slow))
    })
  )

  it.effect("refuses everything to a worker whose lease another one has", () =>
    Effect.gen(function* () {
      const now = yield* work.add(1)
      const slow = yield* only(now)
      const late = later(now, lease_seconds)
      const held = yield* only(late)
      yield* refusedEverything(slow, late)
      // The other claim is unaffected.
      assert.deepStrictEqual(yield* claim(later(late, lease_seconds - 1)), [])
      yield* work.renew(held, later(late, 2 * lease_seconds))
      const [settle] = work.settle
      if (settle !== undefined) yield* settle(held, late)
    })
  )

  it.effect("gives work that was handed back to another worker at once, and refuses the first one", () =>
    Effect.gen(function* () {
      const now = yield* work.add(1)
      const first = yield* only(now)
      yield* work.release(first, now)
      yield* lost(first, work.renew(first, later(now, 3600)))
      const second = yield* only(now)
      assert.strictEqual(work.idOf(second), work.idOf(first))
      yield* refusedEverything(first, now)
    })
  )
}

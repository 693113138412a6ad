import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"

/** What a snooze promises: it lasts until its time, unless somebody writes or a person ends it. */
export class SnoozeLaw extends Context.Service<SnoozeLaw, { readonly violations: Array<string> }>()("SnoozeLaw") {
  static readonly layer: Layer.Layer<SnoozeLaw> = Layer.sync(SnoozeLaw, () => ({ violations: [] }))
}

/** What must hold at every moment, whatever is under way. */
export const checkSnoozes = Effect.map(SnoozeLaw, ({ violations }) =>
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
)

/** The snoozes of all threads: by their name and account, until when. */
const snoozesOf = ({ accounts }: MemoryInbox): ReadonlyMap<string, DateTime.Utc> =>
  new Map(
    Array.from(accounts.values()).flatMap(({ account, threads }) =>
      Array.from(threads).flatMap(([name, { snoozedUntil }]) =>
        Option.isSome(snoozedUntil) ? [[`${name} of ${account.id}`, snoozedUntil.value] as const] : []
      )
    )
  )

/** The store of threads under the law of snoozes: its keeper ends those that are over, and no others. */
export const watchThreads = Layer.effect(
  ThreadStore,
  Effect.gen(function* () {
    const [right, { violations }, { inbox }] = [yield* ThreadStore, yield* SnoozeLaw, yield* MemoryState]
    return ThreadStore.of({
      ...right,
      wakeDue: (now, limit) =>
        Effect.suspend(() => {
          const before = snoozesOf(inbox)
          return Effect.tap(right.wakeDue(now, limit), () =>
            Effect.sync(() => {
              const left = snoozesOf(inbox)
              for (const [name, until] of before)
                if (!left.has(name) && DateTime.isGreaterThan(until, now)) violations.push(`${name} was woken early`)
            })
          )
        })
    })
  })
)

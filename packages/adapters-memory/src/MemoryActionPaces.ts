import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ActionPaces } from "@loopbox/core/moderation/ActionPaces"
import { takePace } from "@loopbox/core/moderation/takePace"

/** Kept for as long as the process lives, which is longer than any pace. */
export const layer: Layer.Layer<ActionPaces> = Layer.sync(ActionPaces, () => {
  const known = new Map<string, ReadonlyArray<DateTime.Utc>>()
  return ActionPaces.of({
    take: ({ accountId, action, now, pace }) =>
      Effect.sync(() => {
        const key = `${accountId} ${action}`
        const outcome = takePace(known.get(key) ?? [], pace, now)
        if (outcome._tag === "Wait") return Option.some(outcome.until)
        known.set(key, outcome.taken)
        return Option.none()
      })
  })
})

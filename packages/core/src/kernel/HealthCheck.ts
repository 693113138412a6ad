import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Why a part of the service cannot work, in a sentence for the operator. */
export class Unhealthy extends Schema.TaggedError<Unhealthy>()("Unhealthy", {
  message: Schema.String,
  /** The process can still serve, only not everything: somebody must know, and it stays ready. */
  isPartial: Schema.optionalKey(Schema.Boolean)
}) {}

/** One line of `/readyz` and of `loopbox doctor`. `run` returns what it found, as text. */
export interface HealthCheck {
  readonly name: string
  readonly run: Effect.Effect<string, Unhealthy>
}

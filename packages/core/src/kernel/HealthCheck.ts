import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Why a part of the service cannot do its work, in a sentence for whoever runs it. */
export class Unhealthy extends Schema.TaggedError<Unhealthy>()("Unhealthy", { message: Schema.String }) {}

/** One line of `/readyz` and of `loopbox doctor`. `run` answers with what it found, in words. */
export interface HealthCheck {
  readonly name: string
  readonly run: Effect.Effect<string, Unhealthy>
}

import type * as Effect from "effect/Effect"

/** The last argument of every method. */
export interface CallOptions {
  /** Ends the waiting; accepted work continues. */
  readonly signal?: AbortSignal | undefined
}

/** Runs an effect as a promise. Rejects with the refusal, or with the reason of an aborted signal. */
export type Run = <A, E>(effect: Effect.Effect<A, E>, options?: CallOptions) => Promise<A>

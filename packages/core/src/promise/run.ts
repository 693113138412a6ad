import type * as Effect from "effect/Effect"

/** What every method of the facade takes last. */
export interface CallOptions {
  /** Ends the waiting; what was accepted goes on. */
  readonly signal?: AbortSignal | undefined
}

/** Runs a service's answer as a promise; a refusal rejects with the refusal, an aborted signal with its reason. */
export type Run = <A, E>(effect: Effect.Effect<A, E>, options?: CallOptions) => Promise<A>

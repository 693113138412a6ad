import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { LeaseLost } from "./LeaseLost.ts"

/** What is swept by one process at a time. */
export const SweepKind = Schema.Literals(["inbox", "media", "orphans"])
export type SweepKind = typeof SweepKind.Type

export interface SweepRequest {
  readonly kind: SweepKind
  /** Fencing token, new for each request. */
  readonly token: string
  readonly now: DateTime.Utc
  /** A sweep that began less than this before `now`, and came to its end, need not be repeated. */
  readonly every: Duration.Duration
  /** On the lease clock. */
  readonly leaseNow: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
}

type Turn = Pick<SweepRequest, "kind" | "token">

export interface SweepTurns {
  /** Takes the turn of a sweep that is due. False: it is not, or another process is at it, whose lease has not expired. */
  readonly take: (request: SweepRequest) => Effect.Effect<boolean, StoreUnavailable>
  readonly renew: (turn: Turn, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Hands the turn back unfinished. */
  readonly release: (turn: Turn) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** The sweep that began at `now` came to its end. */
  readonly settle: (turn: Turn, now: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** When each sweep began last that came to its end, whichever process did it. */
  readonly last: Effect.Effect<ReadonlyMap<SweepKind, DateTime.Utc>, StoreUnavailable>
}

/**
 * Port: which of the processes of one database sweeps, and when a sweep began last that came to its end.
 *
 * The default is for a process with a store of its own: it is always its turn.
 */
export const SweepTurns = Context.Reference<SweepTurns>("@loopbox/core/kernel/lease/SweepTurns", {
  defaultValue: () => ({
    take: () => Effect.succeed(true),
    renew: () => Effect.void,
    release: () => Effect.void,
    settle: () => Effect.void,
    last: Effect.succeed(new Map())
  })
})

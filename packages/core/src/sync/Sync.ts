import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { Networks, type NetworkTable } from "../networks/Networks.ts"
import type { Network } from "../networks/Source.ts"
import { makeAwaitChange } from "../feed/awaitChange.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import { nextSyncId, SyncId, toBase32 } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { estimateReads, isSameBackfill } from "./backfillRules.ts"
import { ConfirmationInvalid, NoBackfillAccount, SyncNotFound } from "./SyncErrors.ts"
import { doneWithoutCall, withoutReads } from "./syncFailures.ts"
import type { BackfillInput, SyncRun } from "./SyncRun.ts"
import { type BackfillConfirmation, SyncStore } from "./SyncStore.ts"

export interface SyncOptions {
  /** A backfill that may read more posts than this needs a confirmation. */
  readonly confirmAbove: number
  /** How long an answer waits for the workers. The sync continues after that. */
  readonly patience: Duration.Input
}

export const defaultOptions: SyncOptions = { confirmAbove: 100, patience: "20 seconds" }

/** A backfill with all defaults, and its confirmation token. */
export interface BackfillRequest {
  readonly input: BackfillInput
  readonly confirmation: Option.Option<string>
}

/** Nothing is read until the request is repeated with the token. */
export interface ConfirmationRequired {
  readonly _tag: "ConfirmationRequired"
  readonly estimatedReads: number
  readonly token: string
  readonly expiresAt: DateTime.Utc
}

export type SyncAnswer = { readonly _tag: "Run"; readonly run: SyncRun } | ConfirmationRequired

/** How long a confirmation is valid (api.md §3). */
const confirmationLife = Duration.minutes(10)

/** A request joins an unfinished poll of the same accounts that is not older than this. */
const joinableFor = Duration.minutes(1)

/** Driving service: polls the networks for what webhooks missed, and backfills a bounded past (api.md §3). */
export class Sync extends Context.Service<
  Sync,
  {
    /** Polls every account of the scope, and waits a while for the result. */
    readonly poll: (caller: EntitledCaller) => Effect.Effect<SyncRun, StoreUnavailable>
    /** Reads the past of X accounts. A large backfill needs a confirmation first. */
    readonly backfill: (
      caller: EntitledCaller,
      request: BackfillRequest
    ) => Effect.Effect<SyncAnswer, NoBackfillAccount | ConfirmationInvalid | StoreUnavailable>
    /** The current state of the run. */
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<SyncRun, SyncNotFound | StoreUnavailable>
  }
>()("@loopbox/core/sync/Sync") {
  static readonly layer = (
    given: Partial<SyncOptions> = {}
  ): Layer.Layer<Sync, never, SyncStore | InboxEvents | SecureRandom> =>
    Layer.effect(
      Sync,
      Effect.suspend(() => make({ ...defaultOptions, ...given }))
    )
}

const isSyncId = Schema.is(SyncId)

/** The networks with at least one source in the caller's plan. */
const networksOf = (known: NetworkTable, { sources }: EntitledCaller): ReadonlySet<Network> =>
  new Set(Array.from(sources).flatMap((source) => Option.toArray(known.networkOf(source))))

/** Those that charge for reads: only a backfill reads their past. */
const billedOf = (known: NetworkTable, { sources }: EntitledCaller): ReadonlySet<Network> =>
  new Set(
    Array.from(sources)
      .filter((source) => known.traitsOf(source).isBilled)
      .flatMap((source) => Option.toArray(known.networkOf(source)))
  )

const userOf = ({ scope }: EntitledCaller): Option.Option<string> =>
  scope._tag === "WorkspaceScope" ? Option.none() : Option.some(scope.externalUserId)

const make = Effect.fnUntraced(function* ({ confirmAbove, patience }: SyncOptions) {
  const store = yield* SyncStore
  const events = yield* InboxEvents
  const random = yield* SecureRandom
  const networks = yield* Networks

  const find = Effect.fn("Sync.find")(function* (caller: EntitledCaller, id: string) {
    const run = isSyncId(id) ? yield* store.find(caller.scope, id) : Option.none<SyncRun>()
    if (Option.isNone(run)) return yield* new SyncNotFound({ syncId: id })
    return run.value
  })

  /**
   * The run of `begin` when it is completed, or after `patience`. Only the waiting ends, not the work. While waiting it
   * reads only whether the run is completed, and tolerates an unavailable store.
   */
  const waitFor = Effect.fnUntraced(function* <E>({ scope }: EntitledCaller, begin: Effect.Effect<SyncRun, E>) {
    // Subscribes before the run starts, so that its end is not missed.
    const change = yield* makeAwaitChange(events, scope.workspaceId, "sync.results")
    const run = yield* begin
    if (run.isCompleted) return run
    const isCompleted = store
      .isCompleted(scope.workspaceId, run.id)
      .pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)))
    yield* Effect.repeat(Effect.andThen(change, isCompleted), { until: (isDone) => isDone }).pipe(
      Effect.timeoutOption(patience)
    )
    const found = yield* store
      .find(scope, run.id)
      .pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.some(run))))
    // The run was erased: returns its last known state.
    return Option.getOrElse(found, () => run)
  }, Effect.scoped)

  const start = Effect.fnUntraced(function* (
    caller: EntitledCaller,
    asked: {
      readonly networks: ReadonlySet<Network>
      readonly backfill: Option.Option<BackfillInput>
      readonly confirmation: Option.Option<string>
    }
  ) {
    const createdAt = yield* DateTime.now
    const id = yield* nextSyncId(random)
    const joinSince = DateTime.subtractDuration(createdAt, joinableFor)
    const begin = store.start(
      { id, scope: caller.scope, createdAt, joinSince, ...asked },
      ({ account, nextPollAt, state }) => {
        const done = doneWithoutCall(account, state, nextPollAt, createdAt)
        return Option.isNone(asked.backfill) ? done : Option.map(done, withoutReads)
      }
    )
    return yield* waitFor(caller, begin)
  })

  /** Checks a confirmation: either the backfill may start, or this is the run that it started before. */
  const judge = Effect.fnUntraced(function* (
    caller: EntitledCaller,
    { confirmation, input }: BackfillRequest,
    now: DateTime.Utc
  ) {
    if (Option.isNone(confirmation)) return Option.none<BackfillConfirmation>()
    const found = yield* store.findConfirmation(caller.scope.workspaceId, confirmation.value)
    if (Option.isNone(found) || Option.getOrNull(found.value.externalUserId) !== Option.getOrNull(userOf(caller))) {
      return yield* new ConfirmationInvalid({ reason: "unknown" })
    }
    if (!isSameBackfill(found.value.input, input)) return yield* new ConfirmationInvalid({ reason: "other_input" })
    if (Option.isNone(found.value.usedBy) && DateTime.isLessThanOrEqualTo(found.value.expiresAt, now)) {
      return yield* new ConfirmationInvalid({ reason: "expired" })
    }
    return found
  })

  const backfill = Effect.fn("Sync.backfill")(function* (caller: EntitledCaller, request: BackfillRequest) {
    const asked = {
      networks: billedOf(networks, caller),
      backfill: Option.some(request.input),
      confirmation: request.confirmation
    }
    const now = yield* DateTime.now
    const confirmed = yield* judge(caller, request, now)
    if (Option.isSome(confirmed) && Option.isSome(confirmed.value.usedBy)) {
      const run = yield* store.find(caller.scope, confirmed.value.usedBy.value)
      if (Option.isSome(run))
        return { _tag: "Run", run: yield* waitFor(caller, Effect.succeed(run.value)) } satisfies SyncAnswer
    }
    const accounts = yield* store.countAccounts({ scope: caller.scope, ...asked })
    if (accounts === 0) return yield* new NoBackfillAccount()
    const estimatedReads = estimateReads(accounts, request.input)
    if (Option.isNone(confirmed) && estimatedReads > confirmAbove) {
      const offered: BackfillConfirmation = {
        workspaceId: caller.scope.workspaceId,
        token: toBase32(yield* random.randomBytes(20)),
        externalUserId: userOf(caller),
        input: request.input,
        expiresAt: DateTime.addDuration(now, confirmationLife),
        usedBy: Option.none()
      }
      yield* store.offer(offered)
      const { expiresAt, token } = offered
      return { _tag: "ConfirmationRequired", estimatedReads, token, expiresAt } satisfies SyncAnswer
    }
    return { _tag: "Run", run: yield* start(caller, asked) } satisfies SyncAnswer
  })

  return Sync.of({
    poll: Effect.fn("Sync.poll")((caller) =>
      start(caller, { networks: networksOf(networks, caller), backfill: Option.none(), confirmation: Option.none() })
    ),
    backfill,
    find
  })
})

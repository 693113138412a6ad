import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { type Network, networks, sourcesOf } from "../connectors/Source.ts"
import { nextSyncId, SyncId, toBase32 } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { estimateReads, isSameBackfill } from "./backfillRules.ts"
import { ConfirmationInvalid, NoBackfillAccount, SyncNotFound } from "./InboxErrors.ts"
import { doneWithoutCall, withoutReads } from "./syncFailures.ts"
import type { BackfillInput, SyncRun } from "./SyncRun.ts"
import { type BackfillConfirmation, SyncStore } from "./SyncStore.ts"

export interface SyncOptions {
  /** A backfill of one workspace that may read more is asked about first; in posts. */
  readonly confirmAbove: number
  /** How long an answer waits for the workers; what is left goes on without it. */
  readonly patience: Duration.Input
}

export const defaultOptions: SyncOptions = { confirmAbove: 100, patience: "20 seconds" }

/** A backfill, its defaults filled in, and what confirms it. */
export interface BackfillRequest {
  readonly input: BackfillInput
  readonly confirmation: Option.Option<string>
}

/** Nothing is read before the token comes back. */
export interface ConfirmationRequired {
  readonly _tag: "ConfirmationRequired"
  readonly estimatedReads: number
  readonly token: string
  readonly expiresAt: DateTime.Utc
}

export type SyncAnswer = { readonly _tag: "Run"; readonly run: SyncRun } | ConfirmationRequired

/** How long a confirmation is good (api.md §3). */
const confirmationLife = Duration.minutes(10)

/** How often a run is looked at that is waited for. */
const lookEvery = Duration.millis(200)

/** Driving service: polls the networks for what webhooks did not bring, and reads a bounded past (api.md §3). */
export class Sync extends Context.Service<
  Sync,
  {
    /** Polls every account of the scope; waits a while for the workers. */
    readonly poll: (caller: EntitledCaller) => Effect.Effect<SyncRun, StoreUnavailable>
    /** Reads the past of X accounts. One that may cost much is asked about first. */
    readonly backfill: (
      caller: EntitledCaller,
      request: BackfillRequest
    ) => Effect.Effect<SyncAnswer, NoBackfillAccount | ConfirmationInvalid | StoreUnavailable>
    /** The run as it is now. */
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<SyncRun, SyncNotFound | StoreUnavailable>
  }
>()("@loopbox/core/inbox/Sync") {
  static readonly layer = (given: Partial<SyncOptions> = {}): Layer.Layer<Sync, never, SyncStore | SecureRandom> =>
    Layer.effect(
      Sync,
      Effect.suspend(() => make({ ...defaultOptions, ...given }))
    )
}

const isSyncId = Schema.is(SyncId)

/** The networks of which the caller's plan has anything. */
const networksOf = ({ sources }: EntitledCaller): ReadonlySet<Network> =>
  new Set(networks.filter((network) => sourcesOf(network).some((source) => sources.has(source))))

const userOf = ({ scope }: EntitledCaller): Option.Option<string> =>
  scope._tag === "WorkspaceScope" ? Option.none() : Option.some(scope.externalUserId)

const make = Effect.fnUntraced(function* ({ confirmAbove, patience }: SyncOptions) {
  const store = yield* SyncStore
  const random = yield* SecureRandom

  const find = Effect.fn("Sync.find")(function* (caller: EntitledCaller, id: string) {
    const run = isSyncId(id) ? yield* store.find(caller.scope, id) : Option.none<SyncRun>()
    if (Option.isNone(run)) return yield* new SyncNotFound({ syncId: id })
    return run.value
  })

  /** The run when it is completed, or as it is when patience ends; whoever stops waiting stops no work. */
  const waitFor = Effect.fnUntraced(function* ({ scope }: EntitledCaller, started: SyncRun) {
    let run = started
    yield* Effect.gen(function* () {
      while (!run.isCompleted) {
        yield* Effect.sleep(lookEvery)
        const found = yield* store.find(scope, run.id)
        if (Option.isNone(found)) return
        run = found.value
      }
    }).pipe(Effect.timeoutOption(patience))
    return run
  })

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
    const run = yield* store.start(
      { id, scope: caller.scope, createdAt, ...asked },
      ({ account, nextPollAt, state }) => {
        const done = doneWithoutCall(account, state, nextPollAt, createdAt)
        return Option.isNone(asked.backfill) ? done : Option.map(done, withoutReads)
      }
    )
    return yield* waitFor(caller, run)
  })

  /** What a confirmation says of this request: go on, or the run that it let begin before. */
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
      networks: new Set(Array.from(networksOf(caller)).filter((network) => network === "x")),
      backfill: Option.some(request.input),
      confirmation: request.confirmation
    }
    const now = yield* DateTime.now
    const confirmed = yield* judge(caller, request, now)
    if (Option.isSome(confirmed) && Option.isSome(confirmed.value.usedBy)) {
      const run = yield* store.find(caller.scope, confirmed.value.usedBy.value)
      if (Option.isSome(run)) return { _tag: "Run", run: yield* waitFor(caller, run.value) } satisfies SyncAnswer
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
      start(caller, { networks: networksOf(caller), backfill: Option.none(), confirmation: Option.none() })
    ),
    backfill,
    find
  })
})

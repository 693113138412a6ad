import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Network } from "../connectors/Source.ts"
import { defaultBackfill } from "../inbox/backfillRules.ts"
import { NoBackfillAccount } from "../inbox/InboxErrors.ts"
import type { BackfillRequest, SyncAnswer } from "../inbox/Sync.ts"
import {
  type BackfillCounts,
  newItemsOf,
  type StopReason,
  type SyncCode,
  type SyncRun,
  type SyncStep
} from "../inbox/SyncRun.ts"
import { SocialAccountId } from "../kernel/Ids.ts"
import { inRange } from "./inRange.ts"

/** How a sync of one account went. */
export interface PlainAccountSync {
  readonly accountId: string
  readonly network: Network
  readonly read: number
  readonly newItems: number
  readonly nextPollAt: Date | null
  readonly errors: ReadonlyArray<{
    readonly step: SyncStep
    readonly code: SyncCode
    readonly message: string
    readonly retryAt: Date | null
  }>
  readonly backfill: (BackfillCounts & { readonly stopReason: StopReason }) | null
}

/** A sync, of the accounts that are done so far. */
export interface PlainSync {
  readonly confirmationRequired: false
  readonly id: string
  readonly status: "completed" | "in_progress"
  readonly newItems: number
  readonly accountsChecked: number
  readonly accounts: ReadonlyArray<PlainAccountSync>
}

/** Nothing was read: send the same backfill with this token. */
export interface PlainConfirmation {
  readonly confirmationRequired: true
  readonly estimatedReads: number
  readonly confirmationToken: string
  readonly expiresAt: Date
}

/** Bounds of a backfill; 7 days and 20 posts of each account unless said. */
export interface BackfillOptions {
  readonly accountId?: string | null | undefined
  /** 1–7. */
  readonly lookbackDays?: number | null | undefined
  /** Of each account, 1–500. */
  readonly maxItems?: number | null | undefined
  readonly confirmationToken?: string | null | undefined
}

const dateOrNull = (time: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(time, DateTime.toDateUtc))

export const toPlainSync = (run: SyncRun): PlainSync => ({
  confirmationRequired: false,
  id: run.id,
  status: run.isCompleted ? "completed" : "in_progress",
  newItems: newItemsOf(run),
  accountsChecked: run.accountsChecked,
  accounts: run.accounts.map(({ backfill, errors, nextPollAt, ...same }) => ({
    ...same,
    nextPollAt: dateOrNull(nextPollAt),
    errors: errors.map(({ retryAt, ...error }) => ({ ...error, retryAt: dateOrNull(retryAt) })),
    backfill: Option.getOrNull(backfill)
  }))
})

export const toPlainAnswer = (answer: SyncAnswer): PlainSync | PlainConfirmation =>
  answer._tag === "Run"
    ? toPlainSync(answer.run)
    : {
        confirmationRequired: true,
        estimatedReads: answer.estimatedReads,
        confirmationToken: answer.token,
        expiresAt: DateTime.toDateUtc(answer.expiresAt)
      }

const isAccountId = Schema.is(SocialAccountId)

/** The request with its defaults; an account whose id is no id is one that is not there. */
export const toBackfill = Effect.fnUntraced(function* (given: BackfillOptions) {
  const accountId = Option.fromNullishOr(given.accountId)
  if (Option.isSome(accountId) && !isAccountId(accountId.value)) return yield* new NoBackfillAccount()
  const request: BackfillRequest = {
    input: {
      accountId: Option.filter(accountId, isAccountId),
      lookbackDays: yield* inRange("lookbackDays", given.lookbackDays ?? defaultBackfill.lookbackDays, 7),
      maxItems: yield* inRange("maxItems", given.maxItems ?? defaultBackfill.maxItems, 500)
    },
    confirmation: Option.fromNullishOr(given.confirmationToken)
  }
  return request
})

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { defaultBackfill } from "@loopbox/core/sync/backfillRules"
import { NoBackfillAccount } from "@loopbox/core/sync/SyncErrors"
import type { BackfillRequest, SyncAnswer } from "@loopbox/core/sync/Sync"
import { type AccountSync, newItemsOf, type SyncRun } from "@loopbox/core/sync/SyncRun"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { inRange } from "./inRange.ts"
import { type Plain, toPlain } from "./toPlain.ts"

/** The result of a sync of one account. */
export interface PlainAccountSync extends Plain<AccountSync> {}

/** A sync with the results of the finished accounts. */
export interface PlainSync {
  readonly confirmationRequired: false
  readonly id: string
  readonly status: "completed" | "in_progress"
  readonly newItems: number
  readonly accountsChecked: number
  readonly accounts: ReadonlyArray<PlainAccountSync>
}

/** Nothing was read yet: repeat the same backfill with this token. */
export interface PlainConfirmation {
  readonly confirmationRequired: true
  readonly estimatedReads: number
  readonly confirmationToken: string
  readonly expiresAt: Date
}

/** Bounds of a backfill; by default 7 days and 20 posts per account. */
export interface BackfillOptions {
  readonly accountId?: string | null | undefined
  /** 1–7. */
  readonly lookbackDays?: number | null | undefined
  /** Per account, 1–500. */
  readonly maxItems?: number | null | undefined
  readonly confirmationToken?: string | null | undefined
}

export const toPlainSync = (run: SyncRun): PlainSync => ({
  confirmationRequired: false,
  id: run.id,
  status: run.isCompleted ? "completed" : "in_progress",
  newItems: newItemsOf(run),
  accountsChecked: run.accountsChecked,
  accounts: toPlain(run.accounts)
})

export const toPlainAnswer = (answer: SyncAnswer): PlainSync | PlainConfirmation => {
  if (answer._tag === "Run") return toPlainSync(answer.run)
  const { estimatedReads, expiresAt, token } = toPlain(answer)
  return { confirmationRequired: true, estimatedReads, confirmationToken: token, expiresAt }
}

const isAccountId = Schema.is(SocialAccountId)

/** The request with its defaults. A malformed account id counts as not found. */
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

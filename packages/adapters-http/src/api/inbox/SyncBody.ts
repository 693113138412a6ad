import { NetworkName } from "../names.ts"
import { newItemsOf, type SyncRun, StopReason, SyncCode, SyncStep } from "@loopbox/core/sync/SyncRun"
import type { ConfirmationRequired } from "@loopbox/core/sync/Sync"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { wholeNumber } from "../wholeNumber.ts"

const ofAccount = { social_account_id: Schema.String, network: NetworkName }

const SyncErrorBody = Schema.Struct({
  ...ofAccount,
  step: SyncStep,
  code: SyncCode,
  message: Schema.String.annotate({ description: "For a person: what to do." }),
  retry_at: Schema.NullOr(Time)
})

const SyncDetailBody = Schema.Struct({
  ...ofAccount,
  read: Schema.Int.annotate({ description: "What the network sent, as it counts." }),
  new_items: Schema.Int,
  next_poll_at: Schema.NullOr(Time).annotate({ description: "Null where it is not polled by itself." }),
  stop_reason: Schema.optionalKey(StopReason.annotate({ description: "Of a backfill: why it ended." }))
})

/** A sync on the wire (api.md §3): of the accounts that are done so far. */
export const SyncBody = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["completed", "in_progress"]).annotate({
    description: "`in_progress`: it goes on by itself; ask for it by its id, or wait for `inbox.sync_complete`."
  }),
  new_items: Schema.Int,
  accounts_checked: Schema.Int,
  errors: Schema.Array(SyncErrorBody),
  details: Schema.Array(SyncDetailBody),
  accepted: Schema.optionalKey(Schema.Int.annotate({ description: "Of a backfill: posts that are new items." })),
  duplicates: Schema.optionalKey(Schema.Int.annotate({ description: "Of a backfill: posts that were known." })),
  suppressed: Schema.optionalKey(Schema.Int.annotate({ description: "Of a backfill: posts not for the inbox." }))
}).annotate({
  identifier: "InboxSync",
  examples: [
    {
      id: "syn_01k9j8p5s7u9w1y3a5c7e9g1i3",
      status: "completed",
      new_items: 3,
      accounts_checked: 2,
      errors: [
        {
          social_account_id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c",
          network: "instagram",
          step: "messages",
          code: "RATE_LIMITED",
          message: "The network limits how often this account is asked.",
          retry_at: "2026-11-21T07:12:00.000Z"
        }
      ],
      details: [
        {
          social_account_id: "acc_01k9j8kz9e7t5r3p1m9j7g5e3c",
          network: "instagram",
          read: 41,
          new_items: 3,
          next_poll_at: "2026-11-21T07:12:00.000Z"
        },
        {
          social_account_id: "acc_01k9j8kza1b3d5f7h9j1m3p5r7",
          network: "x",
          read: 0,
          new_items: 0,
          next_poll_at: "2026-11-21T07:05:02.000Z"
        }
      ]
    }
  ]
})
export type SyncBody = typeof SyncBody.Type

/** A backfill that may cost much: nothing was read. */
export const ConfirmationBody = Schema.Struct({
  confirmation_required: Schema.Literal(true),
  estimated_reads: Schema.Int.annotate({ description: "Posts that X may charge for." }),
  confirmation_token: Schema.String.annotate({
    description: "Send the same request with it; once, in the same scope."
  }),
  confirmation_expires_at: Time
}).annotate({
  identifier: "BackfillConfirmation",
  examples: [
    {
      confirmation_required: true,
      estimated_reads: 500,
      confirmation_token: "4rk2m8x0v6q1s9t3w5y7z2a4c6e8g0j1",
      confirmation_expires_at: "2026-11-21T07:10:00.000Z"
    }
  ]
})
export type ConfirmationBody = typeof ConfirmationBody.Type

const boundedInt = (maximum: number) => wholeNumber({ minimum: 1, maximum })

/** What a sync is asked with; nothing, or an empty object, polls. */
export const SyncRequest = Schema.Struct({
  x_backfill: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        social_account_id: Schema.optionalKey(
          Schema.NullOr(Schema.String).annotate({ description: "One X account; absent for all of the scope." })
        ),
        lookback_days: Schema.optionalKey(
          Schema.NullOr(boundedInt(7)).annotate({ description: "1–7; 7 unless said otherwise." })
        ),
        max_items: Schema.optionalKey(
          Schema.NullOr(boundedInt(500)).annotate({ description: "Of each account: 1–500; 20 unless said otherwise." })
        ),
        confirmation_token: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    ).annotate({ description: "Reads the past of X accounts, within bounds: X charges for each post." })
  )
}).annotate({ examples: [{}, { x_backfill: { lookback_days: 3, max_items: 50 } }] })
export type SyncRequest = typeof SyncRequest.Type

const timeOrNull = (time: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(time, DateTime.formatIso))

export const toSyncBody = (run: SyncRun): SyncBody => {
  const counts = run.accounts.flatMap(({ backfill }) => Option.toArray(backfill))
  const sum = (of: (one: (typeof counts)[number]) => number) => counts.reduce((total, one) => total + of(one), 0)
  return {
    id: run.id,
    status: run.isCompleted ? "completed" : "in_progress",
    new_items: newItemsOf(run),
    accounts_checked: run.accountsChecked,
    errors: run.accounts.flatMap(({ accountId, errors, network }) =>
      errors.map(({ code, message, retryAt, step }) => ({
        social_account_id: accountId,
        network,
        step,
        code,
        message,
        retry_at: timeOrNull(retryAt)
      }))
    ),
    details: run.accounts.map(({ accountId, backfill, network, newItems, nextPollAt, read }) => ({
      social_account_id: accountId,
      network,
      read,
      new_items: newItems,
      next_poll_at: timeOrNull(nextPollAt),
      ...(Option.isSome(backfill) ? { stop_reason: backfill.value.stopReason } : {})
    })),
    ...(Option.isSome(run.backfill)
      ? {
          accepted: sum(({ accepted }) => accepted),
          duplicates: sum(({ duplicates }) => duplicates),
          suppressed: sum(({ suppressed }) => suppressed)
        }
      : {})
  }
}

export const toConfirmationBody = ({ estimatedReads, expiresAt, token }: ConfirmationRequired): ConfirmationBody => ({
  confirmation_required: true,
  estimated_reads: estimatedReads,
  confirmation_token: token,
  confirmation_expires_at: DateTime.formatIso(expiresAt)
})

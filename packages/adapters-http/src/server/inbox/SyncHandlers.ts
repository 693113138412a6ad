import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { defaultBackfill } from "@loopbox/core/sync/backfillRules"
import { NoBackfillAccount } from "@loopbox/core/sync/SyncErrors"
import { Sync } from "@loopbox/core/sync/Sync"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { SyncRequest, toConfirmationBody, toSyncBody } from "../../api/inbox/SyncBody.ts"
import { readOptionalJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { findRefusals, startRefusals } from "./syncRefusals.ts"

const isAccountId = Schema.is(SocialAccountId)

type Backfill = Exclude<SyncRequest["x_backfill"], null | undefined>

const toBackfill = Effect.fnUntraced(function* (given: Backfill) {
  const accountId = Option.fromNullishOr(given.social_account_id)
  // A malformed id is one that is not there.
  if (Option.isSome(accountId) && !isAccountId(accountId.value)) return yield* new NoBackfillAccount()
  return {
    input: {
      accountId: Option.filter(accountId, isAccountId),
      lookbackDays: given.lookback_days ?? defaultBackfill.lookbackDays,
      maxItems: given.max_items ?? defaultBackfill.maxItems
    },
    confirmation: Option.fromNullishOr(given.confirmation_token)
  }
})

export const layer = HttpApiBuilder.group(
  Api,
  "sync",
  Effect.fnUntraced(function* (handlers) {
    const sync = yield* Sync

    const start = Effect.fnUntraced(function* (caller: EntitledCaller, { x_backfill: backfill }: SyncRequest) {
      if (backfill === undefined || backfill === null) return toSyncBody(yield* sync.poll(caller))
      const answered = yield* sync.backfill(caller, yield* toBackfill(backfill))
      return answered._tag === "Run" ? toSyncBody(answered.run) : toConfirmationBody(answered)
    })

    return handlers
      .handleRaw(
        "start",
        Effect.fnUntraced(function* () {
          const caller = yield* CurrentEntitlement
          const request = yield* readOptionalJson(SyncRequest)
          return yield* answer(
            yield* start(
              caller,
              Option.getOrElse(request, () => ({}))
            )
          )
        }, Effect.catchTags(startRefusals))
      )
      .handle(
        "find",
        Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toSyncBody(yield* sync.find(yield* CurrentEntitlement, params.id)))
        }, Effect.catchTags(findRefusals))
      )
  })
)

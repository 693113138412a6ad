import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { AccountTokens, OpenAccount } from "../accounts/AccountTokens.ts"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { WriteFailed } from "../networks/ConnectorErrors.ts"
import type { Moderation, ModeratedItem, NetworkModerate } from "../networks/moderating/NetworkModerate.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import { ActionLimited, ActionRefused, ActionUncertain, ReconnectRequired } from "./ModerationErrors.ts"

/** How long an outcome that is not known is asked for again (api-2.md §13). */
const knownWithin = Duration.seconds(20)

/** 0.5 s, 0.75 s, 1.1 s …, at most 3 s. */
const pauses = Schedule.min([Schedule.exponential("500 millis", 1.5), Schedule.spaced("3 seconds")])

/** How an action fails at its network. */
export type ActionFailed = ReconnectRequired | ActionLimited | ActionRefused | ActionUncertain

/** `done`: the item is as asked for. `gone`: it is no longer on the network. */
export type ActionOutcome = "done" | "gone"

const isOpen = (error: WriteFailed | ActionLimited | StoreUnavailable): boolean =>
  error._tag === "OutcomeUnknown" ||
  (error._tag === "Unavailable" && (error.reason === "upstream" || error.reason === "unreadable"))

const toFailure = (error: WriteFailed | AccountUnusable): ActionFailed => {
  switch (error._tag) {
    case "AccountUnusable":
      return new ReconnectRequired({ missingScopes: [] })
    case "AuthExpired":
      return new ReconnectRequired({ missingScopes: error.missingScopes })
    case "RateLimited":
      return new ActionLimited({ retryAt: error.retryAt })
    case "Rejected":
      return new ActionRefused({ networkCode: error.networkCode, reason: error.reason })
    case "Unavailable":
    case "OutcomeUnknown":
      return new ActionUncertain({ networkCode: error.networkCode })
  }
}

const toItem = ({ externalId, replyTargetId, source }: LiveItem): ModeratedItem => ({
  source,
  externalId,
  replyTargetId
})

/**
 * Does something with an item at its network. What is asked for has one effect however often it is done, so an outcome
 * that is not known is asked for again, for up to 20 seconds. `keepPace` comes before each call.
 */
export const actOnNetwork = (
  tokens: AccountTokens["Service"],
  { act }: NetworkModerate,
  item: LiveItem,
  moderation: Moderation,
  keepPace: Effect.Effect<void, ActionLimited | StoreUnavailable>
): Effect.Effect<ActionOutcome, ActionFailed | StoreUnavailable> => {
  const attempt = (account: OpenAccount) =>
    Effect.andThen(
      keepPace,
      account.use((access) => act(access, toItem(item), moderation))
    )
  return Effect.flatMap(tokens.open(item.workspaceId, item.accountId), (account) =>
    Effect.retry(attempt(account), { while: isOpen, schedule: pauses })
  ).pipe(
    Effect.timeoutOrElse({
      duration: knownWithin,
      orElse: () => Effect.fail(new ActionUncertain({ networkCode: Option.none() }))
    }),
    Effect.as<ActionOutcome>("done"),
    Effect.catchIf(
      (error) => error._tag === "Rejected" && error.reason === "gone",
      () => Effect.succeed<ActionOutcome>("gone")
    ),
    Effect.mapError((error) =>
      error._tag === "StoreUnavailable" || error._tag === "ActionUncertain" || error._tag === "ActionLimited"
        ? error
        : toFailure(error)
    )
  )
}

import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import { type ActedItem, type ActingAccount, type ActionRefusal, judgeAction } from "../items/acting/judgeAction.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import type { Source } from "../networks/Source.ts"
import type { ReplyTerms } from "./judgeReply.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import { expire } from "../outbound/transitions.ts"

const action = "private_reply"

export const notAvailable = (reason: ActionRefusal, missingScopes: ReadonlyArray<string> = []): ActionNotAvailable =>
  new ActionNotAvailable({ action, reason, missingScopes })

/** The direct messages of a source's network, if it knows private replies. */
export const messagesOf = (networks: NetworkTable, source: Source): Option.Option<Source> => {
  const { actions, network } = networks.traitsOf(source)
  return actions.some(({ name }) => name === action)
    ? Option.fromUndefinedOr(networks.sourcesOf(network).find((one) => networks.traitsOf(one).kind === "message"))
    : Option.none()
}

/** Whether a comment may be answered privately now (api-2.md §13). */
export const judgePrivateReply = (
  networks: NetworkTable,
  item: ActedItem,
  account: ActingAccount,
  now: DateTime.Utc
): Result.Result<void, ActionNotAvailable> => {
  const verdict = judgeAction(networks, action, item, account, Option.none(), now)
  return verdict._tag === "Refused"
    ? Result.fail(notAvailable(verdict.reason, verdict.missingScopes))
    : Result.succeed(undefined)
}

/** The same beside the item's other private replies. One that waits for a replay of its key is no obstacle. */
export const judgeRivals = (
  allowed: Result.Result<void, ActionNotAvailable>,
  rivals: ReadonlyArray<OutboundOperation>,
  now: DateTime.Utc
): Result.Result<ReplyTerms, ActionNotAvailable> => {
  const isOnItsWay = rivals.some((rival) => {
    const { state } = expire(rival, now)
    return state._tag !== "Held" && state._tag !== "Rejected"
  })
  return isOnItsWay ? Result.fail(notAvailable("already_replied")) : Result.map(allowed, () => ({ isTagged: false }))
}

import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { InboundActivity, Posted } from "../networks/InboundActivity.ts"
import type { InboxItemId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { ItemActivity, ToldActivity } from "./mergeActivity.ts"

/** An activity on its way from a webhook or a poll to the store. It is made once, when its account is known. */
export interface Arrival {
  readonly activity: ItemActivity
  /** The id of the item, if this creates it. */
  readonly newId: InboxItemId
  /** Start of the request that read it, which is the time that it describes. `none` for webhooks. */
  readonly polledAt: Option.Option<DateTime.Utc>
}

/** What arrived for one account. */
export interface AccountArrivals {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly arrivals: ReadonlyArray<Arrival>
}

/** The whole item that an activity tells of; absent where it tells of a part. */
export const postedIn = (activity: ItemActivity): Posted | undefined =>
  activity._tag === "Posted" ? activity : activity._tag === "Edited" ? Option.getOrUndefined(activity.whole) : undefined

/** Whether an activity says something of an item; the others say something of the account. */
export const isOfItem = (activity: InboundActivity): activity is ToldActivity =>
  activity._tag !== "AccessRevoked" && activity._tag !== "Announced"

import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Announced } from "../networks/InboundActivity.ts"
import { keyOf } from "../items/StoredItem.ts"
import type { IngestStore } from "./IngestStore.ts"
import type { RoutedUnit } from "./routeActivities.ts"

/** How long to wait for the webhook of an announced item. */
const patience = Duration.seconds(3)

/** Whether the webhook of the item may still arrive. */
export const isAwaited = ({ toldAt }: Announced, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, DateTime.addDuration(toldAt, patience))

/** Announced items that are neither in these activities nor stored. */
export const findMissingAnnounced = Effect.fnUntraced(function* (
  store: IngestStore["Service"],
  { accountId, announced, arrivals, workspaceId }: RoutedUnit
) {
  const come = new Set(
    arrivals.flatMap(({ activity }) =>
      activity._tag === "Posted" || activity._tag === "Deleted" ? [keyOf(activity)] : []
    )
  )
  const others = announced.filter((one) => !come.has(keyOf(one)))
  if (others.length === 0) return []
  const known = yield* store.findThreadKeys(workspaceId, accountId, others)
  return others.filter((one) => !known.has(keyOf(one)))
})

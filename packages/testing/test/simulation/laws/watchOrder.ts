import { assert } from "@effect/vitest"
import { Context, Effect, Equal, Layer, Option } from "effect"
import type { KeptEvent, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { IngestStore, type IngestUnit } from "@loopbox/core/inbox/IngestStore"
import type { ItemActivity } from "@loopbox/core/items/mergeActivity"
import { threadOf } from "@loopbox/core/items/StoredItem"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"

/** What the events of one change promise: each comes after what it follows from. */
export class OrderLaw extends Context.Service<
  OrderLaw,
  {
    readonly violations: Array<string>
    /** Up to which number the log of each workspace was judged. */
    readonly judged: Map<WorkspaceId, number>
  }
>()("OrderLaw") {
  static readonly layer: Layer.Layer<OrderLaw> = Layer.sync(OrderLaw, () => ({ violations: [], judged: new Map() }))
}

/** Ids of later edits, and the items that they are of: an item may be deleted by any of them. */
const aliasesOf = (inbox: MemoryInbox, { accountId, arrivals }: IngestUnit): ReadonlyMap<string, string> => {
  const aliases = new Map<string, string>()
  for (const item of inbox.accounts.get(accountId)?.items.values() ?? [])
    if (item._tag === "ItemAlias") aliases.set(item.externalId, item.of)
  for (const { activity } of arrivals) {
    const whole = activity._tag === "Edited" ? Option.getOrUndefined(activity.whole) : activity
    if (whole?._tag === "Posted") aliases.set(whole.replyTargetId, whole.externalId)
  }
  return aliases
}

const namesOf = (activity: ItemActivity, aliases: ReadonlyMap<string, string>): ReadonlyArray<string> => [
  activity.externalId,
  aliases.get(activity.externalId) ?? activity.externalId,
  ...(activity._tag === "Edited" ? Option.toArray(activity.whole).map(({ externalId }) => externalId) : [])
]

/** The network's id of the item that an event is about; absent for other events. */
const itemOf = ({ index }: MemoryInbox, { event }: KeptEvent): string | undefined => {
  if (event._tag === "NewItem" || event._tag === "ItemUpdated") return event.item.externalId
  if (event._tag !== "ItemDeleted") return undefined
  // Its key is its source and the network's id.
  const key = index.get(event.itemId)?.key
  return key?.slice(key.indexOf(" ") + 1)
}

/** Events are in the order of what arrived, and a thread is told after the item that brought it back. */
const judgeIngest = (
  inbox: MemoryInbox,
  { arrivals }: IngestUnit,
  aliases: ReadonlyMap<string, string>,
  events: ReadonlyArray<KeptEvent>
) => {
  const wrong: Array<string> = []
  let place = 0
  for (const [n, kept] of events.entries()) {
    const { event, seq } = kept
    if (event._tag === "NewItem" && inbox.index.get(event.item.id)?.seq !== seq)
      wrong.push(`event ${seq}: its item has another number`)
    if (event._tag === "ThreadUpdated") {
      const before = events[n - 1]?.event
      // What the account itself has written brings nothing back.
      const isBroughtBack =
        before?._tag === "NewItem" &&
        !before.item.isOwn &&
        before.accountId === event.accountId &&
        threadOf(before.item) === threadOf(event)
      if (!isBroughtBack) wrong.push(`event ${seq} tells of a thread before the item that brought it back`)
    }
    const name = itemOf(inbox, kept)
    // An item may have arrived under the id of a later edit.
    if (name === undefined || !arrivals.some(({ activity }) => namesOf(activity, aliases).includes(name))) continue
    const found = arrivals.findIndex(({ activity }, at) => at >= place && namesOf(activity, aliases).includes(name))
    if (found < 0) wrong.push(`event ${seq} of ${name} is not in the order in which it arrived`)
    else place = found
  }
  return wrong
}

const watchItems = (right: IngestStore["Service"], { violations }: OrderLaw["Service"], inbox: MemoryInbox) =>
  IngestStore.of({
    ...right,
    ingest: (unit) =>
      Effect.suspend(() => {
        const before = inbox.logs.get(unit.workspaceId)?.last ?? 0
        const aliases = aliasesOf(inbox, unit)
        return Effect.tap(right.ingest(unit), ({ events }) =>
          Effect.sync(() => {
            const log = inbox.logs.get(unit.workspaceId)
            // Where another transaction came in between, it is not known which events are whose.
            if (log === undefined || log.last - before !== events) return
            const own = log.events.filter(({ seq }) => seq > before)
            violations.push(...judgeIngest(inbox, unit, aliases, own))
          })
        )
      })
  })

/** The ports of the inbox under the law of order. */
export const watchOrder = Layer.effect(
  IngestStore,
  Effect.gen(function* () {
    return watchItems(yield* IngestStore, yield* OrderLaw, (yield* MemoryState).inbox)
  })
)

/** Whether an event follows from the one before it, where it has to. */
const follows = ({ event }: KeptEvent, before: KeptEvent["event"]): boolean => {
  switch (event._tag) {
    case "PostPublished":
    case "PostPartial":
    case "PostFailed":
      return before._tag === "PostTargetUpdated" && Equal.equals(before.post, event.post)
    case "AccountDisconnected":
      return before._tag === "AccountMoved" && before.accountId === event.accountId
    default:
      return true
  }
}

/** What must hold at every moment, whatever is under way: of all events that were written since. */
export const checkOrder = Effect.gen(function* () {
  const { judged, violations } = yield* OrderLaw
  const { inbox } = yield* MemoryState
  for (const [workspaceId, { events, last }] of inbox.logs) {
    const from = judged.get(workspaceId) ?? 0
    judged.set(workspaceId, last)
    for (let n = events.length - 1; n > 0; n--) {
      const [before, one] = [events[n - 1], events[n]]
      if (before === undefined || one === undefined || one.seq <= from) break
      if (one.seq <= before.seq) violations.push(`event ${one.seq} stands behind event ${before.seq}`)
      // Between them may have been what was erased.
      if (one.seq === before.seq + 1 && !follows(one, before.event))
        violations.push(`event ${one.seq} (${one.event._tag}) comes before what it follows from`)
    }
  }
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
})

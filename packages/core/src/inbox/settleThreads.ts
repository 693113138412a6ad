import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { connectorOf, type Connectors } from "../networks/Connectors.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import { Edited, Posted } from "../networks/InboundActivity.ts"
import type { AccountTokens, OpenAccount } from "../accounts/AccountTokens.ts"
import type { IngestStore } from "./IngestStore.ts"
import { type AccountArrivals, type Arrival, postedIn } from "../items/Arrival.ts"
import { type ItemKey, keyOf } from "../items/StoredItem.ts"

export interface SettlePorts {
  readonly networks: NetworkTable
  readonly tokens: AccountTokens["Service"]
  readonly store: IngestStore["Service"]
  readonly connectors: Connectors["Service"]
}

/** Concurrent calls to a network for one account. */
const callsAtOnce = 4

interface Unsettled {
  readonly posted: Posted
  readonly parent: ItemKey
}

const unsettledOf = (arrivals: ReadonlyArray<Arrival>): ReadonlyArray<Unsettled> =>
  arrivals.flatMap(({ activity }) => {
    const posted = postedIn(activity)
    return posted?.threadKey._tag === "RootOf"
      ? [{ posted, parent: { source: posted.source, externalId: posted.threadKey.parentExternalId } }]
      : []
  })

/** Copies keys from parents to their answers, until no more keys are found. */
const inherit = (unsettled: ReadonlyArray<Unsettled>, keys: Map<string, string>): ReadonlyArray<Unsettled> => {
  let open = unsettled.filter(({ posted }) => !keys.has(keyOf(posted)))
  let before: number
  do {
    before = open.length
    open = open.filter(({ parent, posted }) => {
      const key = keys.get(keyOf(parent))
      if (key !== undefined) keys.set(keyOf(posted), key)
      return key === undefined
    })
  } while (open.length < before)
  return open
}

const withKey = (networks: NetworkTable, posted: Posted, keys: ReadonlyMap<string, string>): Posted | undefined => {
  if (posted.threadKey._tag === "Known") return posted
  const traits = networks.traitsOf(posted.source)
  const key = keys.get(keyOf(posted))
  if (key === undefined) return undefined
  return new Posted({
    ...posted,
    threadKey: { _tag: "Known", key },
    // If the thread key is the id of the root post, it is also the linked post, unless this item is the root.
    linkedPostId:
      traits.rootIsThreadKey && key !== posted.externalId
        ? Option.orElse(posted.linkedPostId, () => Option.some(key))
        : posted.linkedPostId
  })
}

const settled = (
  networks: NetworkTable,
  arrival: Arrival,
  keys: ReadonlyMap<string, string>
): ReadonlyArray<Arrival> => {
  const { activity } = arrival
  const posted = postedIn(activity)
  if (posted === undefined) return [arrival]
  const known = withKey(networks, posted, keys)
  if (known === undefined) return []
  const told = activity._tag === "Edited" ? new Edited({ ...activity, whole: Option.some(known) }) : known
  return [{ ...arrival, activity: told }]
}

/** Looks up one thread at the network; `none` when it can't be called now. */
const ask = ({ connectors, networks }: SettlePorts, { use }: OpenAccount, { parent, posted }: Unsettled) =>
  use((access) =>
    connectorOf(networks, connectors, posted.source).findThreadKey(access, {
      source: posted.source,
      externalId: posted.externalId,
      parentExternalId: parent.externalId
    })
  ).pipe(
    Effect.map(Option.some),
    Effect.catchTags({
      Rejected: () => Effect.succeed(Option.some(parent.externalId)),
      AuthExpired: () => Effect.succeedNone,
      RateLimited: () => Effect.succeedNone,
      Unavailable: () => Effect.succeedNone
    })
  )

/**
 * Finds the key of every thread before its item is stored: from stored items, from the parent in the same delivery,
 * else from the network. On the last attempt (`isLastTry`) it is the parent's id (social-networks.md §5).
 *
 * @returns the activities with a key, and those `waiting` because the network can't be called now.
 */
export const settleThreads = Effect.fnUntraced(function* (
  ports: SettlePorts,
  unit: AccountArrivals,
  isLastTry: boolean
) {
  const unsettled = unsettledOf(unit.arrivals)
  if (unsettled.length === 0) return { arrivals: unit.arrivals, waiting: [] }
  const wanted = unsettled.flatMap(({ parent, posted }) => [posted, parent])
  const keys = new Map(yield* ports.store.findThreadKeys(unit.workspaceId, unit.accountId, wanted))
  for (const { activity } of unit.arrivals) {
    const posted = postedIn(activity)
    if (posted?.threadKey._tag === "Known" && !keys.has(keyOf(posted))) keys.set(keyOf(posted), posted.threadKey.key)
  }
  const open = inherit(unsettled, keys)
  // An answer to an item that is itself open inherits its key, without a call.
  const asked = new Set(open.map(({ posted }) => keyOf(posted)))
  const roots = open.filter(({ parent }) => !asked.has(keyOf(parent)))
  const account =
    roots.length === 0
      ? Option.none()
      : yield* Effect.asSome(ports.tokens.open(unit.workspaceId, unit.accountId)).pipe(
          Effect.catchTag("AccountUnusable", () => Effect.succeedNone)
        )
  yield* Effect.forEach(
    roots,
    Effect.fnUntraced(function* (root) {
      const told = Option.isSome(account) ? yield* ask(ports, account.value, root) : Option.none()
      const key = Option.orElse(told, () => (isLastTry ? Option.some(root.parent.externalId) : Option.none()))
      if (Option.isSome(key)) keys.set(keyOf(root.posted), key.value)
    }),
    { concurrency: callsAtOnce, discard: true }
  )
  const left = inherit(open, keys)
  return {
    arrivals: unit.arrivals.flatMap((arrival) => settled(ports.networks, arrival, keys)),
    waiting: left.map(({ posted }) => posted)
  }
})

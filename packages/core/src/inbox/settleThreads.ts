import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { connectorOf, type Connectors } from "../connectors/Connectors.ts"
import { Edited, Posted } from "../connectors/InboundActivity.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { AccountTokens, OpenAccount } from "./AccountTokens.ts"
import type { InboxStore } from "./InboxStore.ts"
import type { ItemActivity } from "./mergeActivity.ts"
import { type ItemKey, keyOf } from "./StoredItem.ts"

export interface SettlePorts {
  readonly tokens: AccountTokens["Service"]
  readonly store: InboxStore["Service"]
  readonly connectors: Connectors["Service"]
}

/** An activity, and when the request began that read it; none for what the network sent by itself. */
export interface HeardActivity {
  readonly activity: ItemActivity
  readonly polledAt: Option.Option<DateTime.Utc>
}

export interface UnsettledUnit {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly activities: ReadonlyArray<HeardActivity>
  /** Time is up: what the network did not tell by now, it need not tell. */
  readonly isLastTry: boolean
}

export interface SettledThreads {
  readonly activities: ReadonlyArray<HeardActivity>
  /** How many had to be left out, for the network can't be asked now. */
  readonly waiting: number
}

/** Calls to a network at once for one account. */
const callsAtOnce = 4

const postedIn = (activity: ItemActivity): Posted | undefined =>
  activity._tag === "Posted" ? activity : activity._tag === "Edited" ? Option.getOrUndefined(activity.whole) : undefined

interface Unsettled {
  readonly posted: Posted
  readonly parent: ItemKey
}

const unsettledOf = (activities: ReadonlyArray<HeardActivity>): ReadonlyArray<Unsettled> =>
  activities.flatMap(({ activity }) => {
    const posted = postedIn(activity)
    return posted?.threadKey._tag === "RootOf"
      ? [{ posted, parent: { source: posted.source, externalId: posted.threadKey.parentExternalId } }]
      : []
  })

/** Hands keys down from parents to what answers them, as long as one is found. */
const inherit = (unsettled: ReadonlyArray<Unsettled>, keys: Map<string, string>): ReadonlyArray<Unsettled> => {
  let open = unsettled.filter(({ posted }) => !keys.has(keyOf(posted)))
  for (let before = open.length + 1; open.length < before;) {
    before = open.length
    open = open.filter(({ parent, posted }) => {
      const key = keys.get(keyOf(parent))
      if (key !== undefined) keys.set(keyOf(posted), key)
      return key === undefined
    })
  }
  return open
}

const withKey = (posted: Posted, keys: ReadonlyMap<string, string>): Posted | undefined => {
  if (posted.threadKey._tag === "Known") return posted
  const key = keys.get(keyOf(posted))
  if (key === undefined) return undefined
  return new Posted({
    ...posted,
    threadKey: { _tag: "Known", key },
    // The post at the root of an X conversation is the conversation's id, unless this is the root.
    linkedPostId:
      posted.source === "x_reply" && key !== posted.externalId
        ? Option.orElse(posted.linkedPostId, () => Option.some(key))
        : posted.linkedPostId
  })
}

const settled = (heard: HeardActivity, keys: ReadonlyMap<string, string>): ReadonlyArray<HeardActivity> => {
  const { activity, polledAt } = heard
  const posted = postedIn(activity)
  if (posted === undefined) return [heard]
  const known = withKey(posted, keys)
  if (known === undefined) return []
  const told = activity._tag === "Edited" ? new Edited({ ...activity, whole: Option.some(known) }) : known
  return [{ activity: told, polledAt }]
}

/** Asks the network for one thread; `none` when it can't be asked now. */
const ask = ({ connectors }: SettlePorts, { use }: OpenAccount, { parent, posted }: Unsettled) =>
  use((access) =>
    connectorOf(connectors, posted.source).findThreadKey(access, {
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
 * Settles the key of every thread before its item is stored: by what is stored, by what the delivery itself says of
 * the parent, else by the network; when the time is up it is the parent's id (social-networks.md §5).
 */
export const settleThreads = Effect.fnUntraced(function* (ports: SettlePorts, unit: UnsettledUnit) {
  const unsettled = unsettledOf(unit.activities)
  if (unsettled.length === 0) return { activities: unit.activities, waiting: 0 }
  const wanted = unsettled.flatMap(({ parent, posted }) => [posted, parent])
  const keys = new Map(yield* ports.store.findThreadKeys(unit.workspaceId, unit.accountId, wanted))
  for (const { activity } of unit.activities) {
    const posted = postedIn(activity)
    if (posted?.threadKey._tag === "Known" && !keys.has(keyOf(posted))) keys.set(keyOf(posted), posted.threadKey.key)
  }
  const open = inherit(unsettled, keys)
  // What answers something that is itself open gets its key by inheritance, without a call.
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
      const key = Option.orElse(told, () => (unit.isLastTry ? Option.some(root.parent.externalId) : Option.none()))
      if (Option.isSome(key)) keys.set(keyOf(root.posted), key.value)
    }),
    { concurrency: callsAtOnce, discard: true }
  )
  const left = inherit(open, keys)
  const result: SettledThreads = {
    activities: unit.activities.flatMap((heard) => settled(heard, keys)),
    waiting: left.length
  }
  return result
})

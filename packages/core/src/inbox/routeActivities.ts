import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountName, ConnectedRoute } from "../accounts/SocialAccounts.ts"
import type { AccountArrivals, Arrival } from "../items/Arrival.ts"
import type { ItemActivity } from "../items/mergeActivity.ts"
import type { AccessRevoked, AccountRoute, Announced, InboundActivity } from "../networks/InboundActivity.ts"

/** What a delivery says to one connected account. */
export interface RoutedUnit extends AccountArrivals {
  readonly announced: ReadonlyArray<Announced>
  readonly revoked: ReadonlyArray<AccessRevoked>
}

interface Filling extends RoutedUnit {
  readonly arrivals: Array<Arrival>
  readonly announced: Array<Announced>
  readonly revoked: Array<AccessRevoked>
}

const textOf = ({ by, network, value }: AccountName): string =>
  `${network} ${by} ${by === "username" ? value.toLowerCase() : value}`

/** The names by which the accounts of a route are found. */
export const namesOfRoute = ({ accountId, network, username }: AccountRoute): ReadonlyArray<AccountName> => [
  ...Option.toArray(Option.map(accountId, (value) => ({ network, by: "id", value }) as const)),
  ...Option.toArray(Option.map(username, (value) => ({ network, by: "username", value }) as const))
]

const namesOf = ({ route }: InboundActivity): ReadonlyArray<AccountName> => namesOfRoute(route)

/** The lane of activities: their first account, so that work on one account is batched. `none` without activities. */
export const laneOf = ([first]: ReadonlyArray<InboundActivity>): Option.Option<string> =>
  Option.map(Option.fromUndefinedOr(first && namesOf(first)[0]), textOf)

/** The accounts that the activities name, without duplicates. */
export const accountNamesOf = (activities: ReadonlyArray<InboundActivity>): ReadonlyArray<AccountName> =>
  Array.from(new Map(activities.flatMap(namesOf).map((name) => [textOf(name), name])).values())

/** The routes by the first of the names that leads anywhere, in each workspace by itself. */
const routesBy = (
  names: ReadonlyArray<AccountName>,
  byName: ReadonlyMap<string, ReadonlyArray<ConnectedRoute>>
): ReadonlyArray<ConnectedRoute> => {
  const found = names.map((name) => byName.get(textOf(name)) ?? [])
  return found.flatMap((some, n) => {
    const before = found.slice(0, n).flat()
    return some.filter(({ workspaceId }) => !before.some((route) => route.workspaceId === workspaceId))
  })
}

/**
 * Groups activities by connected account: those with the account's id, or else those with its user name. If an account
 * is connected in several workspaces, each gets a copy, found by what that workspace knows: an id that another has learnt
 * changes nothing. An account that is not for the inbox gets only what its network
 * says of lost access: a network may go on sending what an earlier connection, or a neighbour, has subscribed.
 */
export const routeActivities = Effect.fnUntraced(function* (
  activities: ReadonlyArray<InboundActivity>,
  routes: ReadonlyArray<ConnectedRoute>,
  arrive: (activity: ItemActivity) => Effect.Effect<Arrival>
) {
  const byName = new Map<string, Array<ConnectedRoute>>()
  for (const route of routes) {
    const text = textOf(route.name)
    byName.set(text, [...(byName.get(text) ?? []), route])
  }
  const units = new Map<string, Filling>()
  let unrouted = 0
  for (const activity of activities) {
    const found = routesBy(namesOf(activity), byName)
    if (found.length === 0) unrouted += 1
    for (const { accountId, isForInbox, workspaceId } of found) {
      if (!isForInbox && activity._tag !== "AccessRevoked") continue
      const unit = units.get(accountId) ?? { workspaceId, accountId, arrivals: [], announced: [], revoked: [] }
      if (activity._tag === "AccessRevoked") unit.revoked.push(activity)
      else if (activity._tag === "Announced") unit.announced.push(activity)
      else unit.arrivals.push(yield* arrive(activity))
      units.set(accountId, unit)
    }
  }
  const routed: ReadonlyArray<RoutedUnit> = Array.from(units.values())
  return { units: routed, unrouted }
})

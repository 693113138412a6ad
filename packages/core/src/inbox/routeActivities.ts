import * as Option from "effect/Option"
import type { AccountName, ConnectedRoute } from "../accounts/SocialAccounts.ts"
import type { InboundActivity } from "../connectors/InboundActivity.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

/** What a delivery says to one connected account, before its threads are settled. */
export interface RoutedUnit {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly activities: ReadonlyArray<InboundActivity>
}

const textOf = ({ by, network, value }: AccountName): string =>
  `${network} ${by} ${by === "username" ? value.toLowerCase() : value}`

const namesOf = ({ route: { accountId, network, username } }: InboundActivity): ReadonlyArray<AccountName> => [
  ...Option.toArray(Option.map(accountId, (value) => ({ network, by: "id", value }) as const)),
  ...Option.toArray(Option.map(username, (value) => ({ network, by: "username", value }) as const))
]

/** Whose activities these are first of all, as a name for work that belongs together; none says nothing of anybody. */
export const laneOf = ([first]: ReadonlyArray<InboundActivity>): Option.Option<string> =>
  Option.map(Option.fromUndefinedOr(first && namesOf(first)[0]), textOf)

/** Every account that the activities name, once. */
export const accountNamesOf = (activities: ReadonlyArray<InboundActivity>): ReadonlyArray<AccountName> =>
  Array.from(new Map(activities.flatMap(namesOf).map((name) => [textOf(name), name])).values())

/**
 * Sorts activities by the connections that they belong to: those of the account's id, and where there is none, those
 * of its user name. One account may be connected in several workspaces, and each gets its own copy.
 */
export const routeActivities = (
  activities: ReadonlyArray<InboundActivity>,
  routes: ReadonlyArray<ConnectedRoute>
): { readonly units: ReadonlyArray<RoutedUnit>; readonly unrouted: number } => {
  const byName = new Map<string, Array<ConnectedRoute>>()
  for (const route of routes) {
    const text = textOf(route.name)
    byName.set(text, [...(byName.get(text) ?? []), route])
  }
  const units = new Map<string, RoutedUnit & { readonly activities: Array<InboundActivity> }>()
  let unrouted = 0
  for (const activity of activities) {
    const found = namesOf(activity)
      .map((name) => byName.get(textOf(name)) ?? [])
      .find((some) => some.length > 0)
    if (found === undefined) unrouted += 1
    for (const { accountId, workspaceId } of found ?? []) {
      const unit = units.get(accountId) ?? { workspaceId, accountId, activities: [] }
      unit.activities.push(activity)
      units.set(accountId, unit)
    }
  }
  return { units: Array.from(units.values()), unrouted }
}

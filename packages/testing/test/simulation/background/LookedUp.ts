import { DateTime, Effect, Layer, Option } from "effect"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { AuthExpired, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { type Person, unknownPerson } from "@loopbox/core/networks/InboundActivity"
import type { AccountInspection } from "@loopbox/core/networks/NetworkConnect"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import * as FakeConnect from "../../../src/fakes/FakeConnect.ts"
import type { Chance } from "../Chance.ts"

/** How a network answers who somebody is: by the number in their id. */
export const fates = ["named", "named", "named", "late", "late", "nobody", "refused", "never"] as const
export const fateOf = (personId: string) => fates[Number(personId.split("-")[1]) % fates.length] ?? "named"

/** How an account is at its network. */
export const moods = ["well", "well", "well", "down", "limited", "narrowed", "unsubscribed", "renamed"] as const
type Mood = (typeof moods)[number]

const allowed = ["may_inbox", "may_publish", "may_moderate"]

/** What networks say of people and of accounts, to whoever looks by himself. */
export const makeLookedUp = (chance: Chance, weather: { readonly isFair: boolean }) => {
  /** How often each person was asked for, of each account. */
  const asked = new Map<string, number>()
  const mood = new Map<string, Mood>()
  /** Accounts whose tokens are dead. */
  const dead = new Set<string>()
  const subscribed = new Set<string>()
  const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const
  const down = new Unavailable({ ...about, reason: "upstream" })
  const slowly = Effect.suspend(() => (chance.isOneIn(3) ? Effect.sleep(chance.below(6_000)) : Effect.void))

  const findPerson: SocialConnector["findPerson"] = Effect.fnUntraced(function* ({ networkAccountId }, _source, id) {
    const name = `${networkAccountId} ${id}`
    const before = asked.get(name) ?? 0
    asked.set(name, before + 1)
    yield* slowly
    const now = yield* DateTime.now
    const fate = fateOf(id)
    if (fate === "nobody") return Option.none()
    if (fate === "refused") return yield* new Rejected({ ...about, reason: "gone" })
    if (fate === "late" && before === 0)
      return yield* new RateLimited({ ...about, retryAt: Option.some(DateTime.add(now, { seconds: 40 })) })
    if (fate === "never" || (fate === "late" && before < 3)) return yield* down
    return Option.some<Person>({ ...unknownPerson, id: Option.some(id), name: Option.some(`Name of ${id}`) })
  })

  const moodOf = ({ networkAccountId }: AccountAccess): Mood =>
    weather.isFair ? "well" : (mood.get(networkAccountId) ?? "well")
  const judgeAccess = Effect.fnUntraced(function* (access: AccountAccess) {
    yield* slowly
    if (dead.has(access.networkAccountId))
      return yield* new AuthExpired({ ...about, reason: "token", missingScopes: [] })
    const now = moodOf(access)
    if (now === "down") return yield* down
    if (now === "limited") return yield* new RateLimited({ ...about, retryAt: Option.none() })
    return now
  })
  const inspect = Effect.fnUntraced(function* (access: AccountAccess) {
    const now = yield* judgeAccess(access)
    const { networkAccountId } = access
    const said: AccountInspection = {
      ids: [networkAccountId],
      name: Option.some(now === "renamed" ? `New ${networkAccountId}` : `Page ${networkAccountId}`),
      username: now === "renamed" ? Option.some(`new_${networkAccountId}`) : Option.none(),
      avatarUrl: Option.none(),
      permissions: Option.some(now === "narrowed" ? allowed.slice(1) : allowed)
    }
    return said
  })
  const isSubscribed = (access: AccountAccess) =>
    Effect.map(judgeAccess(access), () => subscribed.has(access.networkAccountId))
  const subscribe = Effect.fnUntraced(function* (access: AccountAccess) {
    const now = yield* judgeAccess(access)
    if (now === "unsubscribed") return yield* down
    subscribed.add(access.networkAccountId)
  })
  const unsubscribe = ({ networkAccountId }: AccountAccess) =>
    Effect.sync(() => void subscribed.delete(networkAccountId))
  const subscription = Option.some({ isSubscribed, subscribe, unsubscribe })
  const through = (connector: SocialConnector): SocialConnector => ({
    ...connector,
    findPerson,
    ...(connector.connect && {
      connect: connector.connect.map((part) => ({ ...part, inspect, subscription, missingSettings: [] }))
    })
  })
  /** Scripted networks that have dialogs, and say who people and accounts are. */
  const layer = Layer.effect(
    Connectors,
    Effect.map(Connectors, (connectors) => {
      const { facebook, instagram, ...others } = connectors.byNetwork
      return Connectors.of({
        ...connectors,
        byNetwork: {
          ...others,
          ...(instagram && { instagram: through(instagram) }),
          ...(facebook && { facebook: through(facebook) })
        }
      })
    })
  ).pipe(Layer.provideMerge(FakeConnect.layerDialogs))
  return { asked, dead, layer, mood, subscribed }
}

export type LookedUp = ReturnType<typeof makeLookedUp>

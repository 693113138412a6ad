import * as Option from "effect/Option"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import type { Checked } from "./checkAccount.ts"

/** Names of permissions that a network gives to an app, and tells of no token: what it says does not take them away. */
const untoldOf = (networks: NetworkTable, network: SocialAccount["network"]): ReadonlySet<string> =>
  new Set(
    networks
      .sourcesOf(network)
      .flatMap((source) => Option.toArray(networks.traitsOf(source).humanAgent))
      .map(({ permission }) => permission)
  )

/** A check whose permissions have those, too, that the account had and its network tells nothing of. Pure. */
export const keepUntold = (
  networks: NetworkTable,
  { network, permissions }: Pick<SocialAccount, "network" | "permissions">,
  checked: Checked
): Checked => {
  const untold = untoldOf(networks, network)
  const kept = permissions.filter((name) => untold.has(name))
  const found = Option.map(checked.notes.permissions, (told) => [...new Set([...told, ...kept])])
  return { ...checked, notes: { ...checked.notes, permissions: found } }
}

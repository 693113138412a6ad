import type { Network } from "../../names.ts"
import * as Option from "effect/Option"
import type { World } from "../World.ts"
import type { AccountProfile } from "../Writing.ts"
import { standingOwners } from "./standingOwners.ts"
import type { AccountOwner, OwnedAccount } from "./standingOwners.ts"

const everything = ["ANALYZE", "ADVERTISE", "MESSAGING", "MODERATE", "CREATE_CONTENT", "MANAGE"]

const profileOf = (network: Network, { accountId, name, username }: OwnedAccount): AccountProfile => ({
  network,
  accountId,
  name,
  username
})

/** Who may sign in, and with which accounts: some people who are always there, and one who has all other accounts. */
export class Owners {
  private readonly world: World
  /** Pages on which nobody of ours has a role any more. */
  private readonly roleless = new Set<string>()
  /** Instagram accounts that are known to be reached through a Page. */
  private readonly linked = new Map<string, string>()

  constructor(world: World) {
    this.world = world
  }

  readonly of = (network: Network): ReadonlyArray<AccountOwner> => {
    const standing = standingOwners.filter((owner) => owner.network === network)
    const taken = new Set(standing.flatMap(({ accounts }) => accounts.map(({ accountId }) => accountId)))
    const others = this.world.findAccounts(network).filter(({ accountId }) => !taken.has(accountId))
    return [...standing, ...othersOwners(network, others)]
  }

  readonly find = (network: Network, id: string): AccountOwner | undefined =>
    this.of(network).find((owner) => owner.id === id)

  readonly ownerOf = (network: Network, accountId: string): AccountOwner | undefined =>
    this.of(network).find(({ accounts }) => accounts.some((one) => one.accountId === accountId))

  readonly findAccount = (network: Network, accountId: string): OwnedAccount | undefined =>
    this.ownerOf(network, accountId)?.accounts.find((one) => one.accountId === accountId)

  readonly link = (pageId: string, instagramId: string): void => {
    this.linked.set(pageId, instagramId)
  }

  /** The Instagram account that is linked to a Page. */
  readonly instagramOf = (pageId: string): Option.Option<AccountProfile> => {
    const standing = this.findAccount("facebook", pageId)?.instagram
    if (standing !== undefined) return Option.some(profileOf("instagram", standing))
    const id = this.linked.get(pageId)
    return id === undefined ? Option.none() : this.world.findAccount("instagram", id)
  }

  /** The Page through which an Instagram account is reached. */
  readonly pageOf = (instagramId: string): string | undefined => {
    const standing = standingOwners
      .flatMap(({ accounts }) => accounts)
      .find(({ instagram }) => instagram?.accountId === instagramId)
    return standing?.accountId ?? [...this.linked].find(([, id]) => id === instagramId)?.[0]
  }

  readonly hasRole = (pageId: string): boolean => !this.roleless.has(pageId)

  readonly setRole = (pageId: string, hasRole: boolean): void => {
    if (hasRole) this.roleless.delete(pageId)
    else this.roleless.add(pageId)
  }

  readonly profile = profileOf
}

/** On Facebook all belong to one person, elsewhere each account signs in by itself. */
const othersOwners = (network: Network, others: ReadonlyArray<AccountProfile>): ReadonlyArray<AccountOwner> => {
  if (network !== "facebook") {
    return others.map((account) => ({ network, id: account.accountId, name: account.name, accounts: [account] }))
  }
  const accounts = others.map((account) => ({ ...account, tasks: everything }))
  return accounts.length === 0 ? [] : [{ network, id: "122000000000000001", name: "Olga Keller", accounts }]
}

import type { components } from "@loopbox/client"

export type Account = components["schemas"]["ConnectedAccount"]

/** Accounts of one owner: a managed user, or the workspace itself (null). */
export interface AccountGroup {
  readonly externalUserId: string | null
  readonly accounts: ReadonlyArray<Account>
}

/** Whether an account has some words, in its name, its network or its owner's id. */
export const hasWords = ({ external_user_id, name, network, username }: Account, words: string): boolean =>
  `${name} ${username ?? ""} ${network} ${external_user_id ?? ""}`
    .toLocaleLowerCase()
    .includes(words.trim().toLocaleLowerCase())

/** The workspace's own first, then by managed user; the order within a group stays. */
export const groupsOf = (accounts: ReadonlyArray<Account>): ReadonlyArray<AccountGroup> => {
  const groups = new Map<string | null, Array<Account>>()
  for (const account of accounts) {
    const there = groups.get(account.external_user_id)
    if (there === undefined) groups.set(account.external_user_id, [account])
    else there.push(account)
  }
  return [...groups]
    .map(([externalUserId, all]) => ({ externalUserId, accounts: all }))
    .sort((one, other) => (one.externalUserId ?? "").localeCompare(other.externalUserId ?? ""))
}

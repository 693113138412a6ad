import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import type { AccountProfile } from "./Writing.ts"

type Named = Pick<AccountProfile, "network" | "accountId">

/** X's subscription of one kind of events of one account. */
export interface XSubscription {
  readonly id: string
  readonly eventType: string
  readonly accountId: string
  readonly tag: string | undefined
  readonly createdAt: DateTime.Utc
}

const key = ({ accountId, network }: { readonly network: Network; readonly accountId: string }): string =>
  `${network}:${accountId}`

/** As many as X lets an app have. */
const mostOfX = 1_500

/**
 * The accounts whose webhooks are sent: none, until somebody subscribes it. Instagram and Facebook have an endpoint for
 * that, Threads the app's dashboard, X an endpoint that takes one kind of events at a time.
 */
export class Subscriptions {
  private readonly accounts = new Set<string>()
  private readonly ofX = new Map<string, XSubscription>()

  readonly has = (account: Named): boolean => this.accounts.has(key(account))

  /** Whether the network tells of this; the kind of event is one of X. */
  readonly hears = (account: Named, xEventType: string): boolean =>
    this.has(account) || (account.network === "x" && this.find(account.accountId, xEventType) !== undefined)

  /** Whether it was another state before. */
  readonly set = (account: Named, isSubscribed: boolean): boolean => {
    const name = key(account)
    if (this.accounts.has(name) === isSubscribed) return false
    if (isSubscribed) this.accounts.add(name)
    else this.accounts.delete(name)
    return true
  }

  readonly listOfX = (): ReadonlyArray<XSubscription> => [...this.ofX.values()]

  /** Whether there was room, and none like it. */
  readonly addOfX = (subscription: XSubscription): boolean => {
    const { accountId, eventType, id } = subscription
    if (this.ofX.size >= mostOfX || this.find(accountId, eventType) !== undefined) return false
    this.ofX.set(id, subscription)
    return true
  }

  /** Whether it was there. */
  readonly removeOfX = (id: string, accountId: string): boolean =>
    this.ofX.get(id)?.accountId === accountId && this.ofX.delete(id)

  private find(accountId: string, eventType: string): XSubscription | undefined {
    return this.listOfX().find((one) => one.accountId === accountId && one.eventType === eventType)
  }
}

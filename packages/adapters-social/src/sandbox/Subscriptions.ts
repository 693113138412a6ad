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
  /** Where it is sent; absent: wherever the sandbox sends webhooks. */
  readonly webhookId?: string | undefined
  readonly createdAt: DateTime.Utc
}

/** An address that X sends to, once it has answered a challenge. */
export interface XWebhook {
  readonly id: string
  readonly url: string
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
  /** With the fields that were asked for; none: everything. */
  private readonly accounts = new Map<string, ReadonlyArray<string> | undefined>()
  private readonly ofX = new Map<string, XSubscription>()
  private readonly webhooksOfX = new Map<string, XWebhook>()

  readonly has = (account: Named): boolean => this.accounts.has(key(account))

  /** What was asked for, where somebody chose. */
  readonly fieldsOf = (account: Named): ReadonlyArray<string> | undefined => this.accounts.get(key(account))

  /** Whether the network tells of this: a field of Facebook, or a kind of event of X. */
  readonly hears = (account: Named, kind: string): boolean => {
    if (account.network === "x" && this.find(account.accountId, kind) !== undefined) return true
    if (!this.has(account)) return false
    const fields = this.fieldsOf(account)
    // Instagram tells whoever has subscribed to one field of all of them.
    return account.network !== "facebook" || fields === undefined || fields.includes(kind)
  }

  /** Whether it was another state before. */
  readonly set = (account: Named, isSubscribed: boolean, fields?: ReadonlyArray<string>): boolean => {
    const name = key(account)
    const wasSubscribed = this.accounts.has(name)
    if (isSubscribed) this.accounts.set(name, fields)
    else this.accounts.delete(name)
    if (isSubscribed || account.network !== "x") return wasSubscribed !== isSubscribed
    const ofX = this.listOfX().filter(({ accountId }) => accountId === account.accountId)
    for (const { id } of ofX) this.ofX.delete(id)
    return wasSubscribed || ofX.length > 0
  }

  readonly webhooks = (): ReadonlyArray<XWebhook> => [...this.webhooksOfX.values()]

  readonly addWebhook = (webhook: XWebhook): void => {
    this.webhooksOfX.set(webhook.id, webhook)
  }

  /** With all subscriptions to it; whether it was there. */
  readonly removeWebhook = (id: string): boolean => {
    for (const one of this.listOfX()) if (one.webhookId === id) this.ofX.delete(one.id)
    return this.webhooksOfX.delete(id)
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

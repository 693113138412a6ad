import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AccountHealth } from "../accounts/AccountHealth.ts"
import type { AccountView } from "../accounts/AccountView.ts"
import { SocialAccount } from "../accounts/SocialAccount.ts"
import type { InboxEvent } from "../items/InboxEvent.ts"
import { capabilitiesOf } from "../networks/capabilitiesOf.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import { type KnownAccount, newFacts, type ToldHealth } from "./AccountFacts.ts"
import { judgeHealth, missingPermissionsOf } from "./judgeHealth.ts"

/** The account as its customer sees it, with this health. Pure. */
const view = (networks: NetworkTable, account: SocialAccount, health: AccountHealth): AccountView => ({
  id: account.id,
  workspaceId: account.workspaceId,
  network: account.network,
  name: account.name,
  username: account.username,
  avatarUrl: account.avatarUrl,
  externalUserId: account.externalUserId,
  status: account.status,
  permissions: account.permissions,
  missingPermissions: missingPermissionsOf(account),
  tokenExpiresAt: account.tokenExpiresAt,
  capabilities:
    account.status === "disconnected"
      ? []
      : Option.match(networks.describe(account.network), {
          onNone: () => [],
          onSome: (network) => capabilitiesOf(network, account)
        }),
  health,
  connectedAt: account.createdAt
})

/** The account as its customer sees it now. Pure. */
export const viewAccount = (networks: NetworkTable, known: KnownAccount, now: DateTime.Utc): AccountView =>
  view(networks, known.account, judgeHealth(known, now, healthTold(known)))

const healthTold = ({ facts: { told } }: KnownAccount) => Option.map(told, ({ health }) => health)

/** What a store writes when an account was judged, in one transaction: the events, and what they told. */
export interface Announcement {
  readonly told: ToldHealth
  readonly events: ReadonlyArray<InboxEvent>
}

/** What a customer is told of: the status, and which problems there are. Times move without an event. */
const gist = ({ health, status }: ToldHealth): string =>
  JSON.stringify([status, health.problems.map(({ code, missingPermissions }) => [code, missingPermissions])])

const wellBefore: ToldHealth = {
  status: "connected",
  health: { status: "ok", problems: [], lastPollAt: Option.none(), lastWebhookAt: Option.none() }
}

/** Judges an account, and announces it if its status or its problems are others than those announced last. Pure. */
export const announceHealth = (networks: NetworkTable, known: KnownAccount, now: DateTime.Utc): Announcement => {
  const account = viewAccount(networks, known, now)
  const told: ToldHealth = { status: account.status, health: account.health }
  const before = Option.getOrElse(known.facts.told, () => wellBefore)
  const isChanged = gist(told) !== gist(before)
  return { told, events: isChanged ? [{ _tag: "AccountAttention", accountId: account.id, account }] : [] }
}

/** The event of an account that was connected, revived or connected again just now. Pure. */
export const announceConnected = (
  networks: NetworkTable,
  account: SocialAccount,
  heard: Partial<Pick<KnownAccount["facts"], "lastPollAt" | "lastWebhookAt">>,
  now: DateTime.Utc
): Announcement => {
  const facts = { ...newFacts, ...heard, renewAt: Option.some(now) }
  const shown = viewAccount(networks, { account, facts }, now)
  return {
    told: { status: shown.status, health: shown.health },
    events: [{ _tag: "AccountConnected", accountId: account.id, account: shown }]
  }
}

/** The event of an account that was disconnected just now. Pure. */
export const accountDisconnected = (networks: NetworkTable, known: KnownAccount, now: DateTime.Utc): InboxEvent => {
  const account = new SocialAccount({ ...known.account, status: "disconnected", disconnectedAt: Option.some(now) })
  const shown = viewAccount(networks, { ...known, account }, now)
  return { _tag: "AccountDisconnected", accountId: account.id, account: shown }
}

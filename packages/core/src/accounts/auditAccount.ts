import * as Option from "effect/Option"
import type { AuditEntry } from "../audit/AuditEvent.ts"
import type { SocialAccountId } from "../kernel/Ids.ts"
import type { SocialAccount } from "./SocialAccount.ts"

const ownerOf = ({ externalUserId }: SocialAccount) => Option.getOrUndefined(externalUserId)

/** An account that was connected, or of which a person renewed the token. */
export const auditConnected = (
  { id, network }: SocialAccount,
  outcome: "Connected" | "Revived" | "Renewed"
): AuditEntry => ({
  action: outcome === "Renewed" ? "account.updated" : "account.connected",
  targetId: id,
  details: { network }
})

/** A change of an account: to another owner, or of anything else. */
export const auditUpdated = (before: SocialAccount, after: SocialAccount): AuditEntry => ({
  action: ownerOf(before) === ownerOf(after) ? "account.updated" : "account.moved",
  targetId: after.id,
  details: { network: after.network }
})

/** A person asked the network to have everything deleted that is kept of the account. */
export const auditDeletionAsked = (id: SocialAccountId): AuditEntry => ({
  action: "account.disconnected",
  targetId: id,
  details: { reason: "data_deletion" }
})

/** A person took the app's access away at the network, which told of it. */
export const auditDeauthorized = (id: SocialAccountId): AuditEntry => ({
  action: "account.updated",
  targetId: id,
  details: { reason: "deauthorized" }
})

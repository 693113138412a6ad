import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { auditDeauthorized } from "@loopbox/core/accounts/auditAccount"
import { AccountCredentials, type RenewalClaim } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { noHints } from "@loopbox/core/sync/pollHints"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { judgeSoon } from "./memoryHealth.ts"
import { type MemoryInbox, noCredentials } from "./memoryInbox.ts"
import { audit, changing } from "./memoryAudit.ts"
import { MemoryState } from "./MemoryState.ts"

const connected = (inbox: MemoryInbox, workspaceId: WorkspaceId, id: SocialAccountId) => {
  const entry = inbox.accounts.get(id)
  return entry?.account.workspaceId === workspaceId && entry.account.status === "connected" ? entry : undefined
}

/** The account, if its credentials are still those of the claim. */
const unchanged = (inbox: MemoryInbox, { accountId, sealed, workspaceId }: Omit<RenewalClaim, "token">) => {
  const entry = connected(inbox, workspaceId, accountId)
  return entry?.sealed === sealed ? entry : undefined
}

export const layer: Layer.Layer<AccountCredentials, never, MemoryState> = Layer.effect(
  AccountCredentials,
  Effect.map(MemoryState, ({ inbox }) =>
    AccountCredentials.of({
      find: (workspaceId, id) =>
        Effect.sync(() => {
          const entry = connected(inbox, workspaceId, id)
          if (entry === undefined) return Option.none()
          return Option.some({ account: entry.account, sealed: entry.sealed, renewAt: entry.renewal.renewAt })
        }),
      findSealed: (workspaceId, id) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(id)
          const isThere =
            entry?.account.workspaceId === workspaceId &&
            entry.account.status !== "disconnected" &&
            entry.sealed !== noCredentials
          return isThere ? Option.some(entry.sealed) : Option.none()
        }),
      claimRenewal: (claim, { dueAt, now, until }) =>
        Effect.sync(() => {
          const entry = unchanged(inbox, claim)
          if (entry === undefined) return false
          const { renewal } = entry
          if (Option.exists(renewal.turn, (turn) => DateTime.isGreaterThan(turn.until, now))) return false
          if (Option.isSome(dueAt) && !Option.exists(renewal.renewAt, DateTime.isLessThanOrEqualTo(dueAt.value))) {
            return false
          }
          entry.renewal = { ...renewal, turn: Option.some({ token: claim.token, until }) }
          return true
        }),
      settleRenewal: (claim, outcome) =>
        Effect.sync(() => {
          const entry = unchanged(inbox, claim)
          if (entry === undefined) return false
          const hasTurn = Option.exists(entry.renewal.turn, ({ token }) => token === claim.token)
          if (outcome._tag === "Kept" && !hasTurn) return false
          entry.renewal = { renewAt: outcome.renewAt, turn: Option.none() }
          if (outcome._tag === "Kept") return true
          entry.sealed = outcome.sealed
          entry.storedAt = outcome.renewedAt
          entry.account = new SocialAccount({ ...entry.account, tokenExpiresAt: outcome.expiresAt })
          return true
        }),
      noteNames: (account, { otherAccountId, username }) =>
        Effect.sync(() => {
          const entry = unchanged(inbox, account)
          if (entry === undefined) return
          entry.account = new SocialAccount({
            ...entry.account,
            otherAccountId: Option.some(otherAccountId),
            username: Option.orElse(entry.account.username, () => username)
          })
        }),
      expire: (workspaceId, id, sealed) =>
        Effect.map(DateTime.now, (now) => {
          const entry = connected(inbox, workspaceId, id)
          if (entry?.sealed !== sealed) return
          entry.account = new SocialAccount({ ...entry.account, status: "reauth_required" })
          judgeSoon(entry, now)
          entry.poll = { ...entry.poll, dueAt: Option.none(), hints: noHints }
        }),
      drop: ({ accountId, workspaceId }, storedBefore) =>
        changing((change) => {
          const { now } = change
          const entry = inbox.accounts.get(accountId)
          if (entry?.account.workspaceId !== workspaceId) return
          if (DateTime.isGreaterThanOrEqualTo(entry.storedAt, storedBefore)) return
          entry.sealed = noCredentials
          if (entry.account.status !== "connected") return
          audit(inbox, change, workspaceId, auditDeauthorized(accountId))
          entry.account = new SocialAccount({ ...entry.account, status: "reauth_required" })
          judgeSoon(entry, now)
          entry.poll = { ...entry.poll, dueAt: Option.none(), hints: noHints }
        })
    })
  )
)

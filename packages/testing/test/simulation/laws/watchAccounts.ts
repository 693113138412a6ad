import { Effect, Layer, Option } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { AuditAction } from "@loopbox/core/audit/AuditEvent"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { AuditLaw } from "./watchAudit.ts"

/** What has to be told of a change of an account, and audited. */
interface Owed {
  readonly id: SocialAccountId
  readonly actions: ReadonlyArray<AuditAction>
  readonly events: ReadonlyArray<InboxEvent["_tag"]>
}

const ownerOf = (account: SocialAccount | undefined) => Option.getOrUndefined(account?.externalUserId ?? Option.none())

/** Runs a call, and judges what it wrote by what its answer makes of the account. */
const makeWatch =
  ({ audit, logs }: MemoryInbox, violations: Array<string>) =>
  <A, E>(workspaceId: WorkspaceId, call: Effect.Effect<A, E>, owes: (answer: A) => Owed | undefined) =>
    Effect.suspend(() => {
      const [lines, last] = [audit.kept.length, logs.get(workspaceId)?.last ?? 0]
      return Effect.tap(call, (answer) =>
        Effect.sync(() => {
          const owed = owes(answer)
          if (owed === undefined) return
          const { actions, events, id } = owed
          const audited = audit.kept
            .slice(lines)
            .some((line) => line.target.id === id && line.workspaceId === workspaceId && actions.includes(line.action))
          if (!audited) violations.push(`no line of the audit tells of ${actions.join(" or ")} of ${id}`)
          const told = (logs.get(workspaceId)?.events ?? [])
            .filter(({ event, seq }) => seq > last && "accountId" in event && event.accountId === id)
            .map(({ event }) => event._tag)
          for (const event of events) if (!told.includes(event)) violations.push(`no ${event} tells of ${id}`)
        })
      )
    })

/** The port of accounts: each change leaves a line of the audit and its events, in the same call. */
export const watchAccounts = Layer.effect(
  SocialAccounts,
  Effect.gen(function* () {
    const [right, { violations }, { inbox }] = [yield* SocialAccounts, yield* AuditLaw, yield* MemoryState]
    const watch = makeWatch(inbox, violations)
    return SocialAccounts.of({
      ...right,
      connect: (account, seal, since, options = {}) =>
        watch(account.workspaceId, right.connect(account, seal, since, options), (answer) =>
          Option.getOrUndefined(
            Option.map(answer, ({ _tag, account: { id } }): Owed => ({
              id,
              actions: ["account.connected"],
              events: [
                ...(_tag === "Revived" ? (["AccountMoved"] as const) : []),
                ...(options.isAnnounced === false ? [] : (["AccountConnected"] as const))
              ]
            }))
          )
        ),
      update: (workspaceId, id, ...of) =>
        Effect.suspend(() => {
          const before = ownerOf(inbox.accounts.get(id)?.account)
          return watch(workspaceId, right.update(workspaceId, id, ...of), (answer) =>
            Option.getOrUndefined(
              Option.map(answer, (after): Owed => {
                const isSame = ownerOf(after) === before
                return isSame
                  ? { id, actions: ["account.updated"], events: [] }
                  : { id, actions: ["account.moved"], events: ["AccountMoved"] }
              })
            )
          )
        }),
      disconnect: (workspaceId, id, at) =>
        watch(workspaceId, right.disconnect(workspaceId, id, at), (isDone) =>
          isDone
            ? { id, actions: ["account.disconnected"], events: ["AccountMoved", "AccountDisconnected"] }
            : undefined
        )
    })
  })
)

import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { auditDeletionAsked } from "@loopbox/core/accounts/auditAccount"
import { type Erasure, type ErasureProgress, Erasures } from "@loopbox/core/accounts/Erasures"
import { accountsErased } from "@loopbox/core/items/decideAccount"
import { audit, change } from "./memoryAudit.ts"
import { eraseAccount, redactLeft } from "./memoryErasing.ts"
import { type AccountEntry, writeEvents } from "./memoryInbox.ts"
import { eraseSessions, namesAccount } from "./memoryConnecting.ts"
import { MemoryState } from "./MemoryState.ts"

const isDue = ({ account }: AccountEntry, before: DateTime.Utc): boolean =>
  Option.exists(account.disconnectedAt, (at) => DateTime.isLessThan(at, before))

const disconnectedMillis = ({ account }: AccountEntry): number =>
  Option.match(account.disconnectedAt, { onNone: () => 0, onSome: DateTime.toEpochMillis })

/** Memory erases in one step, so only expired accounts, and unredacted deliveries of erased ones, are ever due. */
export const layer: Layer.Layer<Erasures, never, MemoryState> = Layer.effect(
  Erasures,
  Effect.map(MemoryState, (state) => {
    const { inbox } = state
    return Erasures.of({
      erase: Effect.fnUntraced(function* ({ accountId, workspaceId }, redact) {
        const at = yield* DateTime.now
        const entry = inbox.accounts.get(accountId)
        if (entry?.account.workspaceId !== workspaceId) return
        eraseAccount(inbox, entry, redact, at)
        eraseSessions(state, namesAccount(accountId))
        audit(inbox, yield* change, workspaceId, auditDeletionAsked(accountId))
        writeEvents(inbox, workspaceId, accountsErased([accountId]), at)
      }),
      isLeft: ({ accountId }) => Effect.sync(() => inbox.accounts.has(accountId) || inbox.unredacted.has(accountId)),
      list: (before, limit) =>
        Effect.sync(() =>
          [
            ...Array.from(inbox.unredacted, ([accountId, { workspaceId }]) => ({ accountId, workspaceId })),
            ...Array.from(inbox.accounts.values())
              .filter((entry) => isDue(entry, before))
              .sort((a, b) => disconnectedMillis(a) - disconnectedMillis(b))
              .map(({ account: { id: accountId, workspaceId } }) => ({ accountId, workspaceId }))
          ]
            .slice(0, limit)
            .map((account): Erasure => ({ _tag: "Account", ...account }))
        ),
      advance: (erasure, before, redact) =>
        Effect.map(DateTime.now, (at): ErasureProgress => {
          if (erasure._tag !== "Account") return "Done"
          const entry = inbox.accounts.get(erasure.accountId)
          if (entry !== undefined && isDue(entry, before)) {
            eraseAccount(inbox, entry, redact, at)
            eraseSessions(state, namesAccount(erasure.accountId))
          }
          return redactLeft(inbox, erasure.accountId, redact) ? "Done" : "Busy"
        })
    })
  })
)

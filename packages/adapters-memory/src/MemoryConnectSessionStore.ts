import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ConnectAttempt } from "@loopbox/core/connecting/ConnectAttempt"
import { ConnectSessionStore, keptAttempts } from "@loopbox/core/connecting/ConnectSessionStore"
import type { ConnectSessionId } from "@loopbox/core/kernel/Ids"
import { type ConnectEntry, hasOwner, MemoryState } from "./MemoryState.ts"

type Entries = Map<ConnectSessionId, ConnectEntry>

const without = (entries: Entries, before: DateTime.Utc, limit: number) =>
  Array.from(entries)
    .filter(([, { kept }]) => DateTime.isLessThan(kept.session.expiresAt, before))
    .slice(0, limit)

export const layer: Layer.Layer<ConnectSessionStore, never, MemoryState> = Layer.effect(
  ConnectSessionStore,
  Effect.map(MemoryState, (state) => {
    const { connecting: entries, workspaces } = state
    return ConnectSessionStore.of({
      put: (kept, isOwnerKnown) =>
        Effect.sync(() => {
          if (!workspaces.has(kept.session.workspaceId)) return false
          if (isOwnerKnown && !hasOwner(state, kept.session)) return false
          entries.set(kept.session.id, { kept, attempts: [] })
          return true
        }),
      find: (workspaceId, id) =>
        Effect.sync(() => {
          const kept = entries.get(id)?.kept
          return kept?.session.workspaceId === workspaceId ? Option.some(kept) : Option.none()
        }),
      findByLink: (linkDigest) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(
            Array.from(entries.values(), ({ kept }) => kept).find((kept) => kept.linkDigest === linkDigest)
          )
        ),
      begin: (workspaceId, id, decide) =>
        Effect.sync(() => {
          const entry = entries.get(id)
          if (entry === undefined || entry.kept.session.workspaceId !== workspaceId) return Option.none()
          const { kept } = entry
          const begun = decide(kept.session, entry.attempts)
          if (Option.isSome(begun)) {
            const { attempt, session } = begun.value
            const attempts = [...entry.attempts, attempt].slice(-keptAttempts)
            entries.set(id, { kept: { ...kept, session }, attempts })
          }
          return Option.some(kept.session)
        }),
      change: ({ by, digest }, decide) =>
        Effect.sync(() => {
          const isNamed = (one: ConnectAttempt) => (by === "state" ? one.stateDigest : one.cookieDigest) === digest
          for (const { attempts, kept } of entries.values()) {
            const attempt = attempts.find(isNamed)
            if (attempt === undefined) continue
            const newer = attempts.slice(attempts.indexOf(attempt) + 1)
            const decided = decide({ session: kept.session, attempt, newer })
            entries.set(kept.session.id, {
              kept: { ...kept, session: decided.session ?? kept.session },
              attempts: attempts.map((one) => (one === attempt ? (decided.attempt ?? attempt) : one))
            })
            return Option.some(decided.answer)
          }
          return Option.none()
        }),
      removeOlder: (before, limit) =>
        Effect.sync(() => {
          const sessions = without(entries, before.sessions, limit)
          for (const [id] of sessions) entries.delete(id)
          const old = without(entries, before.attempts, Number.MAX_SAFE_INTEGER)
            .filter(([, { attempts }]) => attempts.length > 0)
            .slice(0, limit)
          for (const [id, { kept }] of old) entries.set(id, { kept, attempts: [] })
          return Math.max(sessions.length, old.length)
        })
    })
  })
)

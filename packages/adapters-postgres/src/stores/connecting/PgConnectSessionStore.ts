import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { type AttemptName, ConnectSessionStore, keptAttempts } from "@loopbox/core/connecting/ConnectSessionStore"
import { ConnectSessionId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import {
  attemptColumns,
  AttemptRow,
  encodeProgress,
  sessionColumns,
  SessionRow,
  toAttempt,
  toKeptSession,
  toSessionChange,
  toSessionColumns
} from "../../rows/ConnectRow.ts"
import { all, at, first } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"
import { toJson } from "../../rows/text.ts"

const KeyRow = Schema.Struct({ workspace_id: WorkspaceId, session_id: ConnectSessionId })

export const layer: Layer.Layer<ConnectSessionStore, never, SqlClient> = Layer.effect(
  ConnectSessionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const { holdOwner } = yield* makeHoldOwner
    const columns = sql.literal(sessionColumns)
    const bytes = (hex: string) => sql`decode(${hex}, 'hex')`

    const named = ({ by, digest }: AttemptName) =>
      by === "state" ? sql`state_digest = ${bytes(digest)}` : sql`cookie_digest = ${bytes(digest)}`

    /** Each session has one transaction at a time. */
    const lockSession = (workspaceId: WorkspaceId, id: ConnectSessionId) =>
      Effect.map(
        first(SessionRow)(sql`SELECT ${columns} FROM connect_sessions
          WHERE workspace_id = ${workspaceId} AND id = ${id} FOR NO KEY UPDATE`),
        Option.map((row) => toKeptSession(row).session)
      )

    const writeSession = (session: ConnectSession) =>
      sql`UPDATE connect_sessions SET ${sql.update(toSessionChange(session))}
        WHERE workspace_id = ${session.workspaceId} AND id = ${session.id}`

    /** The attempts of a session after a number, oldest first: `keptAttempts` at most. */
    const attemptsAfter = (workspaceId: WorkspaceId, id: ConnectSessionId, number: number) =>
      all(AttemptRow)(sql`SELECT ${sql.literal(attemptColumns)} FROM connect_attempts
        WHERE workspace_id = ${workspaceId} AND session_id = ${id} AND number > ${number} ORDER BY number`)

    const removeSessions = (before: DateTime.Utc, limit: number) => sql`
      WITH old AS MATERIALIZED (
        SELECT workspace_id, id FROM connect_sessions WHERE expires_at < ${at(before)}
        ORDER BY expires_at, workspace_id, id LIMIT ${sql.literal(`${limit}`)} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM connect_sessions s USING old o WHERE s.workspace_id = o.workspace_id AND s.id = o.id RETURNING 1`

    const removeAttempts = (before: DateTime.Utc, limit: number) => sql`
      WITH old AS MATERIALIZED (
        SELECT workspace_id, session_id, number FROM connect_attempts WHERE expires_at < ${at(before)}
        ORDER BY expires_at, workspace_id, session_id, number LIMIT ${sql.literal(`${limit}`)} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM connect_attempts a USING old o
      WHERE a.workspace_id = o.workspace_id AND a.session_id = o.session_id AND a.number = o.number RETURNING 1`

    return ConnectSessionStore.of({
      put: Effect.fn("PgConnectSessionStore.put")(
        function* ({ linkDigest, sealedLink, session }, isOwnerKnown) {
          if (!(yield* holdOwner(session.workspaceId, Option.none()))) return false
          // Also one who may be new: an erasure of that name waits, or is over and the session is for another person.
          const isThere = yield* holdOwner(session.workspaceId, session.externalUserId)
          if (isOwnerKnown && !isThere) return false
          yield* sql`INSERT INTO connect_sessions ${sql.insert({
            ...toSessionColumns(session),
            ...toSessionChange(session),
            link_digest: Buffer.from(linkDigest, "hex"),
            sealed_link: sealedLink
          })}`
          return true
        },
        sql.withTransaction,
        storeCall("connectSessions.put", "unknown")
      ),

      find: Effect.fn("PgConnectSessionStore.find")(
        function* (workspaceId, id) {
          const row = yield* first(SessionRow)(sql`SELECT ${columns} FROM connect_sessions
            WHERE workspace_id = ${workspaceId} AND id = ${id}`)
          return Option.map(row, toKeptSession)
        },
        storeCall("connectSessions.find", "no")
      ),

      findByLink: Effect.fn("PgConnectSessionStore.findByLink")(
        function* (linkDigest) {
          const row = yield* first(SessionRow)(sql`SELECT ${columns} FROM connect_sessions
            WHERE link_digest = ${bytes(linkDigest)}`)
          return Option.map(row, toKeptSession)
        },
        storeCall("connectSessions.findByLink", "no")
      ),

      begin: Effect.fn("PgConnectSessionStore.begin")(
        function* (workspaceId, sessionId, decide) {
          const session = yield* lockSession(workspaceId, sessionId)
          if (Option.isNone(session)) return Option.none()
          const before = yield* attemptsAfter(workspaceId, sessionId, 0)
          const begun = decide(session.value, before.map(toAttempt))
          if (Option.isNone(begun)) return session
          const { attempt } = begun.value
          const number = (before.at(-1)?.number ?? 0) + 1
          yield* sql`INSERT INTO connect_attempts ${sql.insert({
            workspace_id: workspaceId,
            session_id: sessionId,
            number,
            state_digest: Buffer.from(attempt.stateDigest, "hex"),
            cookie_digest: Buffer.from(attempt.cookieDigest, "hex"),
            redirect_uri: attempt.redirectUri,
            sealed_verifier: attempt.sealedVerifier,
            progress: toJson(yield* encodeProgress(attempt.progress)),
            created_at: at(attempt.createdAt),
            expires_at: at(session.value.expiresAt)
          })}`
          yield* sql`DELETE FROM connect_attempts
            WHERE workspace_id = ${workspaceId} AND session_id = ${sessionId} AND number <= ${number - keptAttempts}`
          yield* writeSession(begun.value.session)
          return session
        },
        sql.withTransaction,
        storeCall("connectSessions.begin", "unknown")
      ),

      change: (name, decide) =>
        Effect.gen(function* () {
          const key = yield* first(KeyRow)(sql`SELECT workspace_id, session_id FROM connect_attempts
            WHERE ${named(name)}`)
          if (Option.isNone(key)) return Option.none()
          const { session_id: sessionId, workspace_id: workspaceId } = key.value
          const session = yield* lockSession(workspaceId, sessionId)
          const row = yield* first(AttemptRow)(sql`SELECT ${sql.literal(attemptColumns)} FROM connect_attempts
            WHERE ${named(name)}`)
          if (Option.isNone(session) || Option.isNone(row)) return Option.none()
          const newer = (yield* attemptsAfter(workspaceId, sessionId, row.value.number)).map(toAttempt)
          const decided = decide({ session: session.value, attempt: toAttempt(row.value), newer })
          if (decided.session !== undefined) yield* writeSession(decided.session)
          if (decided.attempt !== undefined) {
            yield* sql`UPDATE connect_attempts
              SET progress = ${toJson(yield* encodeProgress(decided.attempt.progress))}::jsonb
              WHERE workspace_id = ${workspaceId} AND session_id = ${sessionId} AND number = ${row.value.number}`
          }
          return Option.some(decided.answer)
        }).pipe(
          sql.withTransaction,
          storeCall("connectSessions.change", "unknown"),
          Effect.withSpan("PgConnectSessionStore.change")
        ),

      removeOlder: Effect.fn("PgConnectSessionStore.removeOlder")(
        function* (before, limit) {
          const attempts = yield* removeAttempts(before.attempts, limit)
          const sessions = yield* removeSessions(before.sessions, limit)
          return Math.max(sessions.length, attempts.length)
        },
        storeCall("connectSessions.removeOlder", "unknown")
      )
    })
  })
)

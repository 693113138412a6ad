import type {
  DistributeRefused,
  EmbeddedPostgresError,
  ImportRefused,
  MigrationRefused,
  TransferFileError
} from "@loopbox/adapters-postgres"
import type { EngineMissing } from "@loopbox/core/encoding/Engine"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { CommandFailed } from "./CommandFailed.ts"

type Failure =
  | EmbeddedPostgresError
  | MigrationRefused
  | ImportRefused
  | DistributeRefused
  | TransferFileError
  | EngineMissing
  | SqlError
  | StoreUnavailable
  | CommandFailed

/** The deepest reason says what a person can do: "connection refused", not "failed to connect". */
export const deepest = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return deepest(cause)
  return error instanceof Error ? error.message : String(error)
}

/** What PgBouncer answers to the settings that a session begins with. */
const isPooler = (message: string): boolean => /unsupported startup parameter/i.test(message)

const databaseSentence = (message: string): string =>
  isPooler(message)
    ? `DATABASE_URL is a pooler ("${message}"): set LOOPBOX_LISTENER_URL to the address of the database behind it.`
    : `The database cannot be used: ${message.replace(/\.$/, "")}.`

const sentence = (error: Failure): string => {
  switch (error._tag) {
    case "EngineMissing":
      return error.detail
    case "SqlError":
      return databaseSentence(deepest(error))
    case "StoreUnavailable":
      return isSqlError(error.cause)
        ? databaseSentence(deepest(error))
        : `${error.operation} failed: ${deepest(error)}.`
    case "TransferFileError":
      return `${error.file}: ${error.message}.`
    default:
      return error.message
  }
}

/** Whatever keeps a command from its database, files or encoder becomes a sentence. */
export const explainFailure = <A, E extends Failure, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, CommandFailed, R> =>
  Effect.mapError(self, (error) => new CommandFailed({ message: sentence(error) }))

import * as Schema from "effect/Schema"

/** The embedded database could not be started. The message is a sentence for the operator. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  reason: Schema.Literals([
    /** No server program for this machine. */
    "Unsupported",
    /** Another process has the folder; its id is in `holderPid` and in the message. */
    "InUse",
    /** The data was made by another major version of PostgreSQL. */
    "OtherMajor",
    /** The account that the server runs as can't get at the folder. */
    "Unreachable",
    /** A folder that should be ours alone is not. */
    "Unsafe",
    "Failed"
  ]),
  message: Schema.String,
  holderPid: Schema.optionalKey(Schema.Int)
}) {}

export const failed = (reason: EmbeddedPostgresError["reason"], message: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError({ reason, message })

/** A failed system call in the words of this module. */
export const fromCause =
  (reason: EmbeddedPostgresError["reason"], what: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    failed(reason, `${what}: ${cause instanceof Error ? cause.message : String(cause)}`)

import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { LoopboxOptions } from "./LoopboxOptions.ts"

/** Hosts and database of an address, and nothing that may be a password, also where that was not escaped. */
const placeOf = (url: string): Option.Option<string> => {
  const [front = ""] = url.split(/[?#]/)
  if (front.includes("@")) return Option.some(front.slice(front.lastIndexOf("@") + 1))
  return url.includes("@") ? Option.none() : Option.some(front.replace(/^postgres(ql)?:\/\//, ""))
}

const named = (option: string, url: string): string =>
  Option.match(placeOf(url), { onNone: () => option, onSome: (place) => `${option} (${place})` })

/** The innermost says what happened: "connect ECONNREFUSED 127.0.0.1:5432", not "failed to connect". */
const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? reasonOf(cause) : message)

/** The server of `databaseUrl` cannot be used; the message says where it was looked for, and why. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Says of a failure by which options its server was named. */
export const databaseUnavailable =
  ({ databaseUrl, listenerUrl }: LoopboxOptions) =>
  (error: SqlError): DatabaseUnavailable => {
    const options = [
      databaseUrl === undefined ? "data" : named("databaseUrl", databaseUrl),
      ...(listenerUrl === undefined ? [] : [named("listenerUrl", listenerUrl)])
    ]
    return new DatabaseUnavailable({
      message: `createLoopbox: the database of ${options.join(" and ")} cannot be used: ${reasonOf(error)}`,
      cause: error
    })
  }

import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Redacted from "effect/Redacted"

/**
 * Which database: a URL, or the parts that the embedded server has. A URL may name the servers of one replicated database
 * (`postgres://user:password@one:5432,two:5432/database`): the one that takes writes is used, and followed.
 */
export type Target = Pick<PgClient.PgClientConfig, "url" | "host" | "port" | "username" | "password" | "database">

/** `postgres://user:password@` and what follows the hosts: nothing, `/database`, `?options`. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/**
 * The targets that an address with several hosts names, in its order: `postgres://user:password@one:5432,two/database`, as
 * libpq reads it. Any other target is the only one.
 */
export const splitHosts = (target: Target): ReadonlyArray<Target> => {
  const [, front = "", hosts = "", rest = ""] =
    target.url === undefined ? [] : (parts.exec(Redacted.value(target.url)) ?? [])
  if (!hosts.includes(",")) return [target]
  return hosts.split(",").map((host) => ({ ...target, url: Redacted.make(`${front}${host}${rest}`) }))
}

/** The host of a target, to be named in a log: never its password. */
export const hostOf = (target: Target): string => {
  if (target.url === undefined) return target.host ?? "localhost"
  const [, , hosts = ""] = parts.exec(Redacted.value(target.url)) ?? []
  return hosts
}

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { callHost, type HostAccess, type HostCall } from "./hostCalls.ts"
import { findWorkspace } from "./workspaceClient.ts"

/** The host of a connection, with the workspace's key. */
export const hostOf = (connection: Connection) =>
  Effect.map(findWorkspace(connection), ({ key, url }): HostAccess => ({ url, token: key }))

/** An answer that is none of this version. */
export const unreadable = (url: string) =>
  new CommandFailed({ message: `${url} answered otherwise than this version understands. Is it of another version?` })

/** What stands under `data`, as it came and as it is read. */
export const ask = Effect.fnUntraced(function* <A>(
  host: HostAccess,
  call: HostCall,
  schema: Schema.ConstraintDecoder<A>
) {
  const { data } = yield* callHost(host, call)
  const read = Schema.decodeUnknownOption(schema)(data)
  if (Option.isNone(read)) return yield* unreadable(host.url)
  return { data, read: read.value }
})

/** The scope parameters: of one managed user, else of the workspace. */
export const scopeOf = (externalUserId: Option.Option<string>): Readonly<Record<string, string>> =>
  Option.match(externalUserId, {
    onNone: () => ({}),
    onSome: (external_user_id) => ({ inbox_scope: "managed_user", external_user_id })
  })

/** A path with its query. */
export const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString()
  return text === "" ? path : `${path}?${text}`
}

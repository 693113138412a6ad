import type { Credential } from "@loopbox/core/access/InboxAccess"
import type { QueryPair } from "@loopbox/core/access/rawQuery"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Issue } from "../../api/ErrorBody.ts"

const bearer = /^bearer +(\S+)$/i
const isKey = (token: string) => token.startsWith("lbx_")

/** How often a header was given; Node keeps only the first. */
const countHeader = (source: object, name: string): number =>
  Predicate.hasProperty(source, "rawHeaders") && Array.isArray(source.rawHeaders)
    ? source.rawHeaders.filter((given, i) => i % 2 === 0 && String(given).toLowerCase() === name).length
    : 1

/**
 * The credential of a handshake (api.md §4): an API key in the header or a dashboard token in the query; both, none,
 * either in the other's place, or one twice is none.
 */
export const credentialOf = (
  { headers, source }: HttpServerRequest.HttpServerRequest,
  rawQuery: string
): Option.Option<Credential> => {
  // Lenient: whether the query can be read is judged after who asks (api.md §2, rows 1 and 2a).
  const query = new URLSearchParams(rawQuery)
  const tokens = query.getAll("token")
  const { authorization } = headers
  if (authorization !== undefined) {
    const key = bearer.exec(authorization)?.[1]
    if (key === undefined || !isKey(key) || tokens.length > 0 || countHeader(source, "authorization") > 1)
      return Option.none()
    return Option.some({ token: Redacted.make(key), workspaceId: Option.none() })
  }
  const [token = ""] = tokens
  const [workspaceId, ...others] = query.getAll("workspace_id")
  if (tokens.length !== 1 || token === "" || isKey(token) || others.some((other) => other !== workspaceId))
    return Option.none()
  return Option.some({
    token: Redacted.make(token),
    workspaceId: Option.filter(Option.fromUndefinedOr(workspaceId), (id) => id !== "")
  })
}

const names = new Set(["inbox_scope", "external_user_id", "token", "workspace_id", "after"])

/** Where to go on: `after`, and what is wrong with the rest of the query. */
export const readAfter = (
  query: ReadonlyArray<QueryPair>
): { readonly after: Option.Option<number>; readonly issues: ReadonlyArray<Issue> } => {
  const issues: Array<Issue> = []
  for (const name of new Set(query.map(([given]) => given))) {
    if (!names.has(name)) issues.push({ path: name, message: "is not known here" })
  }
  const given = query.flatMap(([name, value]) => (name === "after" ? [value] : []))
  const [after] = given
  if (given.length > 1) issues.push({ path: "after", message: "must be given once" })
  // 0 is the number before the first event.
  else if (after !== undefined && !/^(?:0|[1-9][0-9]*)$/.test(after))
    issues.push({ path: "after", message: "must be the seq of a frame" })
  if (query.filter(([name]) => name === "workspace_id").length > 1)
    issues.push({ path: "workspace_id", message: "must be given once" })
  return {
    issues,
    after: Option.map(Option.fromUndefinedOr(after), (text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  }
}

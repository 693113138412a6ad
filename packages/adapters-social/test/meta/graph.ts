/** What the tests of Instagram and Facebook share: a Graph API that answers by path, and short words for what came. */
import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { normaliseMeta } from "@loopbox/adapters-social"
import { DateTime, Option, Redacted } from "effect"
import type { Answer, Behaviour, Received } from "../loopback.ts"

/** Answers below the version by path; what is not here is gone. */
export const graph =
  (answers: Readonly<Record<string, unknown>>): Behaviour =>
  (request) => {
    const path = decodeURIComponent(request.path).replace(/^\/(ig|fb)(\/v25\.0)?\//, "")
    const answer = answers[path]
    if (typeof answer === "function") return answer(request)
    return answer === undefined ? gone : { body: answer }
  }

export const graphError = (status: number, code: number, error_subcode?: number, more: object = {}): Answer => ({
  status,
  body: { error: { message: `(#${code}) no`, type: "OAuthException", code, error_subcode, fbtrace_id: "T", ...more } }
})

export const gone = graphError(400, 100, 33)

export const accessOf = (networkAccountId: string, username: string) => ({
  networkAccountId,
  otherAccountId: Option.none<string>(),
  login: Option.none<string>(),
  throughAccountId: Option.none<string>(),
  username: Option.some(username),
  accessToken: Redacted.make("token-of-the-account")
})

export const newest: FeedRequest = {
  cursor: Option.none(),
  checkpoint: Option.none(),
  since: Option.none(),
  limit: Option.none()
}

export const feedOf = (feed: Pick<Feed, "step" | "source" | "id">, threadKey?: string): Feed => ({
  ...feed,
  items: Option.map(Option.fromUndefinedOr(threadKey), (value) => ({ by: "threadKey", value })),
  updatedAt: Option.none(),
  size: Option.none(),
  firstPage: Option.none()
})

export const at = (iso: string): DateTime.Utc => DateTime.makeUnsafe(iso)

/** What has to be the same on every path (social-networks.md §5). */
export const essence = ({ author, body, externalId, isOwn, parentExternalId, source, threadKey }: Posted) => ({
  source,
  id: externalId,
  thread: threadKey._tag === "Known" ? threadKey.key : `root of ${threadKey.parentExternalId}`,
  parent: Option.getOrNull(parentExternalId),
  author: Option.getOrNull(author.id),
  isOwn,
  body
})

export const postedIn = ({ activities }: Pick<FeedPage, "activities">): ReadonlyArray<Posted> =>
  activities.filter((activity) => activity._tag === "Posted")

/** The items of a webhook. */
export const told = (body: object): ReadonlyArray<Posted> =>
  postedIn(
    normaliseMeta({ body: new TextEncoder().encode(JSON.stringify(body)), arrivedAt: at("2026-02-17T12:00:00Z") })
  )

export const kind = (failed: ReadFailed | WriteFailed): string =>
  "reason" in failed ? `${failed._tag} ${failed.reason}` : failed._tag

/** A request in one line: its method, path and query in their own words. */
export const line = ({ method, path, query }: Received): string =>
  `${method} ${path}${query.size === 0 ? "" : `?${[...query].map(([name, value]) => `${name}=${value}`).join("&")}`}`

import { type Actor, system } from "@loopbox/core/audit/Actor"
import * as Context from "effect/Context"
import type * as Scope from "effect/Scope"

/** What is learned about a request while it is answered, and stands in the access log. */
export interface RequestFacts {
  workspaceId: string | undefined
  /** The API key's id, never its text. */
  keyId: string | undefined
  /** Who makes the changes of the request. */
  actor: Pick<Actor, "type" | "id">
  /** Whose sockets count together: a key, or a user of a workspace. */
  callerId: string | undefined
  /** That of the socket which the request has become. */
  lifetime: Scope.Scope | undefined
}

export const noFacts = (): RequestFacts => ({
  workspaceId: undefined,
  keyId: undefined,
  callerId: undefined,
  lifetime: undefined,
  actor: system
})

/** Those of the request in hand; the edge gives each its own. */
export const CurrentRequestFacts = Context.Reference<RequestFacts>(
  "@loopbox/adapters-http/server/CurrentRequestFacts",
  {
    defaultValue: noFacts
  }
)

/** One request, as it ended: nothing of it but what is ours to tell. */
export interface AccessEntry {
  readonly endedAt_ms: number
  readonly requestId: string
  /** As in `/v1/media/:id`; `none` where there is nothing. */
  readonly route: string
  readonly method: string
  /** 499 when the client left before the answer. */
  readonly status: number
  /** Until the answer's head; of a WebSocket until its end. */
  readonly milliseconds: number
  readonly workspaceId: string | undefined
  readonly keyId: string | undefined
}

import * as Context from "effect/Context"

/** The id of the request in hand, set by the edge for whatever runs inside it; the same as `X-Request-Id`. */
export const RequestId = Context.Reference<string>("@loopbox/adapters-http/api/RequestId", {
  defaultValue: () => "req_none"
})

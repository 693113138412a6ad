import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reader } from "../../payloads/payload.ts"
import type { GraphApi, GraphCall } from "../graphApi.ts"

const readSuccess = reader(Schema.Struct({ success: Schema.Literal(true) }))

/** Deletes a post; one that is gone already is as good as deleted. */
export const deleted = (
  graph: GraphApi,
  call: Pick<GraphCall, "access" | "endpoint" | "scopes">,
  id: string
): Effect.Effect<void, WriteFailed> =>
  graph.delete({ ...call, path: [id] }, readSuccess).pipe(
    Effect.asVoid,
    Effect.catchTag("Rejected", (error) => (error.reason === "gone" ? Effect.void : Effect.fail(error)))
  )

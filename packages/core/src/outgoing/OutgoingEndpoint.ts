import * as Schema from "effect/Schema"
import { ShownEndpoint } from "../items/ShownEndpoint.ts"
import { WorkspaceId } from "../kernel/Ids.ts"

export { EndpointStatus, EndpointStatusReason } from "../items/ShownEndpoint.ts"

/** An address of the customer's that the workspace's events are sent to (api-2.md §15). Its secrets are kept apart, sealed. */
export class OutgoingEndpoint extends Schema.Class<OutgoingEndpoint>("@loopbox/core/outgoing/OutgoingEndpoint")({
  ...ShownEndpoint.fields,
  workspaceId: WorkspaceId,
  /** The first failed attempt after the last success, creation or enabling. */
  failingSince: Schema.Option(Schema.DateTimeUtc),
  /** Failed attempts since then. */
  failuresInRow: Schema.Int
}) {}

/** What its customer sees of it. */
export const showEndpoint = ({
  failingSince: _,
  failuresInRow: __,
  workspaceId: ___,
  ...shown
}: OutgoingEndpoint): ShownEndpoint => shown

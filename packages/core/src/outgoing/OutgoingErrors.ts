import * as Schema from "effect/Schema"

/** No such webhook endpoint in the workspace. */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {
  endpointId: Schema.String
}) {}

/** The endpoint has no such delivery; deliveries are kept for 30 days. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: Schema.String
}) {}

/** One thing that is wrong with an endpoint as it is asked for, with its place. */
export const EndpointFault = Schema.Struct({ path: Schema.String, message: Schema.String })
export type EndpointFault = typeof EndpointFault.Type

/** The endpoint can't be as it is asked for. All issues at once; nothing was stored or changed. */
export class EndpointInvalid extends Schema.TaggedError<EndpointInvalid>()("EndpointInvalid", {
  issues: Schema.Array(EndpointFault)
}) {}

/** A disabled endpoint gets no events: it has to be enabled before something is delivered to it again. */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {
  endpointId: Schema.String
}) {}

import * as Schema from "effect/Schema"

/** The body can't be parsed in the network's documented format. */
export class DeliveryUnreadable extends Schema.TaggedError<DeliveryUnreadable>()("DeliveryUnreadable", {
  reason: Schema.String
}) {}

/** No failed delivery with this id. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: Schema.String
}) {}

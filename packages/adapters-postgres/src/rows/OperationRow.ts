import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OutboundOperation, statusOf } from "@loopbox/core/outbound/OutboundOperation"
import { dueAt, endOf, responseIdOf } from "@loopbox/core/outbound/transitions"
import { at } from "./rows.ts"
import { storable, toJson } from "./text.ts"

const Stored = Schema.toCodecJson(OutboundOperation)

export const OperationRow = Schema.Struct({ operation: Stored })

const encode = Schema.encodeEffect(Stored)

/** What of a row changes with an operation's state: the document, and what it is found by. */
export const toStateColumns = Effect.fnUntraced(function* (operation: OutboundOperation) {
  return {
    status: statusOf(operation),
    response_external_id: Option.getOrNull(Option.map(responseIdOf(operation), storable)),
    operation: toJson(yield* encode(operation)),
    due_at: Option.getOrNull(Option.map(dueAt(operation), at)),
    ended_at: Option.getOrNull(Option.map(endOf(operation), at))
  }
})

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Source } from "@loopbox/core/networks/Source"
import { OutboundOperation, statusOf } from "@loopbox/core/outbound/OutboundOperation"
import { dueAt, endOf, responseIdOf } from "@loopbox/core/outbound/transitions"
import { at } from "./rows.ts"
import { storable, toJson } from "./text.ts"

const Stored = Schema.toCodecJson(OutboundOperation)

/**
 * The column `source` of private replies. A version that knows none would send them for all to see, so it must not claim
 * them.
 */
const privateSource = (source: Source): string => `private:${source}`

/** Likewise of replies with a tag or a file, which such a version would send without them. */
const widerSource = (source: Source): string => `wider:${source}`

/** What a row is claimed and found by. */
export const claimedAs = ({ media, privately, source, tag }: OutboundOperation): string => {
  if (Option.isSome(privately)) return privateSource(source)
  return Option.isSome(tag) || media.length > 0 ? widerSource(source) : source
}

/** The columns `source` of all operations of these sources. */
export const claimedFor = (sources: Iterable<Source>): ReadonlyArray<string> =>
  Array.from(sources).flatMap((source) => [source, privateSource(source), widerSource(source)])

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

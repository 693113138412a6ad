import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import type { PageKey } from "@loopbox/core/kernel/Page"

/** A time as a `Date`, or as text after JSON. */
export const Moment = Schema.Union([Schema.DateTimeUtcFromDate, Schema.DateTimeUtcFromString])

/** The end of a page of items; may be serialised as JSON. */
export interface PlainItemPlace {
  readonly receivedAt: Date | string
  readonly id: string
}

/** The end of any other page; may be serialised as JSON. */
export interface PlainPageKey {
  readonly createdAt: Date | string
  readonly id: string
}

const decodePlace = Schema.decodeUnknownEffect(
  Schema.Struct({ after: Schema.Struct({ receivedAt: Moment, id: InboxItemId }) })
)
const decodePageKey = Schema.decodeUnknownEffect(
  Schema.Struct({ after: Schema.Struct({ createdAt: Moment, id: Schema.String }) })
)

/** Fails if `after` is malformed, and names it so. */
export const toItemPosition = (
  after: PlainItemPlace | null | undefined
): Effect.Effect<Option.Option<ItemPosition>, Schema.SchemaError> =>
  after === null || after === undefined
    ? Effect.succeedNone
    : Effect.map(decodePlace({ after }), (decoded) => Option.some(decoded.after))

/** The same for any other page. */
export const toPageKey = (
  after: PlainPageKey | null | undefined
): Effect.Effect<Option.Option<PageKey>, Schema.SchemaError> =>
  after === null || after === undefined
    ? Effect.succeedNone
    : Effect.map(decodePageKey({ after }), (decoded) => Option.some(decoded.after))

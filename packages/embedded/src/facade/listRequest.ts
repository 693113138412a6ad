import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { inRange } from "./inRange.ts"
import { type PlainPageKey, toPageKey } from "./places.ts"

/** A page of a list, newest first. */
export interface ListRequest {
  /** 1–100; default 50. */
  readonly limit?: number | undefined
  readonly after?: PlainPageKey | null | undefined
}

/** The page size; default 50. */
export const toLimit = (limit: number | undefined, most: number): Effect.Effect<number> =>
  inRange("limit", limit ?? 50, most)

/** The page that a list request asks for. */
export const toPageRequest = ({ after, limit }: ListRequest): Effect.Effect<PageRequest, Schema.SchemaError> =>
  Effect.all({ limit: toLimit(limit, 100), after: toPageKey(after) })

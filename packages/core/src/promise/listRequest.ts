import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PageRequest } from "../kernel/Page.ts"
import { inRange } from "./inRange.ts"
import type { PlainPageKey } from "./plain.ts"

/** A page of a list, newest first. */
export interface ListRequest {
  /** 1–100; 50 unless said. */
  readonly limit?: number | undefined
  readonly after?: PlainPageKey | null | undefined
}

/** How many to list: 50 unless said, and no more than the API allows. */
export const toLimit = (limit: number | undefined, most: number): Effect.Effect<number> =>
  inRange("limit", limit ?? 50, most)

/** The page that a list request asks for. */
export const toPageRequest = ({ after, limit }: ListRequest): Effect.Effect<PageRequest> =>
  Effect.map(toLimit(limit, 100), (rows) => ({
    limit: rows,
    after: Option.map(Option.fromNullishOr(after), ({ createdAt, id }) => ({
      createdAt: DateTime.toUtc(DateTime.makeUnsafe(createdAt)),
      id
    }))
  }))

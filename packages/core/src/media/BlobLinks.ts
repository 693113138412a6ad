import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** What the store is to say of the bytes, in place of the host. */
export interface BlobLinkFacts {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

/** Makes an address by which whoever has it gets a blob's bytes for some minutes. */
export type BlobLinker = (key: string, facts: BlobLinkFacts) => Effect.Effect<string, StoreUnavailable>

/**
 * Port: addresses of a store's own, past the host.
 *
 * There is none where the store has no such addresses, or where those who call the host may not reach it.
 */
export const BlobLinks = Context.Reference<Option.Option<BlobLinker>>("@loopbox/core/media/BlobLinks", {
  defaultValue: () => Option.none()
})

import type { Page, PageKey } from "@loopbox/core/kernel/Page"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { timingSafeEqual } from "effect/crypto/Mac"
import * as Base64Url from "effect/encoding/Base64Url"
import { RequestId } from "../api/RequestId.ts"
import { type InvalidRequest, invalid } from "./issues.ts"
import { Signer } from "./Signer.ts"

/** What a cursor is good for: one list, of one workspace, with one set of filters. */
export interface CursorUse {
  readonly list: string
  /** Empty for lists that span workspaces. */
  readonly workspaceId: string
  readonly filters: ReadonlyArray<string>
}

const tagBytes = 16
const encoder = new TextEncoder()

/** Cursors of lists: opaque to clients, authenticated by us. */
export class Cursors extends Context.Service<
  Cursors,
  {
    readonly seal: (use: CursorUse, key: PageKey) => Effect.Effect<string>
    /** Refuses a cursor that was altered or comes from another use, by the path `cursor`. */
    readonly open: (use: CursorUse, cursor: string | undefined) => Effect.Effect<Option.Option<PageKey>, InvalidRequest>
  }
>()("@loopbox/adapters-http/server/Cursors") {
  static readonly layer: Layer.Layer<Cursors, never, Signer> = Layer.effect(
    Cursors,
    Effect.gen(function* () {
      const signer = yield* Signer
      const partsOf = (use: CursorUse, text: string) => [use.list, use.workspaceId, ...use.filters, text]
      const toTag = (signature: Uint8Array) => Base64Url.encode(signature.subarray(0, tagBytes))
      const isOurs = (use: CursorUse, text: string, tag: string) =>
        Effect.map(signer.signatures("cursor", partsOf(use, text)), (signatures) =>
          signatures.some((signature) => timingSafeEqual(encoder.encode(tag), encoder.encode(toTag(signature))))
        )
      const refused = Effect.fail(invalid("cursor", "must be a next_cursor that this list gave, with the same filters"))
      return Cursors.of({
        seal: Effect.fnUntraced(function* (use, { createdAt, id }) {
          const text = `${DateTime.toEpochMillis(createdAt)}.${id}`
          const signature = yield* signer.sign("cursor", partsOf(use, text))
          return Base64Url.encode(`${toTag(signature)}.${text}`)
        }),
        open: Effect.fnUntraced(function* (use, cursor) {
          if (cursor === undefined) return Option.none()
          const decoded = Base64Url.decodeString(cursor)
          if (Result.isFailure(decoded) || Base64Url.encode(decoded.success) !== cursor) return yield* refused
          const [tag = "", time = "", ...rest] = decoded.success.split(".")
          // A customer's own id may have dots.
          const id = rest.join(".")
          if (!(yield* isOurs(use, `${time}.${id}`, tag))) return yield* refused
          const createdAt = DateTime.make(Number(time))
          if (Option.isNone(createdAt)) return yield* refused
          return Option.some({ createdAt: DateTime.toUtc(createdAt.value), id })
        })
      })
    })
  )
}

/** The body of a list's answer. */
export const toPageBody = Effect.fnUntraced(function* <A, B>(
  cursors: Cursors["Service"],
  use: CursorUse,
  page: Page<A>,
  toBody: (item: A) => B
) {
  const next = Option.isNone(page.next) ? null : yield* cursors.seal(use, page.next.value)
  return { data: page.items.map(toBody), next_cursor: next, request_id: yield* RequestId }
})

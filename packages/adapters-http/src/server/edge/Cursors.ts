import type { Page, PageKey, PageRequest } from "@loopbox/core/kernel/Page"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { timingSafeEqual } from "effect/crypto/Mac"
import * as Base64Url from "effect/encoding/Base64Url"
import { defaultLimit } from "../../api/ListQuery.ts"
import { RequestId } from "../../api/RequestId.ts"
import { InvalidRequest } from "./issues.ts"
import { Signer } from "../media/Signer.ts"

/** What a cursor is good for: one list, of one workspace, with one set of filters. */
export interface CursorUse {
  readonly list: string
  /** Empty for lists that span workspaces. */
  readonly workspaceId: string
  readonly filters: ReadonlyArray<string>
}

/** A cursor's parts, unproved; absent where a text is no cursor of any list. */
export const parseCursor = (cursor: string) => {
  const decoded = Base64Url.decodeString(cursor)
  if (Result.isFailure(decoded) || Base64Url.encode(decoded.success) !== cursor) return Option.none()
  const [tag = "", time = "", ...rest] = decoded.success.split(".")
  const createdAt = time === "" ? Option.none() : Option.map(DateTime.make(Number(time)), DateTime.toUtc)
  // A customer's own id may have dots.
  return Option.map(createdAt, (at) => ({
    tag,
    text: `${time}.${rest.join(".")}`,
    key: { createdAt: at, id: rest.join(".") }
  }))
}

/** What is said of a cursor that is not one of the list. */
export const notItsCursor = {
  path: "cursor",
  message: "must be a next_cursor that this list gave, with the same filters"
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
>()("@loopbox/adapters-http/server/edge/Cursors") {
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
      const refused = Effect.fail(new InvalidRequest({ issues: [notItsCursor] }))
      return Cursors.of({
        seal: Effect.fnUntraced(function* (use, { createdAt, id }) {
          const text = `${DateTime.toEpochMillis(createdAt)}.${id}`
          const signature = yield* signer.sign("cursor", partsOf(use, text))
          return Base64Url.encode(`${toTag(signature)}.${text}`)
        }),
        open: Effect.fnUntraced(function* (use, cursor) {
          if (cursor === undefined) return Option.none()
          const parsed = parseCursor(cursor)
          if (Option.isNone(parsed)) return yield* refused
          const { key, tag, text } = parsed.value
          return (yield* isOurs(use, text, tag)) ? Option.some(key) : yield* refused
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

/** Answers one page of a list, from the cursor in its query on. */
export const answerPage = Effect.fnUntraced(function* <A, B, E, R>(
  cursors: Cursors["Service"],
  use: CursorUse,
  query: { readonly cursor?: string; readonly limit?: number },
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>,
  toBody: (item: A) => B
) {
  const after = yield* cursors.open(use, query.cursor)
  return yield* toPageBody(cursors, use, yield* list({ limit: query.limit ?? defaultLimit, after }), toBody)
})

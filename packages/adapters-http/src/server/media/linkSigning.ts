import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import { HttpSettings } from "../system/HttpSettings.ts"
import { Signer } from "./Signer.ts"

/** `upload`: the bytes of a reserved upload may be sent. `download`: the bytes may be read. */
export type LinkPurpose = "upload" | "download"

export type LinkVerdict = "valid" | "expired" | "wrong"

/** Query of a signed link as it came; a repeated member is an array. */
export interface LinkQuery {
  readonly expires?: string | ReadonlyArray<string> | undefined
  readonly sig?: string | ReadonlyArray<string> | undefined
}

/** Signed addresses of files: who has one may do one thing with one file until it expires. */
export class MediaLinks extends Context.Service<
  MediaLinks,
  {
    readonly sign: (purpose: LinkPurpose, mediaId: string, expiresAt: DateTime.Utc) => Effect.Effect<string>
    /** Compares in constant time; only a link of ours can be `expired`. */
    readonly verify: (purpose: LinkPurpose, mediaId: string, query: LinkQuery) => Effect.Effect<LinkVerdict>
  }
>()("@loopbox/adapters-http/server/MediaLinks") {
  static readonly layer: Layer.Layer<MediaLinks, never, HttpSettings | Signer> = Layer.effect(
    MediaLinks,
    Effect.gen(function* () {
      const { publicUrl } = yield* HttpSettings
      const signer = yield* Signer
      const signed = (purpose: LinkPurpose, mediaId: string, expires: string) => [purpose, mediaId, expires]
      return MediaLinks.of({
        sign: Effect.fnUntraced(function* (purpose, mediaId, expiresAt) {
          const expires = String(DateTime.toEpochMillis(expiresAt))
          const signature = yield* signer.sign("link", signed(purpose, mediaId, expires))
          return `${yield* publicUrl}/v1/media/${mediaId}/content?expires=${expires}&sig=${Base64Url.encode(signature)}`
        }),
        verify: Effect.fnUntraced(function* (purpose, mediaId, { expires, sig }) {
          if (typeof expires !== "string" || typeof sig !== "string" || !/^\d{1,15}$/.test(expires)) return "wrong"
          const signature = Base64Url.decode(sig)
          // One signature has one text: bits that decode to nothing must be zero.
          if (Result.isFailure(signature) || Base64Url.encode(signature.success) !== sig) return "wrong"
          const isOurs = yield* signer.verify("link", signed(purpose, mediaId, expires), signature.success)
          if (!isOurs) return "wrong"
          return DateTime.toEpochMillis(yield* DateTime.now) < Number(expires) ? "valid" : "expired"
        })
      })
    })
  )
}

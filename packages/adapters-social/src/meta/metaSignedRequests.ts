import * as DateTime from "effect/DateTime"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SignedRequests, type SignedRequest } from "@loopbox/core/connecting/SignedRequests"
import { isRequestSigned, type Secrets } from "../payloads/signature.ts"

/** Longest request that is read, in characters; Meta's have about 200. */
const longest = 8_192

/** The latest moment that `DateTime` knows, in seconds. */
const mostSeconds = 8_640_000_000_000

const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostSeconds }))

const Payload = Schema.fromJsonString(
  Schema.Struct({
    // A string in Meta's sample; numbers were seen, too.
    user_id: Schema.Union([Schema.NonEmptyString, Schema.Int]),
    algorithm: Schema.String,
    issued_at: Seconds,
    expires: Schema.optional(Seconds)
  })
)
const decode = Schema.decodeUnknownOption(Payload)

const atSecond = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

/**
 * A `signed_request`: two parts in base64url, the signature of the second and the JSON, with or without padding
 * (social-networks-write.md A6). Any of the secrets may have signed it.
 */
export const readSignedRequest = (secrets: Secrets, text: string): Option.Option<SignedRequest> => {
  const [signature = "", data = "", ...more] = text.split(".")
  const isShaped = text.length <= longest && more.length === 0 && data !== ""
  if (!isShaped || !isRequestSigned(secrets, signature, data)) return Option.none()
  return Option.flatMap(decode(Buffer.from(data, "base64url").toString("utf8")), (payload) =>
    payload.algorithm.toUpperCase() === "HMAC-SHA256"
      ? Option.some({
          personId: String(payload.user_id),
          issuedAt: atSecond(payload.issued_at),
          // 0 says that it does not end.
          expiresAt: Option.map(
            Option.filter(Option.fromUndefinedOr(payload.expires), (seconds) => seconds > 0),
            atSecond
          )
        })
      : Option.none()
  )
}

/** Callbacks of our apps at Meta, at Instagram and at Threads. */
export const layer = (secrets: Secrets): Layer.Layer<never> =>
  Layer.succeed(SignedRequests, {
    networks: ["facebook", "instagram", "threads"],
    read: (text) => readSignedRequest(secrets, text)
  })

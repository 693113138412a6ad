import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { FormInvalid, readForm } from "../edge/readForm.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { toResponse } from "../edge/refusalResponse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { refusePlainRequest } from "../edge/Validation.ts"
import { metaCallbacks } from "../accounts/connectingOrNone.ts"

/** A signed request names one person and a time. */
const maxBytes = 16 * 1024

const refuseSigned = (message: string) => refusePlainRequest([{ path: "signed_request", message }])

const callbackRefusals = {
  FormInvalid: () => refuseSigned("must be the one member of a form (application/x-www-form-urlencoded)"),
  SignedRequestInvalid: () =>
    Effect.andThen(
      countUnauthorized("webhook"),
      refuseSigned("must be signed by an app that this host knows, and not long ago")
    ),
  BodyTooLarge: () => refuse("PAYLOAD_TOO_LARGE", "A signed request may have 16 KiB."),
  BodyTimeout: jsonRefusals.BodyTimeout,
  InvalidRequest: () => refusePlainRequest([{ path: "body", message: "broke off" }]),
  StoreUnavailable: refuseStore
}

/** The only member of the form. */
const readSignedRequest = Effect.gen(function* () {
  const members = Array.from(yield* readForm(maxBytes))
  const [name, value] = members[0] ?? []
  return members.length === 1 && name === "signed_request" && value !== undefined ? value : yield* new FormInvalid()
})

/** What Meta calls when a person takes the app's permission back, or wants their data deleted (api-2.md §11). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const callbacks = yield* metaCallbacks
    const { publicUrl } = yield* HttpSettings

    const deauthorise = Effect.gen(function* () {
      yield* callbacks.deauthorise(yield* readSignedRequest)
      return HttpServerResponse.empty({ status: 200 })
    }).pipe(Effect.catchTags(callbackRefusals))

    /** Without the envelope: Meta defines the answer. */
    const requestDeletion = Effect.gen(function* () {
      const { code } = yield* callbacks.requestDeletion(yield* readSignedRequest)
      return HttpServerResponse.jsonUnsafe({
        url: `${yield* publicUrl}/connect/deletion/${code}`,
        confirmation_code: code
      })
    }).pipe(Effect.catchTags(callbackRefusals))

    yield* router.add("POST", "/v1/webhooks/meta/deauthorize", toResponse(deauthorise))
    yield* router.add("POST", "/v1/webhooks/meta/data-deletion", toResponse(requestDeletion))
  })
)

import { requireKey } from "@loopbox/core/access/InboxAccess"
import type { IdentityUnavailable } from "@loopbox/core/access/AccessErrors"
import type { KeyCaller } from "@loopbox/core/access/Caller"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Digest, sha256 } from "effect/crypto/Digest"
import { timingSafeEqual } from "effect/crypto/Mac"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import {
  AdminAuthentication,
  Authentication,
  ContentAccess,
  type ContentGrant,
  ConversionsAuthentication,
  CurrentContentGrant,
  UploadLink
} from "../api/Authentication.ts"
import { CurrentCaller } from "../api/CurrentCaller.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { makeIdentify, toCredential } from "./identify.ts"
import { MediaLinks } from "./linkSigning.ts"
import { refuse, refuseUnauthorized } from "./refuse.ts"
import { refuseProcessing, refuseStore } from "./storeRefusals.ts"

/** The key that calls media or conversions; a dashboard user may not (§5.7). */
const makeAuthenticate = Effect.gen(function* () {
  const identify = yield* makeIdentify
  return Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const caller = yield* identify(toCredential(token, headers["x-workspace-id"]))
    return yield* requireKey(caller).pipe(
      Effect.catchTag("ApiKeyRequired", () => refuse("API_KEY_REQUIRED", "This takes an API key only."))
    )
  })
})

const apiKeyLayers = Layer.unwrap(
  Effect.gen(function* () {
    const authenticate = yield* makeAuthenticate
    const links = yield* MediaLinks

    const grantOf = Effect.fnUntraced(function* (credential: Redacted.Redacted<string>) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const query = yield* HttpServerRequest.ParsedSearchParams
      if (headers["authorization"] === undefined && query["sig"] !== undefined) {
        const { params } = yield* HttpRouter.RouteContext
        const verdict = yield* links.verify("download", params["id"] ?? "", query)
        if (verdict !== "valid")
          return yield* refuseUnauthorized("This link has expired or was altered. Ask for the file again.")
        return { _tag: "Link" } satisfies ContentGrant
      }
      const caller = yield* authenticate(credential)
      return { _tag: "Key", workspaceId: caller.workspace.id } satisfies ContentGrant
    })

    const byKey = <E>(
      down: (
        error: StoreUnavailable | IdentityUnavailable
      ) => Effect.Effect<never, E, HttpServerRequest.HttpServerRequest>
    ) =>
      Effect.fnUntraced(function* (credential: Redacted.Redacted<string>) {
        return yield* Effect.catchTags(authenticate(credential), { StoreUnavailable: down, IdentityUnavailable: down })
      })
    const forMedia = byKey(refuseStore)
    const forConversions = byKey(refuseProcessing)

    return Layer.mergeAll(
      Layer.succeed(
        Authentication,
        Authentication.of({
          apiKey: (next, { credential }) =>
            Effect.flatMap(forMedia(credential), (caller) =>
              within(caller, Effect.provideService(next, CurrentCaller, caller))
            )
        })
      ),
      Layer.succeed(
        ConversionsAuthentication,
        ConversionsAuthentication.of({
          apiKey: (next, { credential }) =>
            Effect.flatMap(forConversions(credential), (caller) =>
              within(caller, Effect.provideService(next, CurrentCaller, caller))
            )
        })
      ),
      Layer.succeed(
        ContentAccess,
        ContentAccess.of({
          apiKey: (next, { credential }) =>
            grantOf(credential).pipe(
              Effect.catchTags({ StoreUnavailable: refuseStore, IdentityUnavailable: refuseStore }),
              Effect.flatMap((grant) => Effect.provideService(next, CurrentContentGrant, grant))
            )
        })
      )
    )
  })
)

/** Every line that is logged for the request says whose it was. */
const within = <A, E, R>(caller: KeyCaller, effect: Effect.Effect<A, E, R>) =>
  Effect.annotateLogs(effect, { workspace_id: caller.workspace.id })

const uploadLink = Layer.effect(
  UploadLink,
  Effect.gen(function* () {
    const links = yield* MediaLinks
    return UploadLink.of(
      Effect.fnUntraced(function* (next) {
        const { params } = yield* HttpRouter.RouteContext
        const query = yield* HttpServerRequest.ParsedSearchParams
        const verdict = yield* links.verify("upload", params["id"] ?? "", query)
        if (verdict === "wrong")
          return yield* refuseUnauthorized("PUT the bytes to the upload_url exactly as it was given.")
        if (verdict === "expired") {
          return yield* refuse("upload_expired", "This upload_url has expired. Read the record for a new one.")
        }
        return yield* next
      })
    )
  })
)

const adminAuthentication = Layer.effect(
  AdminAuthentication,
  Effect.gen(function* () {
    const { adminToken } = yield* HttpSettings
    const digest = yield* Digest
    const encoder = new TextEncoder()
    const hashOf = (token: Redacted.Redacted<string>) => digest.digest(sha256, encoder.encode(Redacted.value(token)))
    const expected = Option.isSome(adminToken) ? yield* hashOf(adminToken.value) : undefined
    return AdminAuthentication.of({
      adminToken: Effect.fnUntraced(function* (next, { credential }) {
        const given = yield* hashOf(credential)
        // Hashes have one length, so the comparison tells nothing of the token's.
        if (expected === undefined || !timingSafeEqual(given, expected)) {
          return yield* refuseUnauthorized("Give the admin token: Authorization: Bearer …")
        }
        return yield* next
      })
    })
  })
)

/** The middlewares that stand before the groups: who calls, and may they? */
export const layer = Layer.mergeAll(apiKeyLayers, uploadLink, adminAuthentication)

import { requireKey } from "@loopbox/core/access/InboxAccess"
import { operator } from "@loopbox/core/audit/Actor"
import type { IdentityUnavailable } from "@loopbox/core/access/AccessErrors"
import type { KeyCaller, OperatorCaller } from "@loopbox/core/access/Caller"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
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
} from "../../api/Authentication.ts"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { asActor } from "../audit/asActor.ts"
import { CurrentConsoleCredential } from "../console/CurrentConsoleCredential.ts"
import { CurrentRequestFacts } from "../edge/requestFacts.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { AddressLimits } from "./AddressLimits.ts"
import { makeIsAdmin, refuseAdminToken } from "./adminToken.ts"
import { makeIdentify, refuseAddress, toCredential } from "./identify.ts"
import { MediaLinks } from "../media/linkSigning.ts"
import { refuse, refuseUnauthorized } from "../edge/refuse.ts"
import { refuseProcessing, refuseStore } from "../edge/storeRefusals.ts"

/** The key that calls media or conversions; a dashboard user may not (§5.7). */
const makeAuthenticate = Effect.gen(function* () {
  const identify = yield* makeIdentify
  return Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const caller = yield* identify(toCredential(token, headers["x-workspace-id"]))
    return yield* requireKey(caller).pipe(Effect.catchTag("ApiKeyRequired", () => refuse("API_KEY_REQUIRED")))
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
      const _tag = caller._tag === "OperatorCaller" ? "Console" : "Key"
      return { _tag, workspaceId: caller.workspace.id } satisfies ContentGrant
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
          apiKey: (next, { credential }) => Effect.flatMap(forMedia(credential), (caller) => asCaller(caller, next))
        })
      ),
      Layer.succeed(
        ConversionsAuthentication,
        ConversionsAuthentication.of({
          apiKey: (next, { credential }) =>
            Effect.flatMap(forConversions(credential), (caller) => asCaller(caller, next))
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

/** Runs the rest of a request as its caller's; every line that is logged for it says whose it was. */
const asCaller = <A, E, R>(caller: KeyCaller | OperatorCaller, next: Effect.Effect<A, E, R>) =>
  Effect.provideService(next, CurrentCaller, caller).pipe(
    asActor,
    Effect.annotateLogs({ workspace_id: caller.workspace.id })
  )

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
          return yield* refuse("upload_expired")
        }
        return yield* next
      })
    )
  })
)

const adminAuthentication = Layer.effect(
  AdminAuthentication,
  Effect.gen(function* () {
    const isAdmin = yield* makeIsAdmin
    const addresses = yield* AddressLimits
    return AdminAuthentication.of({
      adminToken: Effect.fnUntraced(function* (next, { credential }) {
        if (Option.isSome(yield* CurrentConsoleCredential) || (yield* isAdmin(credential))) {
          ;(yield* CurrentRequestFacts).actor = operator
          return yield* asActor(next)
        }
        yield* countUnauthorized("admin")
        const wait = yield* addresses.noteRefused
        return yield* Option.isSome(wait) ? refuseAddress(wait.value) : refuseAdminToken(credential)
      })
    })
  })
)

/** The middlewares that stand before the groups: who calls, and may they? */
export const layer = Layer.mergeAll(apiKeyLayers, uploadLink, adminAuthentication)

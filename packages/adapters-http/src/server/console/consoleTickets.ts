import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { consoleTicketMinutes } from "@loopbox/core/access/ConsoleSessions"
import { AddressLimits } from "../access/AddressLimits.ts"
import { makeIsAdmin, refuseAdminToken } from "../access/adminToken.ts"
import { refuseAddress } from "../access/identify.ts"
import { answer } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"

const bearer = /^bearer +(\S+)$/i

/** `POST /console/tickets` with the admin token: a link that signs in once. It is for `loopbox console`, and no page asks. */
export const makeTickets = Effect.fnUntraced(function* ({ sessions }: ConsoleOptions) {
  const { publicUrl } = yield* HttpSettings
  const isAdmin = yield* makeIsAdmin
  const addresses = yield* AddressLimits

  const judge = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const token = Redacted.make(bearer.exec(headers["authorization"] ?? "")?.[1] ?? "")
    if (yield* isAdmin(token)) return
    yield* countUnauthorized("admin")
    const wait = yield* addresses.noteRefused
    return yield* Option.isSome(wait) ? refuseAddress(wait.value) : refuseAdminToken(token)
  })

  return Effect.gen(function* () {
    yield* judge
    const now = yield* DateTime.now
    const ticket = Redacted.value(yield* sessions.issueTicket)
    const body = yield* answer({
      ticket,
      url: `${yield* publicUrl}/console#${ticket}`,
      expires_at: DateTime.formatIso(DateTime.add(now, { minutes: consoleTicketMinutes }))
    })
    return HttpServerResponse.jsonUnsafe(body, { status: 201 })
  }).pipe(Effect.catchTag("StoreUnavailable", refuseStore))
})

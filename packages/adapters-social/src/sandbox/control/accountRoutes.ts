import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Sandbox } from "../Sandbox.ts"
import { AccountName, Callback, Death, letDie, Role, setRole, stateOf, Withdrawal, withdraw } from "./accountActs.ts"
import { control, done } from "./controlRoute.ts"

const changed = (count: number) => done({ changed: count })

/** `GET /sandbox/account?network=&account_id=`. */
const show = (sandbox: Sandbox["Service"]) =>
  HttpRouter.route(
    "GET",
    "/sandbox/account",
    Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const { searchParams } = new URL(url, "http://sandbox")
      const named = yield* Schema.decodeUnknownEffect(AccountName)(Object.fromEntries(searchParams))
      const state = yield* Effect.fromResult(stateOf(sandbox, named, yield* sandbox.now))
      return HttpServerResponse.jsonUnsafe(state)
    }).pipe(
      Effect.catchTags({
        SchemaError: ({ message }) =>
          Effect.succeed(HttpServerResponse.jsonUnsafe({ error: message }, { status: 400 })),
        SandboxRefused: ({ reason }) =>
          Effect.succeed(HttpServerResponse.jsonUnsafe({ error: reason }, { status: 409 }))
      })
    )
  )

/** What happens to one account at its network, without anybody asking our app. */
export const accountRoutes = (sandbox: Sandbox["Service"]) => [
  show(sandbox),
  control("account/die", Death, (input) => Effect.map(Effect.fromResult(letDie(sandbox, input)), changed)),
  control("account/withdraw", Withdrawal, (input) => Effect.map(Effect.fromResult(withdraw(sandbox, input)), changed)),
  control("account/role", Role, (input) => Effect.map(Effect.fromResult(setRole(sandbox, input)), changed)),
  control("account/callback", Callback, (input) => Effect.map(sandbox.callBack(input), done))
]

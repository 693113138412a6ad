import { IncomingMessage } from "node:http"
import type { Network } from "../names.ts"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { parsedJson } from "./parsedJson.ts"
import type { Ending } from "./faults/faultAnswers.ts"
import { facebook } from "./graph/facebook.ts"
import { instagram } from "./graph/instagram.ts"
import type { Ask, Operation, Route, SandboxAnswer, SimulatedNetwork } from "./Operation.ts"
import { route } from "./control/routes.ts"
import type { Sandbox } from "./Sandbox.ts"
import { threads } from "./threads/threads.ts"
import { x } from "./x/x.ts"

export const simulated: ReadonlyArray<SimulatedNetwork> = [instagram, facebook, threads, x]

const secretInputs = new Set([
  "access_token",
  "appsecret_proof",
  "client_secret",
  "code",
  "code_verifier",
  "fb_exchange_token",
  "input_token",
  "refresh_token",
  "state",
  "token"
])

type Inputs = Readonly<Record<string, unknown>>

/** A body is a form, or JSON where it says so; what can't be read has nothing in it. */
const inputsOf = (contentType: string, body: string): Inputs => {
  if (!contentType.startsWith("application/json")) return Object.fromEntries(new URLSearchParams(body))
  const parsed = parsedJson(body)
  return Predicate.isObject(parsed) ? { ...parsed } : {}
}

const asText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

const askOf = Effect.fnUntraced(function* (method: Ask["method"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  const { headers, url } = request
  const { pathname, searchParams } = new URL(url, "http://sandbox")
  // A body that breaks off, or is too long, is one without input: refused as that.
  const body = method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : ""
  const isForm = headers["content-type"]?.startsWith("application/json") !== true
  const inputs: Inputs = {
    ...Object.fromEntries(searchParams),
    ...inputsOf(headers["content-type"] ?? "", body)
  }
  const shown = Object.fromEntries(Object.entries(inputs).filter(([name]) => !secretInputs.has(name)))
  const ask: Ask = {
    method,
    path: pathname,
    param: (name) => params[name] ?? "",
    input: (name) => inputs[name],
    text: (name) => asText(inputs[name]),
    texts: (name) => [...searchParams.getAll(name), ...(isForm ? new URLSearchParams(body).getAll(name) : [])],
    inputs: shown,
    authorization: headers["authorization"],
    baseUrl: `http://${headers["host"] ?? "sandbox"}`
  }
  return ask
})

const answered = ({ body, headers = {}, status }: SandboxAnswer): HttpServerResponse.HttpServerResponse =>
  typeof body === "string"
    ? HttpServerResponse.text(body, {
        status,
        headers,
        contentType: body.startsWith("<") ? "text/html; charset=utf-8" : "application/json"
      })
    : HttpServerResponse.jsonUnsafe(body, { status, headers })

/** Breaks the connection: where there is a socket it is reset, else the body ends in an error. */
const reset = Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => {
  if (source instanceof IncomingMessage) source.socket.resetAndDestroy()
  return HttpServerResponse.stream(Stream.die("the sandbox broke the connection"))
})

const ended = (
  ending: Ending
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
  switch (ending._tag) {
    case "Answer":
      return Effect.succeed(answered(ending.answer))
    case "Hang":
      // Until whoever asked gives up, or the server stops.
      return Effect.never
    case "Reset":
      return reset
  }
}

/** A path that the network does not have here: noted like any other. */
const unknownPath: Operation = {
  name: "unknown",
  openAnswer: (_scene, { path }) => ({ status: 404, body: { error: { message: `Unknown path ${path}`, code: 2500 } } })
}

const unknownPaths = (network: Network): ReadonlyArray<Route> =>
  (["GET", "POST", "PUT", "DELETE"] as const).map((method) => route(method, `/${network}/*`, unknownPath))

/** What connectors ask of the networks. */
export const networkRoutes = ({ exchange }: Sandbox["Service"], metaAppSecret: Redacted.Redacted<string>) =>
  simulated.flatMap(({ network, routes }) =>
    [...routes, ...unknownPaths(network)].map((one) =>
      HttpRouter.route(
        one.method,
        one.path,
        askOf(one.method).pipe(
          Effect.flatMap((ask) => exchange(network, one, ask, metaAppSecret)),
          Effect.flatMap(ended)
        )
      )
    )
  )

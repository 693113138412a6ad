import { IncomingMessage } from "node:http"
import type { Network } from "../names.ts"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { collectFile } from "./publishing/loadFile.ts"
import type { GivenFile } from "./publishing/loadFile.ts"
import { parsedJson } from "./parsedJson.ts"
import type { Ending } from "./faults/faultAnswers.ts"
import { facebook } from "./graph/facebook.ts"
import { instagram } from "./graph/instagram.ts"
import type { Ask, Operation, Route, SandboxAnswer, SimulatedNetwork } from "./Operation.ts"
import { route } from "./control/routes.ts"
import { picture } from "./pictures.ts"
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

/** A piece of a file: X takes 5 MB, and says of a larger one that it is too large. */
const mostForm = ByteSize.mebibytes(6)

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

/** What came with a request beside its path. */
interface Body {
  readonly text: string
  readonly inputs: Inputs
  readonly file: Option.Option<GivenFile>
}

const fileOf = (bytes: Uint8Array, contentType: string): GivenFile => {
  const file = collectFile()
  file.add(bytes)
  return file.done(contentType)
}

/** A form whose parts may be files; the order of its parts is kept, for X wants some before others. */
const formOf = (bytes: ArrayBuffer, contentType: string): Effect.Effect<Body> =>
  Effect.tryPromise(async () => {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
    const inputs: Record<string, unknown> = {}
    let file: Option.Option<GivenFile> = Option.none()
    for (const [name, value] of form) {
      if (typeof value === "string") inputs[name] = Option.isSome(file) ? undefined : value
      else file = Option.some(fileOf(await value.bytes(), value.type))
    }
    return { text: "", inputs, file }
  }).pipe(Effect.orElseSucceed(() => noBody))

const noBody: Body = { text: "", inputs: {}, file: Option.none() }

/** A body that breaks off, or is too long, is one without input: refused as that. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Body> => {
  const contentType = request.headers["content-type"] ?? ""
  const read = Effect.gen(function* () {
    if (request.headers["file_size"] !== undefined || contentType === "application/octet-stream") {
      const file = collectFile()
      yield* Stream.runForEach(request.stream, (chunk) => Effect.sync(() => file.add(chunk)))
      return { ...noBody, file: Option.some(file.done(contentType)) }
    }
    if (contentType.startsWith("multipart/form-data")) {
      const bytes = yield* Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, mostForm)
      return yield* formOf(bytes, contentType)
    }
    const text = yield* request.text
    return { text, inputs: inputsOf(contentType, text), file: Option.none() }
  })
  return Effect.orElseSucceed(read, () => noBody)
}

const askOf = Effect.fnUntraced(function* (method: Ask["method"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpRouter.params
  const { headers, url } = request
  const { pathname, searchParams } = new URL(url, "http://sandbox")
  const body = method === "POST" || method === "PUT" ? yield* bodyOf(request) : noBody
  const isForm = headers["content-type"]?.startsWith("application/json") !== true
  const inputs: Inputs = {
    ...Object.fromEntries(searchParams),
    ...body.inputs
  }
  const shown = Object.fromEntries(Object.entries(inputs).filter(([name]) => !secretInputs.has(name)))
  const ask: Ask = {
    method,
    path: pathname,
    param: (name) => params[name] ?? "",
    input: (name) => inputs[name],
    text: (name) => asText(inputs[name]),
    texts: (name) => [...searchParams.getAll(name), ...(isForm ? new URLSearchParams(body.text).getAll(name) : [])],
    inputs: shown,
    file: body.file,
    loaded: Option.none(),
    header: (name) => headers[name],
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
        contentType: headers["content-type"] ?? (body.startsWith("<") ? "text/html; charset=utf-8" : "application/json")
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

const answering =
  ({ exchange }: Sandbox["Service"], metaAppSecret: Redacted.Redacted<string>, network: Network) =>
  (one: Route) =>
    HttpRouter.route(
      one.method,
      one.path,
      askOf(one.method).pipe(
        Effect.flatMap((ask) => exchange(network, one, ask, metaAppSecret)),
        Effect.flatMap(ended)
      )
    )

/** What connectors ask of the networks. */
export const networkRoutes = (sandbox: Sandbox["Service"], metaAppSecret: Redacted.Redacted<string>) =>
  simulated.flatMap(({ network, routes }) =>
    [...routes, route("GET", `/${network}/pictures/:file`, picture(network)), ...unknownPaths(network)].map(
      answering(sandbox, metaAppSecret, network)
    )
  )

const isDialog = ({ path }: Route): boolean => /\/(?:oauth2?\/authorize|dialog\/oauth)$/.test(path)

/** What people's browsers open, and nothing else. */
export const dialogRoutes = (sandbox: Sandbox["Service"], metaAppSecret: Redacted.Redacted<string>) =>
  simulated.flatMap(({ network, routes }) => routes.filter(isDialog).map(answering(sandbox, metaAppSecret, network)))

import { toBase32 } from "@loopbox/core/kernel/Ids"
import { isUnreadableRow } from "@loopbox/core/kernel/UnreadableRow"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Headers from "effect/http/Headers"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RequestId } from "../../api/RequestId.ts"
import { corsHeaders, isForPages, preflight } from "./cors.ts"
import { isForBoth, isForOperators, isOfConsole, OperationsRequests } from "./entrance.ts"
import { apiHeaders, envelopeOf, securityHeaders } from "./envelope.ts"
import { makeWithDrain } from "./drainBody.ts"
import { consoleTarget, makeConsoleGate } from "../console/consoleGate.ts"
import { makeCompatible } from "../compatibility/compatible.ts"
import { countAnswer } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { CurrentRequestBodies } from "./RequestBodies.ts"
import { refusal, unavailableSeconds } from "./refuse.ts"
import { type AccessEntry, CurrentRequestFacts, noFacts, type RequestFacts } from "./requestFacts.ts"
import { findPath } from "./routeTable.ts"
import { unavailableCodeOf } from "./storeRefusals.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const givenId = /^[A-Za-z0-9._-]{1,128}$/

const idBytes = 16
/** Ids for which random bytes are drawn at once: a call for them is dearer than their number. */
const idsAtOnce = 64

/** Makes new request ids. */
export const makeRequestIds = (random: SecureRandom["Service"]): Effect.Effect<string> => {
  let drawn: Uint8Array = new Uint8Array(0)
  const next = () => {
    const id = `req_${toBase32(drawn.subarray(0, idBytes))}`
    drawn = drawn.subarray(idBytes)
    return id
  }
  return Effect.suspend(() => {
    if (drawn.length > 0) return Effect.succeed(next())
    return Effect.map(random.randomBytes(idBytes * idsAtOnce), (bytes) => {
      drawn = bytes
      return next()
    })
  })
}

const isBare = ({ body, status }: Response) =>
  status >= 400 && (body._tag === "Empty" || (body._tag === "Uint8Array" && body.contentType.startsWith("text/plain")))

/** Gives a bare refusal its envelope. */
const withEnvelope = (response: Response, id: string, pattern: string): Response => {
  if (!isBare(response)) return response
  const { headers, status } = response
  return HttpServerResponse.jsonUnsafe(envelopeOf(status, id, pattern), { status }).pipe(
    // The old body's length must not survive: the client would wait for bytes that never come.
    HttpServerResponse.setHeaders(Headers.removeMany(headers, ["content-type", "content-length"]))
  )
}

/** A server that stops interrupts what it cannot wait for; a client that left is told nothing. */
const isOurInterrupt = <E>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause) &&
  !cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const stopping = HttpServerResponse.empty({
  status: 503,
  headers: { "retry-after": String(unavailableSeconds), connection: "close" }
})

/** An answer that was thrown, for it may come from anywhere and be nobody's refusal. */
const isThrownAnswer = <E>({ reasons }: Cause.Cause<E>) =>
  reasons.some((reason) => Cause.isDieReason(reason) && HttpServerResponse.isHttpServerResponse(reason.defect))

/** A row that only a newer version can read: a process of that may answer the next time. */
const isUnread = <E>({ reasons }: Cause.Cause<E>) =>
  reasons.some((reason) => Cause.isDieReason(reason) && isUnreadableRow(reason.defect))

/** As where a dependency is down, in the words of the path's group. */
const unread = (pattern: string) =>
  Effect.map(refusal(unavailableCodeOf(pattern)), (body) =>
    HttpServerResponse.jsonUnsafe(body, { status: 503, headers: { "retry-after": String(unavailableSeconds) } })
  )

const recover =
  (pattern: string) =>
  <E>(cause: Cause.Cause<E>): Effect.Effect<Response, E> => {
    if (isOurInterrupt(cause)) return Effect.succeed(stopping)
    if (isUnread(cause)) {
      return Effect.andThen(Effect.logError("a request met a row that cannot be read", cause), unread(pattern))
    }
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
      response.status < 500 || isThrownAnswer(cause)
        ? Effect.succeed(response)
        : Effect.as(Effect.logError("a request died", cause), response)
    )
  }

/** What nginx calls a request whose client did not wait for the answer. */
const clientLeft = 499

const pathOf = (url: string): string => url.split("?", 1)[0] ?? url

/** RFC 9112 §3.2: HTTP/1.1 asks for one Host, and Node's own refusal would have no envelope. Two come joined. */
const lacksHost = ({ headers, source }: Request) =>
  headers["host"] === undefined
    ? Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"
    : headers["host"].includes(",")

const makeRefuseEarly = Effect.gen(function* () {
  const { adminTokens, advanceClock, corsOrigins, hasOperationsPort } = yield* HttpSettings
  const operations = yield* OperationsRequests
  /** Whether a path is the other port's. */
  const isElsewhere = ({ source }: Request, pattern: string) =>
    hasOperationsPort && !isForBoth(pattern) && isForOperators(pattern) !== operations.has(source)
  const isOff = (pattern: string) =>
    (pattern.startsWith("/v1/admin/") && adminTokens.length === 0) ||
    (pattern === "/v1/admin/test/clock" && Option.isNone(advanceClock))

  /** What is decided by address and method alone: 404, 405, and a browser's question before it calls. */
  return (request: Request, path: ReturnType<typeof findPath>): Response | undefined => {
    if (lacksHost(request)) return HttpServerResponse.empty({ status: 400 })
    const asked = pathOf(request.url)
    if (isElsewhere(request, isOfConsole(asked) ? asked : (path?.pattern ?? "none")))
      return HttpServerResponse.empty({ status: 404 })
    // Not one of ours: the router answers, which may have routes of the host's.
    if (path === undefined) return undefined
    if (isOff(path.pattern)) return HttpServerResponse.empty({ status: 404 })
    const { method } = request
    if (method === "OPTIONS" && corsOrigins.size > 0 && isForPages(path.pattern)) return preflight()
    if (path.methods.has(method)) return undefined
    return HttpServerResponse.empty({ status: 405, headers: { allow: [...path.methods].join(", ") } })
  }
})

/** Milliseconds since then, to a hundredth. */
const since = (startedAt: bigint) =>
  Effect.map(Clock.monotonicTimeNanos, (now) => Math.round(Number(now - startedAt) / 1e4) / 100)

type Ended = Omit<AccessEntry, "endedAt_ms" | "milliseconds" | "workspaceId" | "keyId">

/** Tells the access log of a request, as it ended. */
const makeTell = Effect.map(HttpSettings, ({ accessLog }) =>
  Option.match(accessLog, {
    onNone: () => () => Effect.void,
    onSome: (write) => {
      const tellNow = (ended: Ended, { keyId, workspaceId }: RequestFacts, startedAt: bigint) =>
        Effect.zipWith(Clock.currentTimeMillis, since(startedAt), (endedAt_ms, milliseconds) =>
          write({ ...ended, endedAt_ms, milliseconds, workspaceId, keyId })
        )
      return (ended: Ended, facts: RequestFacts, startedAt: bigint): Effect.Effect<void> =>
        facts.lifetime === undefined
          ? tellNow(ended, facts, startedAt)
          : Scope.addFinalizer(
              facts.lifetime,
              Effect.suspend(() => tellNow(ended, facts, startedAt))
            )
    }
  })
)

/**
 * Every answer passes here: it gives the request its id, whatever failed without a body the error envelope, and all
 * answers their common headers.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const { bodies, corsOrigins, draining, ended, trustedProxies } = yield* HttpSettings
    const nextRequestId = makeRequestIds(yield* SecureRandom)
    const refuseEarly = yield* makeRefuseEarly
    const withDrain = makeWithDrain(bodies)
    const tell = yield* makeTell
    const compatible = yield* makeCompatible
    const consoleGate = yield* makeConsoleGate
    const isPreflightOfNothing = (request: Request, { status }: Response) =>
      request.method === "OPTIONS" && status === 404 && corsOrigins.size > 0 && isForPages(pathOf(request.url))
    const forwarded = HttpMiddleware.xForwardedHeaders({ trustedProxies })

    const headersOf = Effect.fnUntraced(function* (request: Request, response: Response, id: string) {
      return {
        ...apiHeaders,
        ...securityHeaders,
        ...(isForPages(pathOf(request.url))
          ? corsHeaders(corsOrigins, request.headers["origin"], compatible.exposed)
          : {}),
        ...((yield* Ref.get(draining)) ? { connection: "close" } : {}),
        ...response.headers,
        "x-request-id": id
      }
    })

    return (next) => {
      const answered = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { method, url } = request
        const startedAt = yield* Clock.monotonicTimeNanos
        const header = request.headers["x-request-id"]
        const id = header !== undefined && givenId.test(header) ? header : yield* nextRequestId
        const target = consoleGate === undefined ? undefined : consoleTarget(url)
        const path = findPath(target ?? url)
        const pattern = path?.pattern ?? "none"
        const route = target === undefined ? pattern : `/console${path?.pattern ?? ""}`
        const facts = noFacts()

        const early = (yield* Ref.get(ended)) ? stopping : refuseEarly(request, path)
        const served =
          consoleGate === undefined || target === undefined
            ? compatible.serve(request, pattern, next)
            : consoleGate(request, target, next)
        const given = yield* early !== undefined
          ? Effect.succeed(early)
          : served.pipe(
              Effect.catchCause(recover(pattern)),
              Effect.annotateLogs({ request_id: id, http_route: route }),
              Effect.provideService(RequestId, id),
              Effect.provideService(CurrentRequestBodies, bodies),
              Effect.provideService(CurrentRequestFacts, facts),
              Effect.onInterrupt(() => tell({ requestId: id, route, method, status: clientLeft }, facts, startedAt))
            )
        // After the router, for a path that is none of ours may be one of the host's.
        const answer = early === undefined && isPreflightOfNothing(request, given) ? preflight() : given
        const response = withEnvelope(answer, id, pattern)
        const { status } = response
        yield* tell({ requestId: id, route, method, status }, facts, startedAt)
        yield* countAnswer({ route, method, status, seconds: (yield* since(startedAt)) / 1000 })
        return HttpServerResponse.setHeaders(withDrain(request, response), yield* headersOf(request, response, id))
      })
      return trustedProxies.length === 0 ? answered : forwarded(answered)
    }
  }),
  { global: true }
)

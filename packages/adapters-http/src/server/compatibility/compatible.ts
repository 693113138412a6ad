import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { defaultBackfill, estimateReads } from "@loopbox/core/sync/backfillRules"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpEffect from "effect/http/HttpEffect"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { connectedAccounts } from "../accounts/connectingOrNone.ts"
import { CurrentBodyTranslation } from "../edge/readJson.ts"
import { CurrentRequestFacts } from "../edge/requestFacts.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { accountIdsOf, completeData, completeSync } from "./unipostAnswers.ts"
import { type HasAccount, toOurBody, toOurUrl } from "./unipostRequests.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** How requests of another product's clients are served. */
export interface Compatible {
  /** Headers of answers that its pages may read, too. */
  readonly exposed: ReadonlyArray<string>
  /** Hands the request on as ours, and completes the answer. */
  readonly serve: <E, R>(
    request: Request,
    route: string,
    next: Effect.Effect<Response, E, R>
  ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
}

/** Of the backfill that a request asks for. */
interface Asked {
  maxItems: number
}

/** Nothing changes. */
const ownClientsOnly: Compatible = { exposed: [], serve: (_request, _route, next) => next }

const operationHeader = "x-unipost-operation-id"

const nameOperation = (_request: Request, response: Response) => {
  const id = response.headers["x-operation-id"]
  return Effect.succeed(id === undefined ? response : HttpServerResponse.setHeader(response, operationHeader, id))
}

const decoder = new TextDecoder()

/** The members of an answer that is JSON and no refusal. */
const readAnswer = ({ body, status }: Response): Option.Option<Readonly<Record<string, unknown>>> => {
  if (status >= 300 || body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json"))
    return Option.none()
  const { body: bytes } = body
  const parsed = Result.try((): unknown => JSON.parse(decoder.decode(bytes)))
  return Result.isSuccess(parsed) && Predicate.isObject(parsed.success) && "data" in parsed.success
    ? Option.some({ ...parsed.success })
    : Option.none()
}

const withBody = ({ headers, status }: Response, body: object): Response =>
  HttpServerResponse.jsonUnsafe(body, { status }).pipe(
    HttpServerResponse.setHeaders(Headers.removeMany(headers, ["content-type", "content-length"]))
  )

const isAccountId = Schema.is(SocialAccountId)
const isWorkspaceId = Schema.is(WorkspaceId)

const makeUnipost = Effect.gen(function* () {
  const accounts = yield* connectedAccounts

  /** Within what the caller was let into; where that can't be looked up now, nothing is read either. */
  const hasAccount: HasAccount = Effect.fnUntraced(function* (id: unknown) {
    const caller = yield* Effect.serviceOption(CurrentEntitlement)
    if (Option.isNone(caller) || !isAccountId(id)) return false
    return yield* accounts.find(caller.value.scope, id).pipe(
      Effect.map(({ network, status }) => network === "x" && status !== "disconnected"),
      Effect.catchTag("AccountNotFound", () => Effect.succeed(false)),
      Effect.orElseSucceed(() => true)
    )
  })

  /** Names of the accounts that the caller's sync tells of. One that is gone since, or can't be looked up now, has none. */
  const findNames = Effect.fnUntraced(function* (sync: unknown, workspaceId: string | undefined) {
    if (!isWorkspaceId(workspaceId)) return new Map<string, string>()
    const scope = { _tag: "WorkspaceScope" as const, workspaceId }
    const found = yield* Effect.forEach(accountIdsOf(sync), (id) =>
      Effect.option(Effect.map(accounts.find(scope, id), ({ name }) => [id, name] as const))
    )
    return new Map(found.flatMap(Option.toArray))
  })

  const complete = Effect.fnUntraced(function* (route: string, data: unknown, asked: Asked) {
    if (!/^\S+ \/v1\/inbox\/sync(?:\/|$)/.test(route)) return completeData(route, data)
    const { workspaceId } = yield* CurrentRequestFacts
    return completeSync(data, yield* findNames(data, workspaceId), estimateReads(1, asked))
  })

  /** What a backfill asks for, by which the accounts of its confirmation are counted. */
  const noteAsked = (given: unknown, asked: Asked) => {
    const backfill = Predicate.isObject(given) && "x_backfill" in given ? given.x_backfill : undefined
    const most = Predicate.isObject(backfill) && "max_items" in backfill ? backfill.max_items : undefined
    if (Predicate.isNumber(most)) asked.maxItems = most
  }

  const serve: Compatible["serve"] = (request, pattern, next) =>
    Effect.gen(function* () {
      const route = `${request.method} ${pattern}`
      const asked: Asked = { maxItems: defaultBackfill.maxItems }
      const toBody = toOurBody(route, hasAccount)
      const response = yield* next.pipe(
        Effect.provideService(
          HttpServerRequest.HttpServerRequest,
          request.modify({ url: toOurUrl(route, request.url) })
        ),
        Effect.provideService(CurrentBodyTranslation, (given) => {
          noteAsked(given, asked)
          return toBody(given)
        })
      )
      // Headers are added on the way out, after those that the answer's own handler adds.
      yield* HttpEffect.appendPreResponseHandler(nameOperation)
      const body = readAnswer(response)
      if (Option.isNone(body)) return response
      const data = yield* complete(route, body.value["data"], asked)
      return withBody(response, { ...body.value, data })
    })
  const compatible: Compatible = { exposed: ["X-UniPost-Operation-Id"], serve }
  return compatible
})

/** The mode that the host asked for (`HttpOptions.compatibility`). */
export const makeCompatible = Effect.flatMap(HttpSettings, ({ compatibility }) =>
  Option.isSome(compatibility) ? makeUnipost : Effect.succeed(ownClientsOnly)
)

import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { WebhookSubscription } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { decodeAnswer } from "../calls/NetworkClient.ts"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { repeatable } from "../calls/repeatable.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { Id, OptionalId, optionalPart, optionalParts, OptionalText, reader } from "../payloads/payload.ts"
import { xFailure } from "./xErrors.ts"

/** What X tells of an account: who speaks to it, and what it writes and deletes itself. */
const eventTypes = ["post.mention.create", "post.reply.create", "post.quote.create", "post.create", "post.delete"]

const readWebhooks = reader(Schema.Struct({ data: optionalParts(Schema.Struct({ id: Id, url: OptionalText })) }))

const Listed = Schema.Struct({
  subscription_id: OptionalId,
  id: OptionalId,
  event_type: Id,
  webhook_id: OptionalId,
  filter: optionalPart(Schema.Struct({ user_id: OptionalId }))
})
type Listed = typeof Listed.Type
const readList = reader(
  Schema.Struct({ data: optionalParts(Listed), meta: optionalPart(Schema.Struct({ next_token: OptionalId })) })
)
type ListPage = Extract<ReturnType<typeof readList>, { readonly _tag: "Success" }>["success"]
const readMade = reader(Schema.Struct({ data: optionalParts(Schema.Struct({ id: Id })), id: OptionalId }))

/** An app has at most 1,500 subscriptions. */
const mostListPages = 20

/** X refuses the app, not the account: connecting again would change nothing. */
const ofTheApp = (error: ReadFailed): ReadFailed =>
  error._tag === "AuthExpired"
    ? new Unavailable({ network: "x", reason: "source", networkCode: error.networkCode, detail: error.detail })
    : error

/** The calls of our app, in its own name. */
const makeAppCalls = (calls: NetworkCalls, root: string, bearer: Redacted.Redacted<string>) => {
  const call = (path: string, query: Readonly<Record<string, string>> = {}) => ({
    url: `${root}${path}`,
    query,
    accessToken: bearer,
    // X counts these for the app, whichever account they are about.
    accountId: "app",
    endpoint: path.split("/").slice(1, 3).join("/")
  })
  const understand =
    <A>(read: (value: unknown) => Result.Result<A, string>) =>
    (answer: JsonAnswer, now: Parameters<typeof xFailure>[2]): Effect.Effect<A, ReadFailed> => {
      // A list without anything in it may be without `data`.
      const failure =
        answer.status === 200 && Predicate.isObject(answer.body) ? undefined : xFailure(answer, bearer, now)
      return failure === undefined ? decodeAnswer("x", read)(answer.body) : Effect.fail(ofTheApp(failure))
    }
  return {
    get: <A>(
      path: string,
      query: Readonly<Record<string, string>>,
      read: (value: unknown) => Result.Result<A, string>
    ) => calls.read(call(path, query), understand(read)),
    post: <A>(
      path: string,
      json: Readonly<Record<string, unknown>>,
      read: (value: unknown) => Result.Result<A, string>
    ) => repeatable(calls.write(call(path), { json }, understand(read))),
    remove: (path: string) =>
      repeatable(
        calls.delete(
          call(path),
          understand(() => Result.succeed(undefined))
        )
      )
  }
}

/**
 * X's webhooks, which need the app's bearer token and our public address; none without them: X is polled then. The
 * webhook is registered once for the app, what is told of an account by one subscription of each kind.
 */
export const xSubscription = (calls: NetworkCalls, settings: SocialSettings): Option.Option<WebhookSubscription> => {
  const { xBearerToken, xWebhookUrl } = settings
  if (xBearerToken === undefined || xWebhookUrl === undefined) return Option.none()
  const app = makeAppCalls(calls, rootUrl("x", settings), xBearerToken)

  const findWebhook = Effect.map(app.get("/webhooks", {}, readWebhooks), ({ data }) =>
    Option.fromUndefinedOr(data.find(({ url }) => Option.contains(url, xWebhookUrl))?.id)
  )

  /** What was refused, or has no answer, may be there all the same. */
  const orFound =
    <A>(look: Effect.Effect<Option.Option<A>, ReadFailed>) =>
    (error: ReadFailed): Effect.Effect<Option.Option<A>, ReadFailed> =>
      Effect.flatMap(look, (found) => (Option.isSome(found) ? Effect.succeed(found) : Effect.fail(error)))

  const registered = Effect.gen(function* () {
    const known = yield* findWebhook
    if (Option.isSome(known)) return known.value
    const made = yield* app.post("/webhooks", { url: xWebhookUrl }, readMade).pipe(
      Effect.map(({ data, id }) => Option.orElse(Option.fromUndefinedOr(data[0]?.id), () => id)),
      // Another process of ours may have been faster.
      Effect.catchTags({ Rejected: orFound(findWebhook), Unavailable: orFound(findWebhook) })
    )
    if (Option.isSome(made)) return made.value
    const detail = "X does not name the webhook that it registered"
    return yield* new Unavailable({ network: "x", reason: "unreadable", networkCode: Option.none(), detail })
  })

  const list = Effect.fnUntraced(function* ({ networkAccountId }: AccountAccess, webhookId: string) {
    const found: Array<Listed> = []
    let cursor: Option.Option<string> = Option.none()
    for (let pages = 0; pages < mostListPages; pages++) {
      const query: Readonly<Record<string, string>> = Option.match(cursor, {
        onNone: () => ({}),
        onSome: (pagination_token) => ({ pagination_token })
      })
      const { data, meta }: ListPage = yield* app.get("/activity/subscriptions", query, readList)
      found.push(...data)
      cursor = Option.flatMap(meta, ({ next_token }) => next_token)
      if (Option.isNone(cursor)) break
    }
    return found.filter(
      ({ filter, webhook_id }) =>
        Option.exists(filter, ({ user_id }) => Option.contains(user_id, networkAccountId)) &&
        // X does not always say to which webhook it sends.
        (Option.isNone(webhook_id) || webhook_id.value === webhookId)
    )
  })

  const missing = (there: ReadonlyArray<Listed>) =>
    eventTypes.filter((type) => !there.some(({ event_type }) => event_type === type))

  const add = Effect.fnUntraced(function* (access: AccountAccess, webhook_id: string, event_type: string) {
    const json = { event_type, filter: { user_id: access.networkAccountId }, tag: "loopbox", webhook_id }
    const isThere = Effect.map(list(access, webhook_id), (there) =>
      missing(there).includes(event_type) ? Option.none() : Option.some(true)
    )
    yield* app
      .post("/activity/subscriptions", json, () => Result.succeed(Option.some(true)))
      .pipe(Effect.catchTags({ Rejected: orFound(isThere), Unavailable: orFound(isThere) }))
  })

  return Option.some({
    isSubscribed: Effect.fn("XConnect.isSubscribed")(function* (access) {
      const webhook = yield* findWebhook
      if (Option.isNone(webhook)) return false
      return missing(yield* list(access, webhook.value)).length === 0
    }),
    subscribe: Effect.fn("XConnect.subscribe")(function* (access) {
      const webhookId = yield* registered
      for (const type of missing(yield* list(access, webhookId))) yield* add(access, webhookId, type)
    }),
    unsubscribe: Effect.fn("XConnect.unsubscribe")(function* (access) {
      const webhook = yield* findWebhook
      if (Option.isNone(webhook)) return
      for (const { event_type, id, subscription_id } of yield* list(access, webhook.value)) {
        const name = Option.getOrElse(
          Option.orElse(subscription_id, () => id),
          () => ""
        )
        // Other kinds are somebody else's.
        if (!eventTypes.includes(event_type) || !/^[\w-]{1,64}$/.test(name)) continue
        yield* app.remove(`/activity/subscriptions/${name}`).pipe(
          Effect.catchIf(
            (error) => error._tag === "Rejected" && error.reason === "gone",
            () => Effect.void
          )
        )
      }
    })
  })
}

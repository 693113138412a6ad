import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  AccountChangeBody,
  EmptyBody,
  NewAccountBody,
  NewTokenBody,
  toAccountBody,
  toManagedUserBody
} from "../api/AccountBodies.ts"
import { Api } from "../api/Api.ts"
import { parseTime } from "../api/InboxQuery.ts"
import { defaultLimit } from "../api/ListQuery.ts"
import {
  connectRefusals,
  disconnectRefusals,
  pageRefusals,
  putUserRefusals,
  tokenRefusals,
  updateRefusals,
  userRefusals
} from "./accountRefusals.ts"
import { Cursors, toPageBody } from "./Cursors.ts"
import { invalid } from "./issues.ts"
import { readJson } from "./readJson.ts"
import { answer } from "./refuse.ts"

interface Tokens {
  readonly refresh_token?: string | null | undefined
  readonly token_expires_at?: string | null | undefined
}

const toCredentials = (accessToken: string, { refresh_token, token_expires_at }: Tokens) => ({
  accessToken: Redacted.make(accessToken),
  refreshToken: Option.map(Option.fromNullishOr(refresh_token), (token) => Redacted.make(token)),
  expiresAt: Option.flatMap(Option.fromNullishOr(token_expires_at), parseTime)
})

/** People write handles with and without it; networks send them without. */
const withoutAt = (username: string) => username.replace(/^@/, "")

const toNewAccount = (body: typeof NewAccountBody.Type) => ({
  network: body.network,
  networkAccountId: body.network_account_id,
  name: body.name,
  username: Option.map(Option.fromNullishOr(body.username), withoutAt),
  avatarUrl: Option.fromNullishOr(body.avatar_url),
  externalUserId: Option.fromNullishOr(body.external_user_id),
  credentials: toCredentials(body.access_token, body),
  permissions: body.scopes ?? []
})

const toPatch = Effect.fnUntraced(function* (body: typeof AccountChangeBody.Type) {
  const { access_token, avatar_url, external_user_id, name, scopes, username } = body
  if ((access_token ?? undefined) === undefined && (body.refresh_token ?? body.token_expires_at ?? null) !== null) {
    return yield* invalid("access_token", "is required with refresh_token and token_expires_at")
  }
  return {
    name: name ?? undefined,
    username: typeof username === "string" ? Option.some(withoutAt(username)) : undefined,
    avatarUrl: typeof avatar_url === "string" ? Option.some(avatar_url) : undefined,
    // The one member in which null is not the same as absent: it takes the account from its owner.
    externalUserId: external_user_id === undefined ? undefined : Option.fromNullOr(external_user_id),
    credentials: typeof access_token === "string" ? toCredentials(access_token, body) : undefined,
    permissions: scopes ?? undefined
  }
})

/** PostgreSQL keeps no U+0000, so no managed user has one. */
const readOwner = (given: string) =>
  given.includes("\0")
    ? Effect.fail(invalid("external_user_id", "must not have the character U+0000"))
    : Effect.succeed(given)

/** `{}`, or no body at all. */
const readNothing = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"
  if (hasBody) yield* readJson(EmptyBody)
})

const defaultTokenSeconds = 3600

export const layer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* AccountAdministration
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "putManagedUser",
        Effect.fnUntraced(function* ({ params }) {
          const externalUserId = yield* readOwner(params.external_user_id)
          yield* readNothing
          const outcome = yield* administration.putManagedUser(params.id, externalUserId)
          const user = yield* administration.findManagedUser(params.id, externalUserId)
          // Two successes with one body: the schema cannot tell them apart.
          return HttpServerResponse.jsonUnsafe(yield* answer(toManagedUserBody(user)), {
            status: outcome === "created" ? 201 : 200
          })
        }, Effect.catchTags(putUserRefusals))
      )
      .handleRaw(
        "connect",
        Effect.fnUntraced(function* ({ params }) {
          const request = toNewAccount(yield* readJson(NewAccountBody))
          const { account } = yield* administration.connect(params.id, request)
          return yield* answer(toAccountBody(account))
        }, Effect.catchTags(connectRefusals))
      )
      .handleRaw(
        "update",
        Effect.fnUntraced(function* ({ params }) {
          const patch = yield* toPatch(yield* readJson(AccountChangeBody))
          return yield* answer(toAccountBody(yield* administration.updateAccount(params.id, params.account_id, patch)))
        }, Effect.catchTags(updateRefusals))
      )
      .handleRaw(
        "issueDashboardToken",
        Effect.fnUntraced(function* ({ params }) {
          const { ttl_seconds, user_id } = yield* readJson(NewTokenBody)
          const seconds = ttl_seconds ?? defaultTokenSeconds
          const token = yield* administration.issueDashboardToken(params.id, user_id, { seconds })
          return yield* answer({ token: Redacted.value(token) })
        }, Effect.catchTags(tokenRefusals))
      )
      .handleAll({
        listManagedUsers: Effect.fnUntraced(function* ({ params, query }) {
          const use = { list: "managed-users", workspaceId: params.id, filters: [] }
          const after = yield* cursors.open(use, query.cursor)
          const page = yield* administration.listManagedUsers(params.id, { limit: query.limit ?? defaultLimit, after })
          return yield* toPageBody(cursors, use, page, toManagedUserBody)
        }, Effect.catchTags(pageRefusals)),
        findManagedUser: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(
            toManagedUserBody(yield* administration.findManagedUser(params.id, params.external_user_id))
          )
        }, Effect.catchTags(userRefusals)),
        eraseManagedUser: Effect.fnUntraced(function* ({ params }) {
          yield* administration.eraseManagedUser(params.id, params.external_user_id)
        }, Effect.catchTags(userRefusals)),
        list: Effect.fnUntraced(function* ({ params, query }) {
          const use = { list: "social-accounts", workspaceId: params.id, filters: [] }
          const after = yield* cursors.open(use, query.cursor)
          const page = yield* administration.listAccounts(params.id, { limit: query.limit ?? defaultLimit, after })
          return yield* toPageBody(cursors, use, page, toAccountBody)
        }, Effect.catchTags(pageRefusals)),
        disconnect: Effect.fnUntraced(function* ({ params }) {
          yield* administration.disconnect(params.id, params.account_id)
        }, Effect.catchTags(disconnectRefusals))
      })
  })
)

import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import { Networks } from "@loopbox/core/networks/Networks"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  AccountChangeBody,
  EmptyBody,
  NewAccountBody,
  NewTokenBody,
  ownerFault,
  AccountBody,
  toAccountBody,
  toManagedUserBody
} from "../../api/admin/AccountBodies.ts"
import { Api } from "../../api/Api.ts"
import type { Issue } from "../../api/ErrorBody.ts"
import { parseTime } from "../../api/inbox/InboxQuery.ts"
import {
  connectRefusals,
  accountRefusals,
  putUserRefusals,
  tokenRefusals,
  updateRefusals,
  usernameIssue,
  userRefusals
} from "./accountRefusals.ts"
import { pageRefusals } from "./adminRefusals.ts"
import { makeAnswerExport } from "./exportAnswer.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { InvalidRequest, placesOf } from "../edge/issues.ts"
import { type GivenBody, readJson } from "../edge/readJson.ts"
import { listUse } from "../edge/listUse.ts"
import { answer } from "../edge/refuse.ts"

interface Tokens {
  readonly refresh_token?: string | null | undefined
  readonly token_expires_at?: string | null | undefined
}

/** What is in answers about an account. */
const answers = placesOf(AccountBody)

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
  permissions: body.scopes ?? [],
  check: body.check ?? true
})

const tokenRules = ({ given }: GivenBody) =>
  Effect.succeed(
    (given["access_token"] ?? null) === null && (given["refresh_token"] ?? given["token_expires_at"] ?? null) !== null
      ? [{ path: "access_token", message: "is required with refresh_token and token_expires_at" }]
      : []
  )

const toPatch = (body: typeof AccountChangeBody.Type) => {
  const { access_token, avatar_url, check, external_user_id, name, scopes, username } = body
  return {
    name: name ?? undefined,
    username: typeof username === "string" ? Option.some(withoutAt(username)) : undefined,
    avatarUrl: typeof avatar_url === "string" ? Option.some(avatar_url) : undefined,
    // The one member in which null is not the same as absent: it takes the account from its owner.
    externalUserId: external_user_id === undefined ? undefined : Option.fromNullOr(external_user_id),
    credentials: typeof access_token === "string" ? toCredentials(access_token, body) : undefined,
    permissions: scopes ?? undefined,
    check: check ?? true
  }
}

/** The user in the path, or what is wrong with it. */
const judgeOwner = (given: string): ReadonlyArray<Issue> => {
  const message = ownerFault(given)
  return message === undefined ? [] : [{ path: "external_user_id", message }]
}

/** `{}`, or no body at all. */
const readNothing = Effect.fnUntraced(function* (beside: ReadonlyArray<Issue>) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"
  if (hasBody) yield* readJson(EmptyBody, { beside })
  else if (beside.length > 0) return yield* new InvalidRequest({ issues: beside })
})

const defaultTokenSeconds = 3600

export const layer = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* AccountAdministration
    const connected = yield* Effect.serviceOption(ConnectedAccounts)
    const cursors = yield* Cursors
    const answerExport = yield* makeAnswerExport
    const networks = yield* Networks
    const usernameRules = ({ given: { network, username } }: GivenBody) =>
      Effect.succeed(
        Predicate.isString(network) &&
          (username ?? null) === null &&
          Option.exists(networks.describe(network), (one) => one.needsUsername)
          ? [usernameIssue(network)]
          : []
      )
    return handlers
      .handleRaw(
        "putManagedUser",
        Effect.fnUntraced(function* ({ params }) {
          const externalUserId = params.external_user_id
          yield* readNothing(judgeOwner(externalUserId))
          const outcome = yield* administration.putManagedUser(params.id, externalUserId)
          const user = yield* administration.findManagedUser(params.id, externalUserId)
          // Two successes with one body: the schema cannot tell them apart.
          return HttpServerResponse.jsonUnsafe(yield* answer(toManagedUserBody(user)), {
            status: outcome === "created" ? 201 : 200
          })
        }, Effect.catchTags(putUserRefusals))
      )
      .handleRaw(
        "exportManagedUser",
        Effect.fnUntraced(function* ({ params }) {
          const { method } = yield* HttpServerRequest.HttpServerRequest
          if (method !== "HEAD") return yield* answerExport(params.id, params.external_user_id)
          yield* administration.findManagedUser(params.id, params.external_user_id)
          return HttpServerResponse.empty({ status: 200 })
        }, Effect.catchTags(userRefusals))
      )
      .handleRaw(
        "connect",
        Effect.fnUntraced(function* ({ params }) {
          const request = toNewAccount(yield* readJson(NewAccountBody, { rules: usernameRules, answers }))
          const { account } = yield* administration.connect(params.id, request)
          return yield* answer(toAccountBody(account))
        }, Effect.catchTags(connectRefusals))
      )
      .handleRaw(
        "update",
        Effect.fnUntraced(function* ({ params }) {
          const patch = toPatch(yield* readJson(AccountChangeBody, { rules: tokenRules, answers }))
          return yield* answer(toAccountBody(yield* administration.updateAccount(params.id, params.account_id, patch)))
        }, Effect.catchTags(updateRefusals))
      )
      .handleRaw(
        "issueDashboardToken",
        Effect.fnUntraced(function* ({ params }) {
          const { external_user_id, ttl_seconds, user_id } = yield* readJson(NewTokenBody)
          const seconds = ttl_seconds ?? defaultTokenSeconds
          const token = yield* administration.issueDashboardToken(
            params.id,
            user_id,
            { seconds },
            external_user_id ?? undefined
          )
          return yield* answer({ token: Redacted.value(token) })
        }, Effect.catchTags(tokenRefusals))
      )
      .handleAll({
        listManagedUsers: Effect.fnUntraced(function* ({ params, query }) {
          const use = listUse("managed-users", params.id, query)
          return yield* answerPage(
            cursors,
            use,
            query,
            (page) => administration.listManagedUsers(params.id, page),
            toManagedUserBody
          )
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
          const use = listUse("social-accounts", params.id, query)
          return yield* answerPage(
            cursors,
            use,
            query,
            (page) => administration.listAccounts(params.id, page),
            toAccountBody
          )
        }, Effect.catchTags(pageRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toAccountBody(yield* administration.findAccount(params.id, params.account_id)))
        }, Effect.catchTags(accountRefusals)),
        disconnect: Effect.fnUntraced(function* ({ params }) {
          const account = yield* administration.findAccount(params.id, params.account_id)
          // A host that connects accounts by pages can take them back at their networks, too.
          if (Option.isNone(connected) || account.status === "disconnected") {
            return yield* administration.disconnect(params.id, params.account_id)
          }
          yield* connected.value.disconnect(new WorkspaceScope({ workspaceId: account.workspaceId }), account.id)
        }, Effect.catchTags(accountRefusals))
      })
  })
)

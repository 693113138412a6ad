import { OutcomeUnknown, Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Result from "effect/Result"
import { decodeAnswer, decodeReceipt, isUndecided } from "../calls/NetworkClient.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import type { WriteBody } from "../calls/NetworkRequest.ts"
import { xFailure } from "./xErrors.ts"
import type { XQueries } from "./xQueries.ts"
import { isUnderstood } from "./xWords.ts"
import type { Heard, XWords } from "./xWords.ts"

/** A read request. */
export interface XRead {
  readonly path: string
  /** The endpoint whose rate limit it counts against; X limits each one separately. */
  readonly endpoint: string
  /** The query parameters, in the vocabulary that requests to X use now. */
  readonly query: (queries: XQueries) => Readonly<Record<string, string>>
}

/** Calls of X API v2 with an account's token. */
export interface XApi {
  readonly read: <A>(
    access: AccountAccess,
    call: XRead,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, ReadFailed>
  /** Reads a post by its id. Fails with `Rejected` `gone` if it does not exist. */
  readonly readPost: <A>(
    access: AccountAccess,
    id: string,
    query: XRead["query"],
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, ReadFailed>
  readonly write: <A>(
    access: AccountAccess,
    call: XWrite,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, WriteFailed>
  /** Of what may be repeated. Fails with `Rejected` `gone` if there is no such post. */
  readonly put: <A>(
    access: AccountAccess,
    call: XWrite,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, WriteFailed>
  /** Fails with `Rejected` `gone` if there is nothing to delete. */
  readonly delete: <A>(
    access: AccountAccess,
    call: Pick<XWrite, "path" | "endpoint">,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, WriteFailed>
}

/** A write request. */
export interface XWrite {
  readonly path: string
  readonly endpoint: string
  readonly body: WriteBody
  /** Default: the time limit of all calls. */
  readonly timeLimit?: Duration.Input | undefined
}

/** Ids become part of the path, so nothing but digits is accepted. */
const plainId = /^[0-9]{1,19}$/

const noSuchId = new Rejected({ network: "x", reason: "invalid", networkCode: Option.none(), detail: "no such id" })

/** Fails for a text that is no id of X. */
export const requireId = (id: string): Effect.Effect<void, Rejected> =>
  plainId.test(id) ? Effect.void : Effect.fail(noSuchId)

export const makeXApi = (calls: NetworkCalls, root: string, words: XWords): XApi => {
  const read = <A>(
    { accessToken, networkAccountId }: AccountAccess,
    { endpoint, path, query }: XRead,
    decode: (body: unknown) => Result.Result<A, string>
  ): Effect.Effect<A, ReadFailed> =>
    words.ask((queries) => {
      const asked = query(queries)
      const call = { url: `${root}${path}`, query: asked, accessToken, accountId: networkAccountId, endpoint }
      return calls.read(call, (answer, now): Effect.Effect<Heard<A>, ReadFailed> => {
        const failure = xFailure(answer, accessToken, now)
        const outcome = failure === undefined ? decodeAnswer("x", decode)(answer.body) : Effect.fail(failure)
        return isUnderstood(answer, asked)
          ? Effect.map(outcome, (value) => ({ isUnderstood: true, outcome: Effect.succeed(value) }))
          : Effect.succeed({ isUnderstood: false, outcome })
      })
    })
  const callOf = ({ accessToken, networkAccountId }: AccountAccess, path: string, endpoint: string) => ({
    url: `${root}${path}`,
    query: {},
    accessToken,
    accountId: networkAccountId,
    endpoint
  })
  const receipt =
    <A>({ accessToken }: AccountAccess, decode: (body: unknown) => Result.Result<A, string>) =>
    (answer: JsonAnswer, now: DateTime.Utc): Effect.Effect<A, WriteFailed> => {
      const { status } = answer
      if (isUndecided(status)) {
        const detail = `status ${status}`
        return Effect.fail(new OutcomeUnknown({ network: "x", networkCode: Option.some(String(status)), detail }))
      }
      const failure = status >= 400 ? xFailure(answer, accessToken, now) : undefined
      return failure === undefined ? decodeReceipt("x", decode)(answer.body) : Effect.fail(failure)
    }
  /** The same of what may be repeated, where a refusal with any status is one. */
  const repeatable =
    <A>(access: AccountAccess, decode: (body: unknown) => Result.Result<A, string>) =>
    (answer: JsonAnswer, now: DateTime.Utc): Effect.Effect<A, WriteFailed> => {
      const failure = isUndecided(answer.status) ? undefined : xFailure(answer, access.accessToken, now)
      return failure === undefined ? receipt(access, decode)(answer, now) : Effect.fail(failure)
    }

  return {
    read,
    readPost: (access, id, query, decode) =>
      Effect.andThen(requireId(id), read(access, { path: `/tweets/${id}`, endpoint: "tweets/:id", query }, decode)),
    write: (access, { body, endpoint, path, timeLimit }, decode) =>
      calls.write({ ...callOf(access, path, endpoint), timeLimit }, body, receipt(access, decode)),
    put: (access, { body, endpoint, path }, decode) =>
      calls.put(callOf(access, path, endpoint), body, repeatable(access, decode)),
    delete: (access, { endpoint, path }, decode) =>
      calls.delete(callOf(access, path, endpoint), repeatable(access, decode))
  }
}

import { OutcomeUnknown, Rejected } from "@loopbox/core/connectors/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/connectors/SocialConnector"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import { decodeAnswer, decodeReceipt, isUndecided } from "../internal/NetworkClient.ts"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { xFailure } from "../internal/xErrors.ts"

/** One read: where, for which of X's counters, and what of it. */
export interface XRead {
  readonly path: string
  /** X counts each endpoint for itself. */
  readonly endpoint: string
  readonly query: Readonly<Record<string, string>>
}

/** The endpoints of API 2, asked in an account's name. */
export interface XApi {
  readonly read: <A>(
    access: AccountAccess,
    call: XRead,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, ReadFailed>
  /** One post by its id; none if X says that there is none. */
  readonly readPost: <A>(
    access: AccountAccess,
    id: string,
    query: Readonly<Record<string, string>>,
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, ReadFailed>
  readonly write: <A>(
    access: AccountAccess,
    call: { readonly path: string; readonly endpoint: string; readonly json: Readonly<Record<string, unknown>> },
    read: (body: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, WriteFailed>
}

/** An id stands in the path; whatever could lead elsewhere is not asked for. */
const plainId = /^[0-9]{1,19}$/

const noSuchId = new Rejected({ network: "x", reason: "invalid", networkCode: Option.none(), detail: "no such id" })

/** Fails for an id that X can't have given. */
export const requireId = (id: string): Effect.Effect<void, Rejected> =>
  plainId.test(id) ? Effect.void : Effect.fail(noSuchId)

export const makeXApi = (calls: NetworkCalls, root: string): XApi => {
  const read: XApi["read"] = ({ accessToken, networkAccountId }, { endpoint, path, query }, decode) =>
    calls.read({ url: `${root}${path}`, query, accessToken, accountId: networkAccountId, endpoint }, (answer, now) => {
      const failure = xFailure(answer, accessToken, now)
      return failure === undefined ? decodeAnswer("x", decode)(answer.body) : Effect.fail(failure)
    })
  return {
    read,
    readPost: (access, id, query, decode) =>
      Effect.andThen(requireId(id), read(access, { path: `/tweets/${id}`, endpoint: "tweets/:id", query }, decode)),
    write: ({ accessToken, networkAccountId }, { endpoint, json, path }, decode) =>
      calls.write(
        { url: `${root}${path}`, query: {}, accessToken, accountId: networkAccountId, endpoint },
        { json },
        (answer, now) => {
          const { status } = answer
          if (isUndecided(status)) {
            const detail = `status ${status}`
            return Effect.fail(new OutcomeUnknown({ network: "x", networkCode: Option.some(String(status)), detail }))
          }
          const failure = status >= 400 ? xFailure(answer, accessToken, now) : undefined
          return failure === undefined ? decodeReceipt("x", decode)(answer.body) : Effect.fail(failure)
        }
      )
  }
}

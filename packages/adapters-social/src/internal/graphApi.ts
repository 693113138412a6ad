import { Rejected } from "@loopbox/core/connectors/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/connectors/SocialConnector"
import type { Network } from "@loopbox/core/connectors/Source"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import { rootUrl } from "./SocialSettings.ts"
import type { SocialSettings } from "./SocialSettings.ts"
import { graphFailure } from "./graphErrors.ts"
import { decodeAnswer, makeNetworkClient } from "./NetworkClient.ts"
import { appsecretProof } from "./signature.ts"

/** Reads objects of one of Meta's networks by their id. */
export interface GraphApi {
  readonly readObject: <A>(
    access: AccountAccess,
    id: string,
    fields: string,
    read: (value: unknown) => Result.Result<A, string>
  ) => Effect.Effect<A, ReadFailed>
}

/** An id stands in the path; whatever could lead elsewhere is not asked for. */
const plainId = /^[0-9A-Za-z_-]{1,256}$/

const defaultTimeLimit = "10 seconds"

export const makeGraphApi = (network: Network, client: HttpClient.HttpClient, settings: SocialSettings): GraphApi => {
  const root = rootUrl(network, settings)
  const reads = makeNetworkClient(network, client, settings.timeLimit ?? defaultTimeLimit)
  const [secret] = settings.metaAppSecrets ?? []
  // Instagram with a Facebook login is read there too.
  const needsProof = network === "facebook" || root.startsWith("https://graph.facebook.com/")

  const readObject = Effect.fnUntraced(function* <A>(
    access: AccountAccess,
    id: string,
    fields: string,
    read: (value: unknown) => Result.Result<A, string>
  ) {
    if (!plainId.test(id)) {
      return yield* new Rejected({ network, reason: "invalid", networkCode: Option.none(), detail: "no such id" })
    }
    const proof =
      needsProof && secret !== undefined ? { appsecret_proof: appsecretProof(secret, access.accessToken) } : {}
    const answer = yield* reads.get({
      url: `${root}/${id}`,
      query: { fields, ...proof },
      accessToken: access.accessToken
    })
    const failure = graphFailure(network, answer, access.accessToken, yield* DateTime.now)
    return failure === undefined ? yield* decodeAnswer(network, read)(answer.body) : yield* failure
  })
  return { readObject }
}

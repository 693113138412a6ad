import { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Network } from "../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { graphFailure, graphWriteFailure } from "./graphErrors.ts"
import type { GraphContext } from "./graphErrors.ts"
import { type GraphPage, nextUnless, readGraphPage } from "./graphPage.ts"
import type { GraphEndpoint } from "./graphUsage.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { decodeAnswer, decodeReceipt } from "../calls/NetworkClient.ts"
import type { WriteBody } from "../calls/NetworkClient.ts"
import { appsecretProof } from "../payloads/signature.ts"

/** A call of the Graph API in the name of an account. */
export interface GraphCall extends GraphContext {
  readonly access: AccountAccess
  /** Ids and names of edges, below the version: `["1789", "comments"]`. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly endpoint: GraphEndpoint
}

type Read<A> = (value: unknown) => Result.Result<A, string>

/** One of Meta's networks. */
export interface GraphApi {
  /** Whether it is reached at graph.facebook.com, in the name of a Page. */
  readonly isFacebookHost: boolean
  readonly read: <A>(call: GraphCall, read: Read<A>) => Effect.Effect<A, ReadFailed>
  /**
   * A page of an edge. One without a link to a next page is the last, once the edge was seen to give such links to this
   * account.
   */
  readonly readPage: (call: GraphCall) => Effect.Effect<GraphPage, ReadFailed>
  /** An object by its id. */
  readonly readObject: <A>(
    call: Omit<GraphCall, "path" | "query"> & { readonly id: string; readonly fields: string },
    read: Read<A>
  ) => Effect.Effect<A, ReadFailed>
  readonly write: <A>(call: GraphCall, body: WriteBody, read: Read<A>) => Effect.Effect<A, WriteFailed>
}

const mostEdgesWithLinks = 20_000

/** An id stands in the path; whatever could lead elsewhere is not asked for. */
const plainSegment = /^[0-9A-Za-z_=+:~-]{1,512}$/

export const makeGraphApi = (network: Network, calls: NetworkCalls, settings: SocialSettings): GraphApi => {
  const root = rootUrl(network, settings)
  const [secret] = settings.metaAppSecrets ?? []
  // Instagram with a Facebook login is read there too.
  const isFacebookHost = network === "facebook" || root.startsWith("https://graph.facebook.com/")

  const asCall = ({ access, endpoint, path, query }: GraphCall) => {
    if (!path.every((segment) => plainSegment.test(segment))) {
      return new Rejected({ network, reason: "invalid", networkCode: Option.none(), detail: "no such id" })
    }
    const proof =
      isFacebookHost && secret !== undefined
        ? { appsecret_proof: Redacted.make(appsecretProof(secret, access.accessToken)) }
        : {}
    return Effect.succeed({
      url: `${root}/${path.map(encodeURIComponent).join("/")}`,
      query: { ...query, ...proof },
      accessToken: access.accessToken,
      accountId: access.networkAccountId,
      endpoint
    })
  }

  const read = Effect.fnUntraced(function* <A>(call: GraphCall, read: Read<A>) {
    return yield* calls.read(yield* asCall(call), (answer, now) => {
      const failure = graphFailure(network, answer, call.access.accessToken, now, call)
      return failure === undefined ? decodeAnswer(network, read)(answer.body) : Effect.fail(failure)
    })
  })

  /** Edges of accounts. When they are many, all are forgotten: each costs an empty read then. */
  const edgesWithLinks = new Set<string>()

  const readPage = Effect.fnUntraced(function* (call: GraphCall) {
    const page = yield* read(call, readGraphPage)
    const edge = `${call.access.networkAccountId}/${call.path.at(-1)}`
    if (page.isLinked) {
      if (edgesWithLinks.size >= mostEdgesWithLinks) edgesWithLinks.clear()
      edgesWithLinks.add(edge)
    }
    return { ...page, next: nextUnless(edgesWithLinks.has(edge), page) }
  })

  const write = Effect.fnUntraced(function* <A>(call: GraphCall, body: WriteBody, read: Read<A>) {
    return yield* calls.write(yield* asCall(call), body, (answer, now) => {
      const failure = graphWriteFailure(network, answer, call.access.accessToken, now, call)
      return failure === undefined ? decodeReceipt(network, read)(answer.body) : Effect.fail(failure)
    })
  })

  return {
    isFacebookHost,
    read,
    readPage,
    readObject: ({ fields, id, ...call }, readIt) => read({ ...call, path: [id], query: { fields } }, readIt),
    write
  }
}

import { Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
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
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import type { WriteBody } from "../calls/NetworkRequest.ts"
import type { FileBody } from "../calls/sendFile.ts"
import { appsecretProof } from "../payloads/signature.ts"

/** A call of the Graph API in the name of an account. */
export interface GraphCall extends GraphContext {
  readonly access: AccountAccess
  /** Ids and names of edges, below the version: `["1789", "comments"]`. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly endpoint: GraphEndpoint
  /** Where it is another one than that of every call: Meta loads a file before it answers. */
  readonly timeLimit?: Duration.Input | undefined
}

type Read<A> = (value: unknown) => Result.Result<A, string>

/** One of Meta's networks. */
export interface GraphApi {
  /** Whether an account is reached at Facebook's host, in the name of a Page. */
  readonly isAtFacebook: (access: AccountAccess) => boolean
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
  readonly delete: <A>(call: GraphCall, read: Read<A>) => Effect.Effect<A, WriteFailed>
  /**
   * Sends a file's bytes to an address that Meta gave for them: its host of uploads, or that of the base URL. Any other
   * one is refused, for the token goes there too.
   */
  readonly upload: <A>(
    call: Omit<GraphCall, "path" | "query"> & { readonly address: string },
    file: FileBody,
    read: Read<A>
  ) => Effect.Effect<A, WriteFailed>
}

/** Where accounts of a network are reached. */
interface GraphHost {
  readonly root: string
  readonly calls: NetworkCalls
  readonly isFacebook: boolean
}

const mostEdgesWithLinks = 20_000

/** Conversations of Instagram accounts that are reached through a Page. */
export const pacedConversations = "instagram_conversations"

const uploadHost = "https://rupload.facebook.com"

/** A file of 1 GB in ten minutes is 1.7 MB a second. */
const uploadWithin = Duration.minutes(10)

/** An id stands in the path; whatever could lead elsewhere is not asked for. */
const plainSegment = /^[0-9A-Za-z_=+:~-]{1,512}$/

/** `ofPages` are the calls of Facebook: Instagram accounts that Facebook's login connected are reached there. */
export const makeGraphApi = (
  network: Network,
  calls: NetworkCalls,
  settings: SocialSettings,
  ofPages?: NetworkCalls
): GraphApi => {
  const root = rootUrl(network, settings)
  const [secret] = settings.metaAppSecrets ?? []
  const own: GraphHost = {
    root,
    calls,
    // Instagram's base URL may be Facebook's: then all of its accounts are read there.
    isFacebook: network === "facebook" || root.startsWith("https://graph.facebook.com/")
  }
  const atPages: GraphHost | undefined =
    ofPages === undefined ? undefined : { root: rootUrl("facebook", settings), calls: ofPages, isFacebook: true }
  const hostOf = ({ login }: AccountAccess): GraphHost =>
    atPages !== undefined && Option.contains(login, "facebook") ? atPages : own

  const asCall = ({ access, endpoint, path, query, timeLimit }: GraphCall) => {
    if (!path.every((segment) => plainSegment.test(segment))) {
      return new Rejected({ network, reason: "invalid", networkCode: Option.none(), detail: "no such id" })
    }
    const host = hostOf(access)
    const proof =
      host.isFacebook && secret !== undefined
        ? { appsecret_proof: Redacted.make(appsecretProof(secret, access.accessToken)) }
        : {}
    return Effect.succeed({
      calls: host.calls,
      asked: {
        url: `${host.root}/${path.map(encodeURIComponent).join("/")}`,
        query: { ...query, ...proof },
        accessToken: access.accessToken,
        accountId: access.networkAccountId,
        // Instagram's pace of conversations is not that of Pages.
        endpoint: host === atPages && endpoint === "conversations" ? pacedConversations : endpoint,
        network,
        timeLimit
      }
    })
  }

  const read = Effect.fnUntraced(function* <A>(call: GraphCall, read: Read<A>) {
    const { asked, calls } = yield* asCall(call)
    return yield* calls.read(asked, (answer, now) => {
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

  const receipt =
    <A>(call: GraphCall, read: Read<A>) =>
    (answer: JsonAnswer, now: DateTime.Utc): Effect.Effect<A, WriteFailed> => {
      const failure = graphWriteFailure(network, answer, call.access.accessToken, now, call)
      return failure === undefined ? decodeReceipt(network, read)(answer.body) : Effect.fail(failure)
    }

  return {
    isAtFacebook: (access) => hostOf(access).isFacebook,
    read,
    readPage,
    readObject: ({ fields, id, ...call }, readIt) => read({ ...call, path: [id], query: { fields } }, readIt),
    write: Effect.fnUntraced(function* (call, body, read) {
      const { asked, calls } = yield* asCall(call)
      return yield* calls.write(asked, body, receipt(call, read))
    }),
    delete: Effect.fnUntraced(function* (call, read) {
      const { asked, calls } = yield* asCall(call)
      return yield* calls.delete(asked, receipt(call, read))
    }),
    upload: Effect.fnUntraced(function* <A>(
      call: Omit<GraphCall, "path" | "query"> & { readonly address: string },
      file: FileBody,
      read: Read<A>
    ) {
      const { asked, calls } = yield* asCall({ ...call, path: [] })
      const own = new URL(hostOf(call.access).root)
      const given = URL.canParse(call.address) ? new URL(call.address).origin : ""
      if (given !== uploadHost && given !== own.origin) {
        const detail = "the address for the upload is none of Meta's"
        return yield* new Unavailable({ network, networkCode: Option.none(), detail, reason: "unreadable" })
      }
      const fileHeaders = { offset: "0", file_size: String(file.size_bytes) }
      const sent = {
        ...asked,
        url: call.address,
        query: {},
        fileHeaders,
        timeLimit: uploadWithin
      }
      return yield* calls.write(sent, file, receipt({ ...call, path: [] }, read))
    })
  }
}

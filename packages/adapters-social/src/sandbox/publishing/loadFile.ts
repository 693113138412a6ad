import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { fileFacts } from "./fileFacts.ts"
import type { FileFacts } from "./fileFacts.ts"

/** A file that a network got: from an address that it was given, or with a request. */
export interface GivenFile extends FileFacts {
  readonly contentType: string
  readonly size_bytes: number
}

/** As Meta's networks call themselves where they load a file. */
const userAgent = "facebookexternalhit/1.1"

const answerWithin = "20 seconds"

/** Of a file's beginning so much is looked at. */
export const head_bytes = 1024 * 1024

/** Counts bytes and keeps the first ones. */
export const collectFile = () => {
  const head = new Uint8Array(head_bytes)
  let size_bytes = 0
  return {
    add: (chunk: Uint8Array): void => {
      if (size_bytes < head_bytes) head.set(chunk.subarray(0, head_bytes - size_bytes), size_bytes)
      size_bytes += chunk.length
    },
    done: (contentType: string): GivenFile => ({
      contentType,
      size_bytes,
      ...fileFacts(head.subarray(0, Math.min(size_bytes, head_bytes)))
    })
  }
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

/**
 * Whether the sandbox loads this address: one of this machine, or of the product that it tells its webhooks. The real
 * networks load any public one; a simulation must not knock at strangers' doors.
 */
const isNear = (address: string, productUrl: string): boolean => {
  if (!URL.canParse(address)) return false
  const { hostname, protocol, username } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== "") return false
  return loopbackHosts.includes(hostname) || (URL.canParse(productUrl) && new URL(productUrl).hostname === hostname)
}

/**
 * Loads a file as Meta's networks do: HEAD, then GET, from an address of ASCII alone, without following a redirect; the
 * whole of it, and as long as HEAD said. None where that fails.
 */
export const loadFile = (
  client: HttpClient.HttpClient,
  address: string,
  productUrl: string
): Effect.Effect<Option.Option<GivenFile>> => {
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    client.execute(HttpClientRequest.setHeader(request, "user-agent", userAgent))
  const load = Effect.gen(function* () {
    const announced = yield* ask(HttpClientRequest.head(address))
    const length = Number(announced.headers["content-length"])
    if (announced.status !== 200 || !Number.isSafeInteger(length)) return Option.none()
    const response = yield* ask(HttpClientRequest.get(address))
    if (response.status !== 200) return Option.none()
    const file = collectFile()
    yield* Stream.runForEach(response.stream, (chunk) => Effect.sync(() => file.add(chunk)))
    const given = file.done(response.headers["content-type"] ?? "")
    return given.size_bytes === length ? Option.some(given) : Option.none()
  })
  if (!/^[\u0021-\u007e]+$/.test(address) || !isNear(address, productUrl)) return Effect.succeedNone
  return load.pipe(
    Effect.timeoutOption(answerWithin),
    Effect.map(Option.flatten),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.orElseSucceed(() => Option.none())
  )
}

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { askUrl, type UrlAnswer } from "./askUrl.ts"
import type { HostConfig } from "./hostConfig.ts"
import { type NetworkFinding, unchecked, unwell, well } from "./NetworkFinding.ts"

const loopback = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/
const inside = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|.*\.(?:local|internal|lan)$)/

/** Whether an address is this machine's own. */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname)

/** What the address itself says, before anybody is asked. */
export const judgeAddress = (publicUrl: string): NetworkFinding => {
  const name = "public address"
  const { hostname, protocol } = new URL(publicUrl)
  if (isLoopback(publicUrl)) return unwell(name, `${publicUrl} is this machine's own: no network reaches it.`)
  if (inside.test(hostname))
    return unwell(name, `${publicUrl} is an address of a private network: no network reaches it.`)
  return protocol === "https:"
    ? well(name, publicUrl)
    : unwell(name, `${publicUrl} is not https: Meta and Threads send neither people nor webhooks there.`)
}

/** What stands between the network and the host, if the answer is not the host's. */
const strangerIn = ({ header, status, text }: UrlAnswer): string | undefined => {
  if (status >= 300 && status < 400) {
    return `it redirects to ${header("location") ?? "another address"}, which no network follows. Name the address that answers.`
  }
  if (status === 401 || status === 407) return `it wants a login (${status}) before the host is asked.`
  return (header("content-type") ?? "").includes("html") || /^\s*</.test(text)
    ? "a page of HTML comes instead: a tunnel or a proxy asks people something first. Switch that off."
    : undefined
}

/** Whether the host itself answers at its public address. */
export const examineAnswer = (publicUrl: string): Effect.Effect<NetworkFinding> => {
  const name = "public answer"
  return askUrl("GET", `${publicUrl}/livez`, { "user-agent": asMeta }).pipe(
    Effect.map((answer) => {
      const stranger = strangerIn(answer)
      if (stranger !== undefined) return unwell(name, `${publicUrl}: ${stranger}`)
      return answer.status === 200
        ? well(name, `${publicUrl} answers as this host`)
        : unwell(name, `${publicUrl}/livez answers ${answer.status}. Does the proxy hand on all paths?`)
    }),
    Effect.catchTag("NotReached", ({ message }) => Effect.succeed(unwell(name, `${publicUrl}: ${message}.`)))
  )
}

/** As Meta's servers introduce themselves: some proxies refuse machines by name. */
const asMeta = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"

/** A file with a link by which networks would fetch it. */
export interface LinkedFile {
  readonly url: string
  readonly contentType: string
  readonly sizeBytes: number
}

const rangeBytes = 16

/** What is wrong with one of the two answers. */
const faultOf = (file: LinkedFile, head: UrlAnswer, part: UrlAnswer): string | undefined => {
  for (const [what, answer, status] of [
    ["HEAD", head, 200],
    ["a range", part, 206]
  ] as const) {
    // A picture's bytes may begin as HTML does not: only its type tells here.
    const stranger = strangerIn({ ...answer, text: "" })
    if (stranger !== undefined) return stranger
    if (answer.status !== status) return `${what} is answered ${answer.status} instead of ${status}.`
    const type = answer.header("content-type")
    if (type !== file.contentType) return `${what} has the type ${type ?? "none"} instead of ${file.contentType}.`
  }
  const length = head.header("content-length")
  if (length !== String(file.sizeBytes)) return `HEAD says ${length ?? "no"} bytes instead of ${file.sizeBytes}.`
  const range = part.header("content-range")
  return range?.startsWith("bytes 0-") === true ? undefined : "a range comes without Content-Range."
}

/** Fetches a file as Meta does before it publishes: HEAD, then a part of it. Its link is not shown: it is a key. */
export const examineFile = (file: Option.Option<LinkedFile>): Effect.Effect<NetworkFinding> => {
  const name = "media link"
  if (Option.isNone(file)) {
    return Effect.succeed(
      unchecked(name, "no workspace has a file to fetch as a network would; upload one and look again.")
    )
  }
  const { contentType, sizeBytes, url } = file.value
  const range = { range: `bytes=0-${Math.min(rangeBytes, sizeBytes) - 1}`, "user-agent": asMeta }
  return Effect.all([askUrl("HEAD", url, { "user-agent": asMeta }), askUrl("GET", url, range)]).pipe(
    Effect.map(([head, part]) => {
      const fault = faultOf(file.value, head, part)
      return fault === undefined
        ? well(name, `a file (${contentType}, ${sizeBytes} bytes) is served whole and in parts, by its signed link`)
        : unwell(name, `networks could not fetch files: ${fault}`)
    }),
    Effect.catchTag("NotReached", ({ message }) =>
      Effect.succeed(unwell(name, `networks could not fetch files: ${message}.`))
    )
  )
}

/** The findings about the public address; `findFile` is asked for a file with its link. */
export const examinePublic = Effect.fnUntraced(function* <R>(
  { networks, publicUrl }: HostConfig,
  findFile: (publicUrl: string) => Effect.Effect<Option.Option<LinkedFile>, never, R>
) {
  if (Option.isNone(publicUrl)) {
    return [
      networks === "sandbox"
        ? unchecked("public address", "the networks are a sandbox in this process; LOOPBOX_PUBLIC_URL is not set.")
        : unwell("public address", "LOOPBOX_PUBLIC_URL is not set: no network knows where the host is.")
    ]
  }
  const url = publicUrl.value
  const answer = yield* examineAnswer(url)
  const file =
    answer.status === "ok"
      ? yield* Effect.flatMap(findFile(url), examineFile)
      : unchecked("media link", "the public address does not answer as this host.")
  return [
    judgeAddress(url),
    answer,
    file,
    unchecked("from outside", "all of it was asked from this machine; a firewall may treat the networks' otherwise.")
  ]
})

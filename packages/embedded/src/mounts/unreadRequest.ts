import * as Predicate from "effect/Predicate"
import { IncomingMessage } from "node:http"
import { BodyAlreadyRead } from "./BodyAlreadyRead.ts"

const encode = (text: string) => new TextEncoder().encode(text)

const isForm = (value: unknown): value is Readonly<Record<string, string | ReadonlyArray<string>>> =>
  Predicate.isObject(value) &&
  Object.values(value).every(
    (one) => typeof one === "string" || (Array.isArray(one) && one.every((part) => typeof part === "string"))
  )

const formText = (form: Readonly<Record<string, string | ReadonlyArray<string>>>): string =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one) => [name, one])
    )
  ).toString()

/** What networks sign is bytes: the same JSON, written again, is something else. */
const isSigned = (path: string) => path.startsWith("/v1/webhooks/")

/**
 * A text as the bytes that it was read from; undefined where they are others now: what is not UTF-8, as an image, was replaced
 * while it was read. How long a compressed body or one in chunks was, nobody says; there the replacement tells.
 */
const bytesOfText = ({ headers }: IncomingMessage, text: string): Uint8Array | undefined => {
  const bytes = encode(text)
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined
  const isWhole = length === undefined ? !text.includes("\uFFFD") : Number(length) === bytes.length
  return isWhole ? bytes : undefined
}

/**
 * The bytes of a body that a parser has read; undefined where what it left does not say them. JSON and forms are written
 * again: Loopbox reads the same values, however they were written.
 */
const bytesOf = (request: IncomingMessage, path: string): Uint8Array | undefined => {
  if ("rawBody" in request) {
    if (request.rawBody instanceof Uint8Array) return request.rawBody
    if (typeof request.rawBody === "string") return bytesOfText(request, request.rawBody)
  }
  const body = "body" in request ? request.body : undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === "string") return bytesOfText(request, body)
  const type = request.headers["content-type"] ?? ""
  if (/^[^;]*\bjson\b/i.test(type) && body !== undefined) {
    return isSigned(path) ? undefined : encode(JSON.stringify(body))
  }
  return /^application\/x-www-form-urlencoded\b/i.test(type) && isForm(body) ? encode(formText(body)) : undefined
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The same request with a body that can be read once more. */
const replay = (request: IncomingMessage, bytes: Uint8Array): IncomingMessage => {
  const again = new IncomingMessage(request.socket)
  const { "content-encoding": _encoding, "transfer-encoding": _transfer, ...headers } = request.headers
  again.headers = { ...headers, "content-length": String(bytes.length) }
  again.rawHeaders = Object.entries(again.headers).flatMap(([name, value]) => [name, String(value)])
  again.httpVersion = request.httpVersion
  again.httpVersionMajor = request.httpVersionMajor
  again.httpVersionMinor = request.httpVersionMinor
  if (request.method !== undefined) again.method = request.method
  if (request.url !== undefined) again.url = request.url
  again.complete = true
  again.push(bytes)
  again.push(null)
  return again
}

/** The request as it came, or, where a body parser has read it, with its body again; or that it cannot be had. */
export const unreadRequest = (request: IncomingMessage): IncomingMessage | BodyAlreadyRead => {
  if (!request.readableDidRead || !hasBody(request)) return request
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/"
  const bytes = bytesOf(request, path)
  if (bytes !== undefined) return replay(request, bytes)
  const contentType = request.headers["content-type"] ?? "without a type"
  // Express puts its app beside what Node has of a request.
  const of = Predicate.hasProperty(request, "app") ? "express" : "node"
  return new BodyAlreadyRead({ method: request.method ?? "", path, contentType, request: of })
}

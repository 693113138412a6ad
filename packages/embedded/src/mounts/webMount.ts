import { BodyAlreadyRead } from "./BodyAlreadyRead.ts"
import type { MountedApi } from "./MountedApi.ts"
import { behind } from "./prefix.ts"
import { noteAddress } from "./requestAddress.ts"

/** Where the request was sent to. Next's URLs have the name that its server listens on instead of the one that was asked. */
const originOf = ({ headers, url }: Request): string => {
  const { host, origin, protocol } = new URL(url)
  const asked = `${protocol}//${headers.get("host") ?? host}`
  return URL.canParse(asked) ? new URL(asked).origin : origin
}

/** The same request without its prefix. */
const without = (prefix: string, request: Request): Request => {
  const url = new URL(request.url)
  url.pathname = behind(prefix, url.pathname) ?? "/-"
  const { body, headers, method, signal } = request
  const inner = new Request(url, { method, headers, signal, ...(body === null ? {} : { body, duplex: "half" }) })
  noteAddress(inner, `${originOf(request)}${prefix}`)
  return inner
}

/** Answers a request of the fetch standard. Fails where its body was read before. */
export const answerWeb = async (api: MountedApi, prefix: string, request: Request): Promise<Response> => {
  if (request.bodyUsed) {
    const { headers, method, url } = request
    const contentType = headers.get("content-type") ?? "without a type"
    throw new BodyAlreadyRead({ method, path: new URL(url).pathname, contentType, request: "web" })
  }
  const handler = await api.web()
  return handler(without(prefix, request))
}

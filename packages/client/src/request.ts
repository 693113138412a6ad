import type { CallOptions } from "./LoopboxOptions.ts"
import type { At, BodyOf, DataOf, FileBody, HeadersOf, Method, MethodOf, Path, PathOf, QueryOf } from "./Operation.ts"
import { fileParts, headersOf, idInPath, toQuery } from "./requests.ts"
import type { Received, Transport } from "./Transport.ts"

export interface RequestInit<Query, PathParams, Headers, Json> extends Pick<CallOptions, "headers" | "signal"> {
  readonly params?: { readonly query?: Query; readonly path?: PathParams; readonly header?: Headers } | undefined
  /** JSON, or the bytes of a file. */
  readonly body?: Json | FileBody | FormData | undefined
}

type Loose = Readonly<Record<string, unknown>>

/** Any request: with types where the path is one of this version's, else with `unknown`. */
export interface Request {
  <const P extends Path, const M extends MethodOf<P>>(
    method: M,
    path: P,
    init?: RequestInit<QueryOf<At<M, P>>, PathOf<At<M, P>>, HeadersOf<At<M, P>>, BodyOf<At<M, P>>>
  ): Promise<Received<DataOf<At<M, P>>>>
  <const P extends string>(
    method: Method,
    path: P extends Path ? never : P,
    init?: RequestInit<Loose, Loose, Loose, Loose>
  ): Promise<Received<unknown>>
}

const textsOf = (members: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)])
  )

const fillIn = (path: string, ids: Loose): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idInPath(path, `params.path.${name}`, ids[name]))

/** The request under all operations. */
export const makeRequest = (transport: Transport): Request => {
  const toSent = (method: Method, path: string, init: RequestInit<object, object, object, object> = {}) => {
    const { body, params, signal } = init
    const headers = { ...textsOf(params?.header ?? {}), ...init.headers }
    const parts =
      body === undefined ? { headers: headersOf({ headers }) } : fileParts(method.toUpperCase(), body, { headers })
    const target = fillIn(path, { ...params?.path }) + toQuery({ ...params?.query })
    return { method: method.toUpperCase(), path: target, ...parts, answer: "unknown", signal } as const
  }
  function request<const P extends Path, const M extends MethodOf<P>>(
    method: M,
    path: P,
    init?: RequestInit<QueryOf<At<M, P>>, PathOf<At<M, P>>, HeadersOf<At<M, P>>, BodyOf<At<M, P>>>
  ): Promise<Received<DataOf<At<M, P>>>>
  function request<const P extends string>(
    method: Method,
    path: P extends Path ? never : P,
    init?: RequestInit<Loose, Loose, Loose, Loose>
  ): Promise<Received<unknown>>
  function request(method: Method, path: string, init?: RequestInit<object, object, object, object>) {
    return transport.send(toSent(method, path, init))
  }
  return request
}

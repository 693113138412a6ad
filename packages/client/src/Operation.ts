import type { paths } from "./generated/wire.ts"
import type { List } from "./List.ts"
import type { CallOptions } from "./LoopboxOptions.ts"

export type Path = keyof paths
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The operation of a method at a path, as openapi-typescript describes it. */
export type At<M extends Method, P extends Path> = Lowercase<M> extends keyof paths[P] ? paths[P][Lowercase<M>] : never

/** Methods that a path takes. */
export type MethodOf<P extends Path> = { [M in Method]: [At<M, P>] extends [undefined] ? never : M }[Method]

type OptionalOf<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? K : never }[keyof T]

/** An optional member may be undefined, too: it is not sent then. */
type Given<T> = T extends unknown
  ? { [K in Exclude<keyof T, OptionalOf<T>>]: T[K] } & { [K in OptionalOf<T>]?: T[K] | undefined }
  : never

/** openapi-typescript writes `never` for what an operation has none of. */
type Members<T> = [NonNullable<T>] extends [never] ? {} : NonNullable<T>

type Query<O> = O extends { parameters: { query?: infer Q } } ? Members<Q> : {}
type JsonBody<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { "application/json": infer J } }
    ? Members<J>
    : {}
  : {}

export type QueryOf<O> = Given<Query<O>>
export type PathOf<O> = O extends { parameters: { path?: infer P } } ? Members<P> : {}
export type HeadersOf<O> = O extends { parameters: { header?: infer H } } ? Given<Members<H>> : {}
export type BodyOf<O> = Given<JsonBody<O>>

/** Members of the query and the body in one object; a name that both have means the body's. */
type MembersOf<O> = Given<Omit<Query<O>, keyof JsonBody<O>>> & BodyOf<O>

type Answers<O> = O extends { responses: infer R } ? R[keyof R] : never
type Json<R> = R extends { content: { "application/json": infer J } } ? J : never

/** `data` of an answer; undefined of 204, and the `Response` itself of a file. */
export type DataOf<O> =
  Answers<O> extends infer R
    ? R extends { content: { "application/json": { data: infer D } } }
      ? D
      : R extends { content?: never }
        ? undefined
        : Response
    : never
type ItemOf<O> = Json<Answers<O>> extends { data: ReadonlyArray<infer Item> } ? Item : never

/** One text for each `{…}` of a path, in order. */
type PathArguments<P extends string> = P extends `${string}{${string}}${string}{${string}}${string}`
  ? [id: string, innerId: string]
  : P extends `${string}{${string}}${string}`
    ? [id: string]
    : []

/** The members may be left out where none is required. */
type Arguments<P extends string, Members> = {} extends Members
  ? [...PathArguments<P>, members?: Members, options?: CallOptions]
  : [...PathArguments<P>, members: Members, options?: CallOptions]

/** The bytes of a file. A stream is sent once only, and needs a runtime that streams what it sends. */
export type FileBody = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>

export interface FileOptions extends CallOptions {
  /** That of a Blob unless said otherwise. */
  readonly contentType?: string | undefined
  /** That of a File unless said otherwise. */
  readonly filename?: string | undefined
}

type FileArguments<P extends string, O> = [
  ...PathArguments<P>,
  body: FileBody | FormData | BodyOf<O>,
  options?: FileOptions & { readonly query?: QueryOf<O> | undefined }
]

/** How the generated table makes functions of its lines. */
export interface Make {
  readonly list: <const M extends Method, const P extends Path>(
    method: M,
    path: P
  ) => (...given: Arguments<P, MembersOf<At<M, P>>>) => List<ItemOf<At<M, P>>>
  readonly query: <const M extends Method, const P extends Path>(
    method: M,
    path: P,
    answer?: "file" | "nothing"
  ) => (...given: Arguments<P, MembersOf<At<M, P>>>) => Promise<DataOf<At<M, P>>>
  readonly json: <const M extends Method, const P extends Path>(
    method: M,
    path: P,
    query?: ReadonlyArray<string>,
    shared?: ReadonlyArray<string>
  ) => (...given: Arguments<P, MembersOf<At<M, P>>>) => Promise<DataOf<At<M, P>>>
  readonly file: <const M extends Method, const P extends Path>(
    method: M,
    path: P
  ) => (...given: FileArguments<P, At<M, P>>) => Promise<DataOf<At<M, P>>>
}

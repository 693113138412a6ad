import type { CallOptions } from "./LoopboxOptions.ts"
import type { FileBody, FileOptions } from "./Operation.ts"
import type { Sent } from "./Transport.ts"

export type Members = Readonly<Record<string, unknown>>

/** Its type was judged where the call was written. */
const isOptions = (value: unknown): value is FileOptions & { readonly query?: Members } =>
  typeof value === "object" && value !== null

/** An id as a part of a path. As `.` and `..`, however they are written, it would mean another: `keys/..` is the workspace. */
export const idInPath = (path: string, name: string, id: unknown): string => {
  const text = typeof id === "object" ? "" : String(id ?? "")
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${path}: ${name} must be an id`)
  return encodeURIComponent(text)
}

/** The path with its ids in place, and what was given after them. */
export const fill = (path: string, given: ReadonlyArray<unknown>) => {
  let used = 0
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idInPath(path, name, given[used++]))
  const [members, options] = given.slice(used)
  return { path: filled, members, options: isOptions(options) ? options : {} }
}

/** Members as a query; what is undefined or null is not sent. */
export const toQuery = (members: Members): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) {
    const text = String(value ?? "")
    // Options that were given in the place of members, or a member of another kind.
    if (text !== value && text.startsWith("[object "))
      throw new TypeError(`${name} can't be in a query: options come last`)
    if (value !== undefined && value !== null) query.append(name, text)
  }
  return `?${query}`.replace(/^\?$/, "")
}

/**
 * Members that belong to the query, and the rest for the body. One that both have is the body's; a managed user who is also
 * named as the scope, as for a connect session, is in both.
 */
export const split = (members: Members, query: ReadonlyArray<string>, shared: ReadonlyArray<string>) => {
  const isScoped = members["inbox_scope"] === "managed_user"
  const entries = Object.entries(members)
  return {
    query: Object.fromEntries(entries.filter(([name]) => query.includes(name) || (isScoped && shared.includes(name)))),
    body: Object.fromEntries(entries.filter(([name]) => !query.includes(name)))
  }
}

export const headersOf = (options: Pick<CallOptions, "headers" | "idempotencyKey">): Record<string, string> => ({
  ...options.headers,
  ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey })
})

const isBytes = (value: unknown): value is FileBody | FormData =>
  value instanceof Blob ||
  value instanceof ArrayBuffer ||
  ArrayBuffer.isView(value) ||
  value instanceof FormData ||
  value instanceof ReadableStream

const filenameOf = (body: unknown, given: string | undefined): string | undefined =>
  given ?? (body instanceof Blob && "name" in body && typeof body.name === "string" ? body.name : undefined)

const isUnshared = (view: ArrayBufferView): view is ArrayBufferView<ArrayBuffer> => view.buffer instanceof ArrayBuffer

/** fetch takes no view of memory that is shared between threads: that is copied. */
const unshared = (view: ArrayBufferView): ArrayBufferView<ArrayBuffer> =>
  isUnshared(view) ? view : new Uint8Array(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))

/**
 * Such bytes as readFile gives, whose type nobody said. Alone they would be taken for JSON; of a form's file the host finds the
 * type in the bytes.
 */
const inForm = (body: Exclude<FileBody, ArrayBufferView> | ArrayBufferView<ArrayBuffer>, filename = "file") => {
  if (body instanceof ReadableStream) throw new TypeError("a stream has no type: give contentType")
  const form = new FormData()
  form.set("file", new Blob([body]), filename)
  return form
}

/** How the bytes of a file, or JSON in their place, are sent. */
export const fileParts = (
  method: string,
  given: unknown,
  options: FileOptions
): Pick<Sent, "body" | "headers" | "isFile"> => {
  const headers = headersOf(options)
  if (!isBytes(given)) {
    return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(given ?? {}) }
  }
  const type = options.contentType ?? (given instanceof Blob ? given.type : "")
  const filename = filenameOf(given, options.filename)
  const body = ArrayBuffer.isView(given) ? unshared(given) : given
  if (type !== "") headers["content-type"] = type
  // What was reserved has its type and name: `PUT` takes the bytes alone.
  if (body instanceof FormData || method === "PUT") return { headers, body, isFile: true }
  // A type may be among the headers, too. A form says the name of its file itself.
  if (!new Headers(headers).has("content-type")) return { headers, body: inForm(body, filename), isFile: true }
  if (filename !== undefined) headers["x-filename"] = encodeURIComponent(filename)
  return { headers, body, isFile: true }
}

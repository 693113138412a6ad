import type { MountedApi } from "./MountedApi.ts"
import type { MountOptions } from "./nodeMount.ts"
import { allBut, trimPrefix } from "./prefix.ts"
import { answerWeb } from "./webMount.ts"

/** What Next gives a route handler beside the request: of `[[...name]]` the segments. */
export interface NextContext {
  readonly params: Promise<Readonly<Record<string, string | Array<string> | undefined>>>
}

/** A route handler of Next's app router. */
export type NextHandler = (request: Request, context: NextContext) => Promise<Response>

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** The exports of a `route.js`. */
export type NextRoute = Readonly<Record<(typeof methods)[number], NextHandler>>

/** For `app/social/[[...loopbox]]/route.js`: the prefix is what stands before the caught segments. */
export const makeNext = (api: MountedApi, options: MountOptions): NextRoute => {
  const handle: NextHandler = async (request, { params }) => {
    const caught = Object.values(await params).find((value) => Array.isArray(value)) ?? []
    const prefix =
      options.prefix === undefined ? allBut(caught.length, new URL(request.url).pathname) : trimPrefix(options.prefix)
    return answerWeb(api, prefix, request)
  }
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}

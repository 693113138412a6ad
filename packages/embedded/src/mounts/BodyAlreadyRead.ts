import * as Schema from "effect/Schema"

/** How the bytes of a body are had all the same. Nobody says which parser read it, but the request says whose it is. */
const remedies = {
  express:
    `Mount Loopbox above body parsers, or let them keep the bytes as request.rawBody: ` +
    `express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })`,
  node:
    `Give it the request above body parsers, or with the bytes as rawBody of the request of node:http; ` +
    `below koa-bodyparser: ctx.req.rawBody = ctx.request.rawBody`,
  web: `Give it the request before anything reads it, or a request.clone() that was made before`
} as const

/** A body parser took the body of a request before it came to Loopbox, which needs its bytes. */
export class BodyAlreadyRead extends Schema.TaggedError<BodyAlreadyRead>()("BodyAlreadyRead", {
  method: Schema.String,
  /** Without its query. */
  path: Schema.String,
  contentType: Schema.String,
  /** Whose request it is: Express's, one of `node:http`, or one of the fetch standard. */
  request: Schema.Literals(["express", "node", "web"])
}) {
  override get message(): string {
    const { contentType, method, path, request } = this
    return (
      `${method} ${path}: a body parser read the body (${contentType}) before Loopbox, which needs its bytes. ` +
      remedies[request]
    )
  }
}

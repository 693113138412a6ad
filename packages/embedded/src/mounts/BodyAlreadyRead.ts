import * as Schema from "effect/Schema"

/** A body parser took the body of a request before it came to Loopbox, which needs its bytes. */
export class BodyAlreadyRead extends Schema.TaggedError<BodyAlreadyRead>()("BodyAlreadyRead", {
  method: Schema.String,
  /** Without its query. */
  path: Schema.String,
  contentType: Schema.String
}) {
  override get message(): string {
    const { contentType, method, path } = this
    return (
      `${method} ${path}: a body parser read the body (${contentType}) before Loopbox, which needs its bytes. ` +
      `Mount Loopbox above body parsers, or let them keep the bytes as request.rawBody: ` +
      `express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } })`
    )
  }
}

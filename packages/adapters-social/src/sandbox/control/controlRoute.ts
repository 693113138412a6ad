import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { SandboxRefused } from "../Writing.ts"

export interface Answer {
  readonly status: number
  readonly body: unknown
}

const json = ({ body, status }: Answer) => HttpServerResponse.jsonUnsafe(body, { status })
const refused = (status: number, error: string): Answer => ({ status, body: { error } })

/** A web page can't send this type to another origin without being asked, and is never answered that it may. */
const isJson = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")
)

/** A route with a JSON input: 415 of another type, 400 when it can't be read, 409 when no network would do it. */
export const control = <S extends Schema.ConstraintDecoder<unknown>>(
  name: string,
  input: S,
  act: (input: S["Type"]) => Effect.Effect<Answer, SandboxRefused>
) =>
  HttpRouter.route(
    "POST",
    `/sandbox/${name}`,
    Effect.gen(function* () {
      if (!(yield* isJson)) return json(refused(415, "The content type must be application/json."))
      return yield* HttpServerRequest.schemaBodyJson(input).pipe(
        Effect.flatMap(act),
        Effect.catchTags({
          SandboxRefused: ({ reason }) => Effect.succeed(refused(409, reason)),
          SchemaError: ({ message }) => Effect.succeed(refused(400, message)),
          HttpServerError: () => Effect.succeed(refused(400, "The body is not JSON."))
        }),
        Effect.map(json)
      )
    })
  )

export const look = (name: string, body: () => unknown) =>
  HttpRouter.route(
    "GET",
    `/sandbox/${name}`,
    Effect.sync(() => json({ status: 200, body: body() }))
  )

export const done = (body: unknown): Answer => ({ status: 200, body })

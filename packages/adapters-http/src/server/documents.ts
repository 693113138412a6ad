import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import { Api } from "../api/Api.ts"

/** The page's script and style stand in it; it calls nobody but the service itself. */
const pagePolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'"

/** `/docs`, without a CDN. Its script has 2 MB, so it is loaded by the first who looks. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const scope = yield* Effect.scope
    const page = yield* Effect.cached(
      HttpRouter.toHttpEffect(HttpApiSwagger.layer(Api, { path: "/docs" })).pipe(
        Effect.provideService(Scope.Scope, scope)
      )
    )
    const answer = Effect.flatMap(page, (show) => show).pipe(
      Effect.map(HttpServerResponse.setHeader("content-security-policy", pagePolicy)),
      Effect.orDie
    )
    yield* router.add("GET", "/docs", answer)
  })
)

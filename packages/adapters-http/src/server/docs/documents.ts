import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answerDocs, makeDocsPage } from "./docsPage.ts"

/** The page's script and style stand in it; it calls nobody but the service itself. */
const pagePolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'"

/** `/docs`, without a CDN. Its script has 2 MB, so it is loaded by the first who looks. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const scope = yield* Effect.scope
    // A client that leaves must not end it for those who ask next.
    const page = yield* makeDocsPage.pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.orDie,
      Effect.uninterruptible,
      Effect.cached
    )
    const answer = Effect.flatMap(page, answerDocs).pipe(
      Effect.map(HttpServerResponse.setHeader("content-security-policy", pagePolicy))
    )
    yield* router.add("GET", "/docs", answer)
  })
)

import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../../api/Api.ts"
import { rawQueryOf } from "../inbox/enterInbox.ts"
import { guidePage, guidesPage, noGuidePage, type OperationEntry, searchPage } from "./guidePage.ts"

/** The pages have a style and no script, and load nothing. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const answer = (page: string, status = 200) =>
  HttpServerResponse.text(page, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": pagePolicy }
  })

const mostCharacters = 200

/** What the reference says, as the search shows it. */
const readOperations = (): ReadonlyArray<OperationEntry> =>
  Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!Predicate.hasProperty(operation, "operationId")) return []
      const { operationId, summary, tags } = operation
      const [tag] = Array.isArray(tags) ? tags : []
      return [
        {
          method: method.toUpperCase(),
          path,
          summary: Predicate.isString(summary) ? summary : "",
          link: `#/${encodeURIComponent(String(tag))}/${encodeURIComponent(String(operationId))}`
        }
      ]
    })
  )

/** `/docs/guides`, each guide below it, and `/docs/search` over guides and reference: plain pages, no CDN. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const operations = yield* Effect.cached(Effect.sync(readOperations))
    yield* router.add(
      "GET",
      "/docs/guides",
      Effect.sync(() => answer(guidesPage()))
    )
    yield* router.add(
      "GET",
      "/docs/guides/:name",
      Effect.map(HttpRouter.params, ({ name = "" }) => {
        const page = guidePage(name)
        return page === undefined ? answer(noGuidePage(), 404) : answer(page)
      })
    )
    yield* router.add(
      "GET",
      "/docs/search",
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const query = new URLSearchParams(rawQueryOf(url)).get("q") ?? ""
        return answer(searchPage(query.slice(0, mostCharacters), yield* operations))
      })
    )
  })
)

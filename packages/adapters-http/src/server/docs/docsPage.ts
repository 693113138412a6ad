import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import { Api } from "../../api/Api.ts"

/** What the page adds: a link to each part of the API and to the guides, and the part that the address names by a tag or by its name. */
const script = `
    const groupOf = (spec) => {
      const tag = decodeURIComponent(location.hash.slice(2).split("/")[0]);
      const name = new URLSearchParams(location.search).get("part");
      const groups = spec["x-tagGroups"];
      return groups.find(({ tags }) => tags.includes(tag)) ?? groups.find((one) => one.name === name) ?? groups[0];
    };
    const partOf = (spec) => {
      const group = groupOf(spec);
      addEventListener("hashchange", () => groupOf(spec) === group || location.reload());
      for (const { name } of spec["x-tagGroups"]) {
        const link = document.createElement(name === group.name ? "b" : "a");
        if (link.tagName === "A") link.href = "?part=" + encodeURIComponent(name);
        link.textContent = name;
        document.querySelector("nav").append(link, " ");
      }
      const guides = document.createElement("a");
      guides.href = "docs/guides";
      guides.textContent = "Guides";
      document.querySelector("nav").append(guides);
      const isOfGroup = ({ tags }) => tags.some((tag) => group.tags.includes(tag));
      const paths = Object.entries(spec.paths).flatMap(([path, item]) => {
        const operations = Object.entries(item).filter(([, operation]) => isOfGroup(operation));
        return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]];
      });
      const tags = spec.tags.filter(({ name }) => group.tags.includes(name));
      return { ...spec, tags, paths: Object.fromEntries(paths) };
    };
`

const nav = '<nav style="font: 16px sans-serif; margin: 1em auto; max-width: 1420px; padding: 0 20px"></nav>'

/** Effect's page of Swagger UI, with what its options do not offer. */
const complete = (page: string): string =>
  page
    .replace('<div id="swagger-ui"></div>', (div) => nav + div)
    .replace("window.onload = () => {", (start) => script + start)
    .replace(/spec: (JSON\.parse\(.*?\.textContent\))/, (_, spec: string) => `spec: partOf(${spec})`)
    .replace('dom_id: "#swagger-ui",', (option) => `${option} deepLinking: true,`)

/** As `fetch` has them: Node, Bun and Deno alike. */
const transform = (bytes: Uint8Array<ArrayBuffer>, by: CompressionStream | DecompressionStream) =>
  Effect.promise(async () => {
    const stream = new Blob([bytes]).stream().pipeThrough(by)
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

/** The page, compressed: 0.6 MB instead of 2.3. */
export const makeDocsPage = Effect.gen(function* () {
  const show = yield* HttpRouter.toHttpEffect(HttpApiSwagger.layer(Api, { path: "/docs" }))
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const { body } = yield* Effect.provideService(show, HttpServerRequest.HttpServerRequest, request)
  const page = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  return yield* transform(new TextEncoder().encode(complete(page)), new CompressionStream("gzip"))
})

/** Whether a client takes gzip (RFC 9110 §12.5.3), as far as it says so by name. */
const takesGzip = (accepted: string | undefined): boolean =>
  (accepted ?? "").split(",").some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one))

/** The page as an answer; who does not take it compressed gets it as it was. */
export const answerDocs = Effect.fnUntraced(function* (page: Uint8Array<ArrayBuffer>) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const isGzip = takesGzip(headers["accept-encoding"])
  const body = isGzip ? page : yield* transform(page, new DecompressionStream("gzip"))
  return HttpServerResponse.uint8Array(body, {
    contentType: "text/html; charset=utf-8",
    headers: { vary: "Accept-Encoding", ...(isGzip ? { "content-encoding": "gzip" } : {}) }
  })
})

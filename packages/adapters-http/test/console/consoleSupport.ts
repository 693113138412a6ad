import { ConsoleSessions, layerConsoleIdentity } from "@loopbox/core/access/ConsoleSessions"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import type { ConsoleFile } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { Effect, Layer, Redacted } from "effect"
import { adminToken, type Call, call, driving, serverWith } from "../support.ts"

const encode = (text: string) => new TextEncoder().encode(text)

const file = (contentType: string, text: string, compressed?: string): ConsoleFile => ({
  contentType,
  bytes: encode(text),
  encodings: compressed === undefined ? [] : [{ name: "gzip", bytes: encode(compressed) }]
})

const files = new Map([
  ["index.html", file("text/html; charset=utf-8", "<!doctype html><title>console</title>")],
  ["assets/console-abc.js", file("text/javascript; charset=utf-8", "customElements", "compressed")]
])

const asked: Array<string> = []
/** What the sandbox's controls were asked. */
export const sandboxCalls: ReadonlyArray<string> = asked

/** Services whose callers may be the console's, too. */
const services = driving.pipe(
  Layer.provideMerge(layerConsoleIdentity),
  Layer.provideMerge(ConsoleSessions.layer(Redacted.make(adminToken))),
  Layer.provideMerge(MemoryAdapters.layer),
  Layer.provideMerge(layerNetworks)
)

/** A server with a console. */
export const consoleServerWith = (options: Parameters<typeof serverWith>[0] = {}, installation?: string) =>
  Layer.unwrap(
    Effect.map(ConsoleSessions, (sessions) =>
      serverWith({
        ...options,
        console: {
          sessions,
          installation,
          files: Effect.succeed(files),
          activity: (range) =>
            Effect.succeed({
              times: [1],
              step_seconds: range === "hour" ? 10 : 60,
              series: [{ name: "requests", label: "2xx", values: [3] }]
            }),
          sandbox: (method, path, body) =>
            Effect.sync(() => {
              asked.push(`${method} ${path} ${JSON.stringify(body)}`)
              return {
                status: path.startsWith("none") ? 409 : 201,
                body: path.startsWith("none") ? { error: "No." } : { id: "1" }
              }
            })
        }
      })
    )
  ).pipe(Layer.provideMerge(services))

export const consoleServer = consoleServerWith()

/** What a browser adds where a page of ours asks. */
export const ofOurPage = { "sec-fetch-site": "same-origin" }

/** Signs in as the operator; the cookie as it is sent back. */
export const signIn = Effect.fnUntraced(function* () {
  const answer = yield* call("POST", "/console/session", { json: { admin_token: adminToken }, headers: ofOurPage })
  return { answer, cookie: (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "" }
})

/** A request of the console's page. */
export const ask = (
  method: string,
  path: string,
  { cookie, headers, workspace, ...more }: Call & { readonly cookie: string; readonly workspace?: string }
) =>
  call(method, path, {
    ...more,
    headers: {
      ...ofOurPage,
      cookie,
      ...(workspace === undefined ? {} : { "loopbox-workspace": workspace }),
      ...Object.fromEntries(new Headers(headers))
    }
  })

import type { SandboxReply } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { RunningSandbox } from "../sandbox.ts"

/** What may be looked at: everything but the texts of tokens. */
const looks = new Set([
  "account",
  "accounts",
  "apps",
  "consent",
  "endpoints",
  "faults",
  "items",
  "people",
  "requests",
  "sent",
  "settings",
  "writers"
])

/** What may be done: what people do, and what goes wrong at a network. */
const acts = new Set([
  "account/callback",
  "account/die",
  "account/role",
  "account/withdraw",
  "apps",
  "comment",
  "consent",
  "delete",
  "edit",
  "faults",
  "faults/clear",
  "hide",
  "mention",
  "message",
  "post",
  "quote",
  "release",
  "requests/clear",
  "settings",
  "subscribe",
  "tokens",
  "unsubscribe"
])

const unknown: SandboxReply = { status: 404, body: { error: "There is no such control of the simulated networks." } }
const silent: SandboxReply = { status: 503, body: { error: "The simulated networks do not answer." } }

const decodeBody = Schema.decodeEffect(Schema.fromJsonString(Schema.Json))

/** The controls that `loopbox sandbox …` calls, for the console: a body by POST, none by GET. */
export const sandboxControls =
  ({ url }: Pick<RunningSandbox, "url">) =>
  (method: string, path: string, body: Schema.Json | undefined): Effect.Effect<SandboxReply> => {
    const name = path.split("?", 1)[0] ?? ""
    const isKnown = (method === "GET" && looks.has(name)) || (method === "POST" && acts.has(name))
    if (!isKnown) return Effect.succeed(unknown)
    const address = `${url}/sandbox/${path}`
    const request =
      method === "GET"
        ? HttpClientRequest.get(address)
        : HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(address), body ?? {})
    return Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const { status, text } = yield* client.execute(request)
      const answered: SandboxReply = { status, body: yield* decodeBody(yield* text) }
      return answered
    }).pipe(
      Effect.timeout("30 seconds"),
      Effect.catchTags({
        HttpClientError: () => Effect.succeed(silent),
        TimeoutError: () => Effect.succeed(silent),
        SchemaError: Effect.die
      }),
      Effect.provide(FetchHttpClient.layer)
    )
  }

/** The simulated networks on a socket of this machine, and a client that says what came back. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { networks, webhookEndpoints } from "../../src/names.ts"
import type { Network } from "../../src/names.ts"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Predicate, Redacted } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { Sandbox, layer as sandboxLayer } from "@loopbox/adapters-social/sandbox/Sandbox"
import type { SandboxApp } from "@loopbox/adapters-social"
import * as SandboxRoutes from "../../src/sandbox/control/SandboxRoutes.ts"
import { accounts, secrets } from "./sandboxed.ts"

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where it is no JSON. */
  readonly body: unknown
}

export interface Asked {
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as it is: parts of a form in their order, or bytes. */
  readonly raw?: FormData | Uint8Array<ArrayBuffer>
  /** Null sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member of an answer, by its names and places: `at(body, "data", 0, "id")`. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((part, name) => (Predicate.isObjectOrArray(part) ? Reflect.get(part, name) : undefined), value)

/** A member that is a list. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const list = at(value, ...path)
  assert.isTrue(Array.isArray(list), `no list at ${path.join(".")} of ${JSON.stringify(value)}`)
  return Array.isArray(list) ? list : []
}

export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const text = at(value, ...path)
  assert.strictEqual(typeof text, "string", `no text at ${path.join(".")} of ${JSON.stringify(value)}`)
  return String(text)
}

const accountOf = (network: Network) => {
  const found = accounts.find((one) => one.network === network)
  assert.isDefined(found)
  return { id: found?.accountId ?? "", token: Redacted.value(found?.accessToken ?? Redacted.make("")) }
}

/** Ids of the connected accounts. */
export const ids = Object.fromEntries(networks.map((network) => [network, accountOf(network).id]))

const versions: Record<Network, string> = { instagram: "v25.0", facebook: "v25.0", threads: "v1.0", x: "2" }

export const served = Effect.fnUntraced(function* (
  options: {
    readonly seed?: number
    /** What the product answers to a GET of the networks. */
    readonly answerGet?: (url: URL) => string
    readonly apps?: Partial<Record<Network, SandboxApp>>
    /** What the product answers to a callback of Meta. */
    readonly answerCallback?: (path: string, form: URLSearchParams) => Response
    /** What the product answers to those who load its files. */
    readonly answerFile?: (request: Request) => Response | undefined
  } = {}
) {
  const webhooks: Array<unknown> = []
  const product: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const file = options.answerFile?.(request)
    if (file !== undefined) return file
    if (request.method === "GET") return new Response(options.answerGet?.(new URL(request.url)) ?? null)
    const { pathname } = new URL(request.url)
    if (/meta\/(deauthorize|data-deletion)$/.test(pathname)) {
      const form = new URLSearchParams(await request.text())
      return options.answerCallback?.(pathname, form) ?? new Response(null, { status: 404 })
    }
    assert.isTrue(webhookEndpoints.some((one) => request.url.endsWith(`/${one}`)))
    webhooks.push(await request.json())
    return new Response(null, { status: 200 })
  }
  const context = yield* Layer.build(
    Layer.fresh(
      HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret: secrets.meta }), {
        disableLogger: true,
        disableListenLog: true
      })
    ).pipe(
      Layer.provideMerge(
        sandboxLayer({
          seed: options.seed ?? 1,
          apps: options.apps,
          accounts,
          secrets,
          webhookUrl: Effect.succeed("http://product.example/v1/webhooks")
        })
      ),
      Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, product))
    )
  )
  const sandbox = Context.get(context, Sandbox)
  const { address } = Context.get(context, HttpServer.HttpServer)
  const url = "port" in address ? `http://127.0.0.1:${address.port}` : ""

  const call = (
    method: string,
    path: string,
    { form, headers, json, query, raw, signal, token }: Asked
  ): Effect.Effect<Answered, Error> =>
    Effect.tryPromise({
      try: async () => {
        const response = await fetch(`${url}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`, {
          method,
          // Where a dialog sends people back to is looked at, not gone to.
          redirect: "manual",
          headers: {
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(json === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
          ...(raw === undefined ? {} : { body: raw }),
          ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
          ...(signal === undefined ? {} : { signal })
        })
        const text = await response.text()
        return { status: response.status, headers: response.headers, text, body: parsed(text) }
      },
      catch: (cause) => new Error("no answer", { cause })
    })

  /** A network's path after its version; as the connected account unless a token is given. */
  const ask = (network: Network, method: "GET" | "POST" | "DELETE", path: string, asked: Asked = {}) =>
    call(method, `/${network}/${versions[network]}${path}`, { token: accountOf(network).token, ...asked })

  /** An endpoint of ours, by GET without an input. */
  const control = (name: string, json?: unknown) =>
    call(
      json === undefined ? "GET" : "POST",
      `/sandbox/${name}`,
      json === undefined ? { token: null } : { token: null, json }
    )

  /** All webhooks that were sent, once none is on its way. */
  const told = Effect.map(sandbox.settled, (): ReadonlyArray<unknown> => webhooks)

  return { sandbox, url, call, ask, control, told }
})

/** The code and subcode of Meta's error. */
export const codeOf = ({ body, status }: Answered): string => {
  const subcode = at(body, "error", "error_subcode")
  return `${status} ${String(at(body, "error", "code"))}${subcode === undefined ? "" : `/${String(subcode)}`}`
}

/** Walks a list of Meta's by its cursors until there is no `next`; how many pages, and all elements. */
export const walk = Effect.fnUntraced(function* (
  read: (after: Readonly<Record<string, string>>) => Effect.Effect<Answered, Error>
) {
  const all: Array<unknown> = []
  let after: Readonly<Record<string, string>> = {}
  for (let pages = 1; ; pages++) {
    const { body } = yield* read(after)
    all.push(...listAt(body, "data"))
    if (at(body, "paging", "next") === undefined) return { pages, all }
    after = { after: textAt(body, "paging", "cursors", "after") }
  }
})

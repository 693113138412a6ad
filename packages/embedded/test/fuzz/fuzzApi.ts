import { type Operation, operationsOf } from "../tenancy/operations.ts"
import { adminToken, type World } from "../tenancy/world.ts"
import { mapStrings } from "../tenancy/wire.ts"
import { hostileText, hostileValue, mutate, spoil } from "./hostile.ts"
import { makeRandom, type Random } from "@loopbox/testing/fixtures/seeded"

/** No request may take longer: the slowest of them wait for a network, which the edge ends. */
const longest_ms = 40_000

/** They end the world that is fuzzed, or its time. */
const isSpared = ({ name }: Operation): boolean =>
  /^(DELETE|PATCH) \/v1\/admin\/workspaces\/\{id\}$|test\/clock|api-keys\/\{|^DELETE .*(members|managed-users)\//.test(
    name
  )

/** Answers of 500 and above that are no fault of ours: a network that can't be asked, and an upload by a key that may not. */
const isAllowed = (status: number): boolean => status < 500 || status === 502 || status === 503

interface Shot {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string | undefined
}

const encode = (text: string, random: Random): string => {
  if (random.chance(0.1)) return text.replaceAll(/[/?#\\\s]/g, "_").slice(0, 500)
  // A lone surrogate can't be written in an address.
  return encodeURIComponent(text.toWellFormed()).slice(0, 3_000)
}

const makeShot = (world: World, operation: Operation, random: Random): Shot => {
  const things = random.pick([world.attacker.things.ann, world.attacker.things.bob])
  const isAdmin = operation.path.startsWith("/v1/admin/")
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(0.1)) return encode(hostileText(random), random)
    if (isAdmin && name === "id") return world.attacker.workspace
    const kind = operation.ids.find(({ parameter }) => parameter === name)?.kind
    return kind === undefined ? encode(random.pick(["ann", "bob", things.accounts]), random) : things[kind]
  })
  const query = new URLSearchParams()
  if (operation.query.includes("inbox_scope") && random.chance(0.95)) query.set("inbox_scope", "workspace")
  for (const name of operation.query) {
    if (random.chance(0.15)) query.append(name, hostileText(random).toWellFormed().slice(0, 2_000))
    if (random.chance(0.02)) query.append(name, "again")
  }
  if (random.chance(0.03)) query.append(hostileText(random).toWellFormed().slice(0, 50), "x")
  const headers = new Headers({ authorization: `Bearer ${isAdmin ? adminToken : world.attacker.key}` })
  const header = (name: string, probability: number) => {
    if (random.chance(probability))
      headers.set(name, encodeURIComponent(hostileText(random).toWellFormed()).slice(0, 600))
  }
  for (const name of ["idempotency-key", "x-filename", "x-workspace-id", "range", "if-none-match"]) header(name, 0.05)
  if (operation.method === "GET" || (operation.body === undefined && random.chance(0.8))) {
    return { method: operation.method, path: `${path}?${query.toString()}`, headers, body: undefined }
  }
  const kinds = { acc: things.accounts, med: things.media, itm: things.inbox }
  const filled = mapStrings(operation.body ?? {}, (text) =>
    text.replace(/^(acc|med|itm)_.*/, (_, prefix: keyof typeof kinds) => kinds[prefix])
  )
  let value = filled
  for (let times = random.below(4); times > 0; times--) value = mutate(value, random)
  const text = JSON.stringify(random.chance(0.05) ? hostileValue(random) : value)
  const body = random.chance(0.1) ? spoil(text, random) : text
  headers.set(
    "content-type",
    random.chance(0.95) ? "application/json" : random.pick(["text/plain", "image/gif", "x/y"])
  )
  if (random.chance(0.02)) headers.set("content-encoding", random.pick(["gzip", "br", "zip"]))
  return { method: operation.method, path: `${path}?${query.toString()}`, headers, body }
}

/** What is wrong with an answer, if anything. */
const judge = (status: number, text: string, type: string | null, taken_ms: number): string | undefined => {
  if (!isAllowed(status)) return `status ${status}`
  if (taken_ms > longest_ms) return `${Math.round(taken_ms)} ms`
  // Node's own, of a request whose head is above its limit: nothing of ours has seen it.
  if (status < 400 || status === 431) return undefined
  if (!(type ?? "").startsWith("application/json")) return `an error of type ${type}`
  const { error }: { readonly error?: { readonly code?: unknown; readonly message?: unknown } } = JSON.parse(text)
  return typeof error?.code === "string" && typeof error.message === "string" ? undefined : "an error without code"
}

/** One request; a connection that breaks is an answer of status 599. */
const shoot = async (url: string, { body, headers, method }: Omit<Shot, "path">) => {
  try {
    const response = await fetch(url, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    return {
      status: 599,
      headers: new Headers(),
      text: `${String(error)} ${error instanceof Error ? String(error.cause) : ""}`
    }
  }
}

/** Sends so many requests, one seed each; gives those that were answered wrongly, to be sent again by their seed. */
export const fuzzApi = async (world: World, options: { readonly from: number; readonly count: number }) => {
  const { body: document } = await world.ask({ method: "GET", path: "/openapi.json" })
  const isFuzzed = (path: string) =>
    path.startsWith("/v1/") && path !== "/v1/inbox/ws" && !path.startsWith("/v1/webhooks/")
  const operations = operationsOf(document, isFuzzed).filter((one) => !isSpared(one))
  const statuses: Record<number, number> = {}
  const wrong: Array<string> = []
  let next = options.from
  const lane = async () => {
    while (next < options.from + options.count && wrong.length < 20) {
      const seed = next++
      const random = makeRandom(seed)
      const operation = operations[random.below(operations.length)]
      if (operation === undefined) continue
      const { body, headers, method, path } = makeShot(world, operation, random)
      const begun = performance.now()
      const { headers: answered, status, text } = await shoot(`${world.url}${path}`, { method, headers, body })
      statuses[status] = (statuses[status] ?? 0) + 1
      const fault = judge(status, text, answered.get("content-type"), performance.now() - begun)
      if (fault !== undefined) {
        wrong.push(
          `seed ${seed}: ${fault}: ${method} ${path.slice(0, 300)} ${(body ?? "").slice(0, 500)} → ${text.slice(0, 300)}`
        )
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, lane))
  return { wrong, statuses }
}

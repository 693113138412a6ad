import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { absentOf, type Operation, operationsOf, type Place, placesOf } from "./operations.ts"
import { adminToken, type Kind, makeWorld, type Things, type World } from "./world.ts"
import type { Answer } from "./wire.ts"

let world: World
let operations: ReadonlyArray<Operation> = []
beforeAll(async () => {
  world = await makeWorld()
  operations = operationsOf((await world.ask({ method: "GET", path: "/openapi.json" })).body)
})
afterAll(() => world.close())

/** Somebody who asks for what is not theirs. */
interface Caller {
  readonly name: string
  readonly token: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly scope: Readonly<Record<string, string>>
  /** What they have themselves. */
  readonly own: Things
}

const workspaceScope = { inbox_scope: "workspace" }
const scopeOf = (user: string) => ({ inbox_scope: "managed_user", external_user_id: user })

/** Things that belong to a managed user; the rest is the workspace's, and whoever works for it has it. */
const ofUser: ReadonlyArray<Kind> = [
  "inbox",
  "sync",
  "outbound-operations",
  "x-outbound-operations",
  "threads",
  "notes",
  "sessions",
  "accounts",
  "posts",
  "targets"
]

/** Callers outside of the victim's workspace. */
const strangers = ({ attacker, tokenFor, victim }: World): ReadonlyArray<Caller> => {
  const own = attacker.things.ann
  const owner = { userId: `owner-${attacker.marker}`, workspaceId: attacker.workspace }
  const unknown = victim.key.slice(0, -8) + "00000000"
  return [
    { name: "nobody", token: undefined, scope: workspaceScope, own },
    { name: "a key that never was", token: unknown, scope: workspaceScope, own },
    { name: "the administrator's token", token: adminToken, scope: workspaceScope, own },
    { name: "another workspace's key", token: attacker.key, scope: workspaceScope, own },
    { name: "another workspace's key, for its user of the same name", token: attacker.key, scope: scopeOf("ann"), own },
    { name: "another workspace's owner", token: tokenFor("owner", owner), scope: workspaceScope, own },
    {
      name: "another workspace's owner who names the victim's workspace",
      token: tokenFor("roaming", { userId: owner.userId }),
      headers: { "x-workspace-id": victim.workspace },
      scope: workspaceScope,
      own
    },
    {
      name: "somebody who is no member",
      token: tokenFor("stranger", { userId: "stranger", workspaceId: victim.workspace }),
      scope: workspaceScope,
      own
    },
    {
      name: "a token bound to the other workspace's user of the same name",
      token: tokenFor("bound", { userId: "x", workspaceId: attacker.workspace, externalUserId: "ann" }),
      scope: scopeOf("ann"),
      own
    }
  ]
}

/** Callers inside of it who are confined to another managed user. */
const neighbours = ({ tokenFor, victim }: World): ReadonlyArray<Caller> => {
  const own = victim.things.bob
  return [
    { name: "the workspace's own key in another user's scope", token: victim.key, scope: scopeOf("bob"), own },
    {
      name: "a token bound to another user",
      token: tokenFor("bob", { userId: "x", workspaceId: victim.workspace, externalUserId: "bob" }),
      scope: scopeOf("bob"),
      own
    },
    {
      name: "a token bound to another user who asks for all",
      token: tokenFor("bob", { userId: "x", workspaceId: victim.workspace, externalUserId: "bob" }),
      scope: workspaceScope,
      own
    },
    {
      name: "a token bound to another user who asks for the victim's scope",
      token: tokenFor("bob", { userId: "x", workspaceId: victim.workspace, externalUserId: "bob" }),
      scope: scopeOf("ann"),
      own
    }
  ]
}

/** One request of a caller for an id. */
const send = (caller: Pick<Caller, "token" | "headers" | "scope" | "own">, place: Place, id: string) => {
  const { operation } = place
  const { body, path, query } = place.request(id, caller.own)
  const scope = operation.query.includes("inbox_scope") ? caller.scope : {}
  return world.ask({
    method: operation.method,
    path,
    query: { ...scope, ...query },
    token: caller.token,
    headers: { ...caller.headers, "idempotency-key": `${place.name}-${id}`.replaceAll(/[^!-~]/g, "-") },
    body
  })
}

/** An answer without what differs between any two: the id that was sent, and the request's own. */
const shown = ({ headers, status, text }: Answer, id: string): string =>
  [status, headers.get("content-type"), text.replaceAll(id, "<id>")]
    .join("\n")
    .replaceAll(/req_[a-z0-9]+/g, "<request>")
    .replaceAll(/\b(pst|mpj|ptg|whd|con|syn|op)_[0-9a-z]{26}/g, "$1_<new>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"url":"http[^"]*"/g, "<url>")

const placesOfAll = () => operations.flatMap(placesOf)

/** All that a tenant's lists show, to be compared. */
const snapshot = async () => {
  const { key, things } = world.victim
  const lists = operations.filter(({ ids, method }) => method === "GET" && ids.length === 0)
  const ones = operations.filter(({ ids, method }) => method === "GET" && ids.length > 0)
  const found: Record<string, string> = {}
  for (const one of lists) {
    const answer = await world.ask({
      method: "GET",
      path: one.path,
      query: one.query.includes("inbox_scope") ? workspaceScope : {},
      token: key
    })
    found[one.name] = answer.text
  }
  for (const user of ["ann", "bob"] as const) {
    for (const one of ones) {
      for (const place of placesOf(one).slice(-1)) {
        const answer = await send(
          { token: key, scope: workspaceScope, own: things[user] },
          place,
          things[user][place.kind]
        )
        found[`${one.name} ${user}`] = answer.text
      }
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([name, text]) => [
      name,
      text.replaceAll(/req_[a-z0-9]+|"\w*url":"http[^"]*"|"since":"[^"]*"/g, "")
    ])
  )
}

/**
 * What may be different a moment later, whoever calls: figures of now, and an endpoint at whose address nobody is, to which
 * deliveries are tried again.
 */
const moves = /usage|audit-events|webhook-endpoints/

describe("what belongs to a tenant", () => {
  it("is asked for by every operation, at every place where an id stands", () => {
    assert.isAtLeast(operations.length, 70)
    assert.isAtLeast(placesOfAll().length, 60)
    const unnamed = operations.flatMap(({ name, query }) =>
      query
        .filter(
          (member) => member.endsWith("_id") && !/^(external_user_id|social_account_id|thread_id|post_id)$/.test(member)
        )
        .map((member) => `${name} ?${member}`)
    )
    assert.deepStrictEqual(unnamed, [])
  })

  it("is for strangers as if it were not there, and stays as it is", async () => {
    const before = await snapshot()
    const leaks: Array<string> = []
    for (const caller of strangers(world)) {
      for (const place of placesOfAll()) {
        const foreignId = world.victim.things.ann[place.kind]
        const absentId = absentOf(foreignId)
        const foreign = await send(caller, place, foreignId)
        const absent = await send(caller, place, absentId)
        const where = `${place.name} as ${caller.name}`
        if (shown(foreign, foreignId) !== shown(absent, absentId))
          leaks.push(`${where}: ${shown(foreign, foreignId)} | ${shown(absent, absentId)}`)
        if (foreign.text.includes(world.victim.marker)) leaks.push(`${where} tells of the victim: ${foreign.text}`)
        if (foreign.status >= 500) leaks.push(`${where}: ${foreign.status}`)
      }
    }
    assert.deepStrictEqual(leaks, [])
    const after = await snapshot()
    const changed = Object.keys(before).filter((name) => !moves.test(name) && before[name] !== after[name])
    assert.deepStrictEqual(changed, [])
  })

  it("is in no list of a stranger's", async () => {
    const leaks: Array<string> = []
    for (const caller of strangers(world)) {
      for (const one of operations.filter(({ ids, method }) => method === "GET" && ids.length === 0)) {
        const query = one.query.includes("inbox_scope") ? caller.scope : {}
        const answer = await world.ask({
          method: "GET",
          path: one.path,
          query,
          token: caller.token,
          headers: { ...caller.headers }
        })
        if (answer.text.includes(world.victim.marker)) leaks.push(`${one.name} as ${caller.name}`)
        if (answer.status >= 500) leaks.push(`${one.name} as ${caller.name}: ${answer.status}`)
      }
    }
    assert.deepStrictEqual(leaks, [])
  })

  it("of one managed user is for those of another as if it were not there", async () => {
    const leaks: Array<string> = []
    for (const caller of neighbours(world)) {
      for (const place of placesOfAll().filter(
        ({ kind, operation }) => ofUser.includes(kind) && operation.query.includes("inbox_scope")
      )) {
        const foreignId = world.victim.things.ann[place.kind]
        const absentId = absentOf(foreignId)
        const foreign = await send(caller, place, foreignId)
        const absent = await send(caller, place, absentId)
        const where = `${place.name} as ${caller.name}`
        if (shown(foreign, foreignId) !== shown(absent, absentId))
          leaks.push(`${where}: ${shown(foreign, foreignId)} | ${shown(absent, absentId)}`)
        if (foreign.text.includes("quokka ann")) leaks.push(`${where} tells of the other: ${foreign.text}`)
      }
    }
    assert.deepStrictEqual(leaks, [])
  })

  // Last, for it changes and deletes: without it, a world whose ids are wrong would leak nothing.
  it("is there for its owner", async () => {
    const { key, things } = world.victim
    const rank = ({ operation: { method } }: Place) => ["GET", "POST", "PUT", "PATCH", "DELETE"].indexOf(method)
    const depth = ({ operation: { path } }: Place) => -path.split("/").length
    const unseen: Array<string> = []
    const ordered = placesOfAll()
      // Opened by its link's signature, and by no key.
      .filter(({ operation: { name } }) => name !== "PUT /v1/media/{id}/content")
      .toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b))
    const begun = new Set<string>()
    for (const place of ordered) {
      // What one place of an operation deletes is not there for the next.
      const own = begun.has(place.operation.name) ? things.bob : things.ann
      begun.add(place.operation.name)
      const caller = { token: key, scope: workspaceScope, own }
      const ownId = own[place.kind]
      const absentId = absentOf(ownId)
      const absent = await send(caller, place, absentId)
      const present = await send(caller, place, ownId)
      if (shown(present, ownId) === shown(absent, absentId)) unseen.push(`${place.name}: ${shown(present, ownId)}`)
    }
    assert.deepStrictEqual(unseen, [])
  })
})

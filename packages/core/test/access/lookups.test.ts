import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted, Result } from "effect"
import { Administration } from "../../src/access/Administration.ts"
import { Unauthorized } from "../../src/access/AccessErrors.ts"
import { DashboardIdentity } from "../../src/access/DashboardIdentity.ts"
import { InboxAccess, type InboxRequest } from "../../src/access/InboxAccess.ts"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import { ApiKeys } from "../../src/workspaces/ApiKeys.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import { Members } from "../../src/workspaces/Members.ts"
import { Workspaces } from "../../src/workspaces/Workspaces.ts"
import { away, makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerServices, memory } from "@loopbox/testing/layers/testLayers"

/** Tokens say who they are of, in which workspace, and whom they are bound to. */
const identity = Layer.succeed(DashboardIdentity, {
  verify: (token: Redacted.Redacted<string>) => {
    const [scheme, userId, workspaceId, bound] = Redacted.value(token).split("|")
    if (scheme !== "jwt" || userId === undefined) return Effect.fail(new Unauthorized())
    return Effect.succeed({
      userId,
      workspaceId: Option.fromUndefinedOr(workspaceId),
      externalUserId: Option.fromUndefinedOr(bound)
    })
  },
  issue: Option.none()
})

/** Reads of the stores by name, and the workspaces of which managed users can't be read at the moment. */
const makeCounted = () => {
  const reads: Record<string, number> = {}
  const unreadable = new Set<WorkspaceId>()
  const count = (name: string) => (reads[name] = (reads[name] ?? 0) + 1)
  const layer = InboxAccess.layer.pipe(
    Layer.provideMerge(layerServices),
    Layer.updateService(ManagedUsers, (users) => ({
      ...users,
      find: (workspaceId, id) => {
        count("managed user")
        return users.find(workspaceId, id)
      },
      findSeveral: (workspaceId, ids) => {
        count("managed users")
        return unreadable.has(workspaceId) ? Effect.fail(away()) : users.findSeveral(workspaceId, ids)
      }
    })),
    Layer.updateService(Members, (members) => ({
      ...members,
      findMembership: (workspaceId, id) => {
        count("member")
        return members.findMembership(workspaceId, id)
      },
      findMemberships: (workspaceId, ids) => {
        count("members")
        return members.findMemberships(workspaceId, ids)
      }
    })),
    Layer.updateService(ApiKeys, (keys) => ({
      ...keys,
      findHolder: (id) => {
        count("key")
        return keys.findHolder(id)
      }
    })),
    Layer.updateService(Workspaces, (workspaces) => ({
      ...workspaces,
      find: (id) => {
        count("workspace")
        return workspaces.find(id)
      }
    })),
    Layer.provideMerge(memory),
    Layer.provide(identity)
  )
  return { reads, unreadable, layer }
}

const request = (token: string, rawQuery: string): InboxRequest => ({
  credential: Option.some({ token: Redacted.make(token), workspaceId: Option.none() }),
  rawQuery,
  isExplicit: true
})
const of = (user: string) => `inbox_scope=managed_user&external_user_id=${user}`
const whole = "inbox_scope=workspace"

/** A workspace with a member `ann`, managed users u0 to u29 and a key, and requests of all kinds, right and wrong. */
const makeAsking = Effect.gen(function* () {
  const administration = yield* Administration
  const workspace = yield* makeWorkspace("growth")
  yield* administration.setMember(workspace.id, "ann", "owner")
  const issued = yield* administration.issueKey(workspace.id, {
    name: "k",
    creatorUserId: Option.none(),
    expiresAt: Option.none()
  })
  const text = Redacted.value(issued.text)
  const wrongKey = text.slice(0, -1) + (text.endsWith("x") ? "y" : "x")
  const users = Array.from({ length: 30 }, (_, n) => `u${n}`)
  for (const user of users) yield* (yield* ManagedUsers).put(workspace.id, user, yield* DateTime.now)
  const requests = [
    ...users.map((user) => request(text, of(user))),
    ...users.map((user) => request(`jwt|${user}|${workspace.id}|${user}`, of(user))),
    ...["ann", "kim", "eve"].map((user) => request(`jwt|${user}|${workspace.id}`, whole)),
    request(text, of("nobody")),
    request(wrongKey, whole),
    request("other", whole),
    request(text, "inbox_scope=none")
  ]
  return { workspace, requests }
})

const judgeTogether = (requests: ReadonlyArray<InboxRequest>) =>
  InboxAccess.use(({ enterInboxTogether }) =>
    Effect.forEach(requests, (one) => Effect.result(enterInboxTogether(one)), { concurrency: "unbounded" })
  )

describe("requests that are judged together", () => {
  it.live("read each kind of thing once for a workspace, and are judged as each alone", () => {
    const { layer, reads } = makeCounted()
    return Effect.gen(function* () {
      const one = yield* makeAsking
      const two = yield* makeAsking
      const requests = [...one.requests, ...two.requests]
      const alone = yield* InboxAccess.use(({ enterInbox }) =>
        Effect.forEach(requests, (asked) => Effect.result(enterInbox(asked)))
      )
      for (const name of Object.keys(reads)) reads[name] = 0
      const together = yield* judgeTogether(requests)
      assert.deepStrictEqual(together, alone)
      assert.strictEqual(together.filter(Result.isSuccess).length, 2 * (30 + 30 + 1))
      // Of two workspaces; a key that is wrong is looked for, too.
      assert.deepStrictEqual(reads, {
        member: 0,
        members: 2,
        "managed user": 0,
        "managed users": 2,
        key: 4,
        workspace: 2
      })
    }).pipe(Effect.provide(layer))
  })

  it.live("keep nothing: what has changed holds for the next time", () => {
    const { layer } = makeCounted()
    return Effect.gen(function* () {
      const { requests, workspace } = yield* makeAsking
      yield* judgeTogether(requests)
      const administration = yield* Administration
      yield* (yield* ManagedUsers).erase(workspace.id, "u3", Option.none())
      yield* administration.removeMember(workspace.id, "ann")
      const verdicts = yield* judgeTogether([requests[3], requests[60]].filter((asked) => asked !== undefined))
      const refusals = verdicts.map((verdict) => (Result.isFailure(verdict) ? verdict.failure._tag : "let in"))
      assert.deepStrictEqual(refusals, ["ManagedUserNotFound", "InsufficientRole"])
    }).pipe(Effect.provide(layer))
  })

  it.live("that can't be read say so, and those of another workspace are judged", () => {
    const { layer, unreadable } = makeCounted()
    return Effect.gen(function* () {
      const [one, two] = [yield* makeAsking, yield* makeAsking]
      unreadable.add(one.workspace.id)
      const verdicts = yield* judgeTogether([...one.requests.slice(0, 30), ...two.requests.slice(0, 30)])
      assert.deepStrictEqual(
        verdicts.map((verdict) => (Result.isFailure(verdict) ? verdict.failure._tag : "let in")),
        [...Array.from({ length: 30 }, () => "ScopeLookupFailed"), ...Array.from({ length: 30 }, () => "let in")]
      )
    }).pipe(Effect.provide(layer))
  })

  it.live("ask the customer's identity provider for a few at once, not for all", () => {
    let [now, most] = [0, 0]
    const slowly = Layer.succeed(DashboardIdentity, {
      verify: () =>
        Effect.suspend(() => {
          most = Math.max(most, ++now)
          return Effect.delay(Effect.fail(new Unauthorized()), "5 millis")
        }).pipe(Effect.ensuring(Effect.sync(() => now--))),
      issue: Option.none()
    })
    return Effect.gen(function* () {
      const verdicts = yield* judgeTogether(Array.from({ length: 100 }, (_, n) => request(`token ${n}`, whole)))
      assert.isTrue(verdicts.every(Result.isFailure))
      assert.isAbove(most, 1)
      assert.isAtMost(most, 16)
    }).pipe(
      Effect.provide(
        InboxAccess.layer.pipe(Layer.provideMerge(layerServices), Layer.provideMerge(memory), Layer.provide(slowly))
      )
    )
  })
})

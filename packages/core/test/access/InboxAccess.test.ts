import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Access } from "../../src/access/Access.ts"
import { IdentityUnavailable, Unauthorized } from "../../src/access/AccessErrors.ts"
import { Administration } from "../../src/access/Administration.ts"
import { DashboardIdentity } from "../../src/access/DashboardIdentity.ts"
import { InboxAccess, type InboxRefused, requireKey } from "../../src/access/InboxAccess.ts"
import { InboxPlans } from "../../src/access/InboxPlans.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import type { Role } from "../../src/workspaces/Role.ts"
import type { Source } from "../../src/networks/Source.ts"
import type { Plan } from "../../src/workspaces/Plan.ts"
import { away, makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerServices, memory } from "@loopbox/testing/layers/testLayers"

/** Tokens say who they are of, in which workspace, and whom they are bound to; `down` is a provider that can't be asked. */
const identity = Layer.succeed(DashboardIdentity, {
  verify: (token: Redacted.Redacted<string>) => {
    const [scheme, userId, workspaceId, bound] = Redacted.value(token).split("|")
    if (scheme === "down") return Effect.fail(new IdentityUnavailable({ cause: "as scripted" }))
    if (scheme !== "jwt" || userId === undefined) return Effect.fail(new Unauthorized())
    return Effect.succeed({
      userId,
      workspaceId: Option.filter(Option.fromUndefinedOr(workspaceId), (id) => id !== ""),
      externalUserId: Option.fromUndefinedOr(bound)
    })
  },
  issue: Option.none()
})

const layerTest = InboxAccess.layer.pipe(
  Layer.provideMerge(layerServices),
  Layer.provideMerge(memory),
  Layer.provide(identity)
)

const none: Option.Option<string> = Option.none()

interface Ask {
  readonly token?: string | Redacted.Redacted<string>
  readonly workspaceId?: string
  readonly query?: string
  readonly isExplicit?: boolean
}

const enter = ({ isExplicit = false, query = "", token, workspaceId }: Ask) =>
  InboxAccess.use((access) =>
    access.enterInbox({
      credential: Option.map(Option.fromUndefinedOr(token), (given) => ({
        token: typeof given === "string" ? Redacted.make(given) : given,
        workspaceId: Option.fromUndefinedOr(workspaceId)
      })),
      rawQuery: query,
      isExplicit
    })
  )

const textOf = (error: InboxRefused) => (error._tag === "ScopeInvalid" ? error.reason : error._tag)

/** What a request is answered: the scope, or the refusal. */
const answer = (ask: Ask) =>
  enter(ask).pipe(
    Effect.map(({ scope }) => (scope._tag === "WorkspaceScope" ? "workspace" : `user ${scope.externalUserId}`)),
    Effect.catch((error) => Effect.succeed(textOf(error)))
  )

/** A workspace with a managed user `u1` and keys of several kinds. */
const makeCallers = Effect.fnUntraced(function* (plan: Plan = "growth", role: Role = "owner") {
  const administration = yield* Administration
  const workspace = yield* makeWorkspace(plan)
  yield* administration.setMember(workspace.id, "ann", role)
  const issue = (creatorUserId: Option.Option<string>) =>
    Effect.map(
      administration.issueKey(workspace.id, { name: "k", creatorUserId, expiresAt: Option.none() }),
      ({ text }) => text
    )
  yield* (yield* ManagedUsers).put(workspace.id, "u1", yield* DateTime.now)
  return {
    workspace,
    key: yield* issue(Option.some("ann")),
    orphan: yield* issue(Option.none()),
    jwt: `jwt|ann|${workspace.id}`
  }
})

const u1 = "inbox_scope=managed_user&external_user_id=u1"
const whole = "inbox_scope=workspace"

describe("an inbox request (api.md §2, rows 1–3)", () => {
  it.effect("is let in with its scope and the plan's sources", () =>
    Effect.gen(function* () {
      const { jwt, key, orphan } = yield* makeCallers()
      assert.strictEqual(yield* answer({ token: key, query: whole }), "workspace")
      assert.strictEqual(yield* answer({ token: key, query: u1 }), "user u1")
      assert.strictEqual(yield* answer({ token: orphan, query: u1 }), "user u1")
      assert.strictEqual(yield* answer({ token: jwt }), "workspace")
      assert.strictEqual(yield* answer({ token: jwt, query: u1 }), "user u1")
      assert.strictEqual(yield* answer({ token: jwt, query: whole, isExplicit: true }), "workspace")
      assert.strictEqual((yield* enter({ token: key, query: whole })).sources.size, 6)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect.each([
    ["inbox_scope=%zz", "malformed_query"],
    [`${u1}&x=%ff`, "malformed_query"],
    [`${u1}&%4=1`, "malformed_query"],
    [`${whole}&external_user_id=%E0%A4`, "malformed_query"],
    ["", "ScopeRequired"],
    ["external_user_id=u1&external_user_id=u2", "ScopeRequired"],
    [`${whole}&${whole}`, "duplicate_parameter"],
    [`${whole}&inbox_scop%65=x`, "duplicate_parameter"],
    [`${u1}&external_user_id=u1`, "duplicate_parameter"],
    ["inbox_scope=", "unknown_scope"],
    ["inbox_scope=Workspace", "unknown_scope"],
    ["inbox_scope=all&external_user_id=", "unknown_scope"],
    [`${whole}&external_user_id=u1`, "external_user_id_not_allowed"],
    [`${whole}&external_user_id=`, "external_user_id_not_allowed"],
    ["inbox_scope=managed_user", "external_user_id_required"],
    ["inbox_scope=managed_user&external_user_id=%20+", "external_user_id_required"],
    [`inbox_scope=managed_user&external_user_id=${"x".repeat(257)}`, "external_user_id_invalid"],
    [`inbox_scope=managed_user&external_user_id=${"%F0%9F%98%80".repeat(256)}`, "ManagedUserNotFound"],
    ["inbox_scope=managed_user&external_user_id=U1", "ManagedUserNotFound"],
    ["inbox_scope=managed_user&external_user_id=u1%20", "ManagedUserNotFound"],
    ["inbox_scope=managed_user&external_user_id=%75%31", "user u1"]
  ] as const)("of a key is answered by its first fault: %s", ([query, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* answer({ token: (yield* makeCallers()).key, query }), expected)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("of a token that is bound to a managed user has that scope and no other, member or not", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeCallers()
      yield* (yield* ManagedUsers).put(workspace.id, "u2", yield* DateTime.now)
      for (const user of ["stranger", "ann"]) {
        const token = `jwt|${user}|${workspace.id}|u1`
        assert.strictEqual(yield* answer({ token, query: u1 }), "user u1")
        assert.strictEqual(yield* answer({ token, query: u1, isExplicit: true }), "user u1")
        assert.strictEqual(yield* answer({ token }), "user u1")
        assert.strictEqual(yield* answer({ token, query: "inbox_scope=managed_user" }), "user u1")
        assert.strictEqual(yield* answer({ token, isExplicit: true }), "ScopeRequired")
        assert.strictEqual(yield* answer({ token, query: whole }), "InsufficientRole")
        // Those who are there and those who are not are refused alike.
        for (const other of ["u2", "nobody", ""]) {
          const query = `inbox_scope=managed_user&external_user_id=${other}`
          assert.strictEqual(yield* answer({ token, query }), "InsufficientRole", other)
        }
        assert.strictEqual(yield* answer({ token, workspaceId: workspace.id, query: u1 }), "user u1")
        assert.strictEqual(yield* answer({ token, workspaceId: "ws_other", query: u1 }), "Unauthorized")
      }
      const gone = `jwt|stranger|${workspace.id}|u3`
      assert.strictEqual(yield* answer({ token: gone }), "ManagedUserNotFound")
      // Its workspace stands in the token, or it is none.
      assert.strictEqual(yield* answer({ token: "jwt|ann||u1", workspaceId: workspace.id, query: u1 }), "Unauthorized")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("needs an owner or admin as the key's creator for the workspace, and no creator for a managed user", () =>
    Effect.gen(function* () {
      const { key, orphan } = yield* makeCallers("growth", "editor")
      assert.strictEqual(yield* answer({ token: orphan, query: whole }), "KeyCreatorRequired")
      assert.strictEqual(yield* answer({ token: key, query: whole }), "InsufficientRole")
      assert.strictEqual(yield* answer({ token: key, query: u1 }), "user u1")
      assert.strictEqual(
        yield* answer({ token: orphan, query: `${whole}&external_user_id=u1` }),
        "external_user_id_not_allowed"
      )
    }).pipe(Effect.provide(layerTest))
  )

  it.effect(
    "of a dashboard user below admin, or of no member, is refused after the scope's form and before its user",
    () =>
      Effect.gen(function* () {
        const { jwt, workspace } = yield* makeCallers("growth", "editor")
        const stranger = `jwt|eve|${workspace.id}`
        for (const token of [jwt, stranger, "jwt|ann|ws_none"]) {
          assert.strictEqual(yield* answer({ token }), "InsufficientRole")
          assert.strictEqual(yield* answer({ token, query: "inbox_scope=all" }), "unknown_scope")
          assert.strictEqual(yield* answer({ token, query: `${whole}&external_user_id=` }), "InsufficientRole")
          assert.strictEqual(yield* answer({ token, query: "inbox_scope=managed_user" }), "InsufficientRole")
          assert.strictEqual(yield* answer({ token, isExplicit: true }), "ScopeRequired")
        }
      }).pipe(Effect.provide(layerTest))
  )

  it.effect("may be left out by a dashboard user of the role that is asked for", () =>
    Effect.gen(function* () {
      const access = yield* InboxAccess
      const enterAs = Effect.fnUntraced(function* (role: "viewer" | "editor" | "owner", least?: "editor") {
        const { jwt, workspace } = yield* makeCallers("growth", role)
        const caller = yield* access.identify({
          token: typeof jwt === "string" ? Redacted.make(jwt) : jwt,
          workspaceId: Option.some(workspace.id)
        })
        return (yield* Effect.result(access.enterOptionalScope(caller, "", least)))._tag
      })
      assert.deepStrictEqual([yield* enterAs("editor"), yield* enterAs("owner")], ["Failure", "Success"])
      assert.deepStrictEqual(
        [yield* enterAs("viewer", "editor"), yield* enterAs("editor", "editor"), yield* enterAs("owner", "editor")],
        ["Failure", "Success", "Success"]
      )
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("of a dashboard user that names a user but no scope is of the workspace, which takes none", () =>
    Effect.gen(function* () {
      const { jwt } = yield* makeCallers()
      assert.strictEqual(yield* answer({ token: jwt, query: "external_user_id=u1" }), "external_user_id_not_allowed")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is of the workspace that token or request names, and of none when they differ", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeCallers()
      const { id } = workspace
      assert.strictEqual(yield* answer({ token: "jwt|ann", workspaceId: id }), "workspace")
      assert.strictEqual(yield* answer({ token: `jwt|ann|${id}`, workspaceId: id }), "workspace")
      assert.strictEqual(yield* answer({ token: `jwt|ann|${id}`, workspaceId: "ws_other" }), "Unauthorized")
      assert.strictEqual(yield* answer({ token: "jwt|ann" }), "Unauthorized")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("without a credential that holds is refused before anything else", () =>
    Effect.gen(function* () {
      yield* makeCallers()
      const query = "inbox_scope=%zz"
      for (const ask of [{}, { token: "" }, { token: "lbx_live_x" }, { token: "nonsense" }]) {
        assert.strictEqual(yield* answer({ ...ask, query }), "Unauthorized")
      }
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("meets the plan gate last: no inbox on Free and API", () =>
    Effect.gen(function* () {
      for (const plan of ["free", "api"] as const) {
        const { key } = yield* makeCallers(plan)
        const error = yield* Effect.flip(enter({ token: key, query: whole }))
        assert.isTrue(error._tag === "PlanFeatureNotAvailable" && Option.contains(error.requiredPlan, "basic"))
        assert.strictEqual(yield* answer({ token: key }), "ScopeRequired")
        const unknown = "inbox_scope=managed_user&external_user_id=u2&source=x_reply"
        assert.strictEqual(yield* answer({ token: key, query: unknown }), "ManagedUserNotFound")
      }
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("for one source is judged by the plan's own table, and only if the source is known and named once", () =>
    Effect.gen(function* () {
      const { key } = yield* makeCallers("basic")
      assert.strictEqual(yield* answer({ token: key, query: `${whole}&source=x_reply` }), "PlanFeatureNotAvailable")
      for (const rest of ["source=ig_dm", "source=mail", "source=x_reply&source=x_reply", "source="]) {
        assert.strictEqual(yield* answer({ token: key, query: `${whole}&${rest}` }), "workspace")
      }
      assert.deepStrictEqual(Array.from((yield* enter({ token: key, query: whole })).sources), ["ig_dm"])
    }).pipe(
      Effect.provide(layerTest),
      Effect.provideService(InboxPlans, {
        free: new Set<Source>(),
        api: new Set<Source>(),
        basic: new Set<Source>(["ig_dm"]),
        growth: new Set<Source>(["ig_dm", "x_reply"]),
        team: new Set<Source>(),
        enterprise: new Set<Source>()
      })
    )
  )

  it.effect("that can't be checked now says so, whichever read failed", () =>
    Effect.gen(function* () {
      const { key } = yield* makeCallers()
      assert.strictEqual(yield* answer({ token: "down" }), "ScopeLookupFailed")
      assert.strictEqual(yield* answer({ token: key, query: u1 }), "ScopeLookupFailed")
      assert.strictEqual(yield* answer({ token: key, query: whole }), "workspace")
    }).pipe(
      Effect.provide(
        InboxAccess.layer.pipe(
          Layer.updateService(ManagedUsers, (users) => ManagedUsers.of({ ...users, find: () => Effect.fail(away()) })),
          Layer.provideMerge(layerServices),
          Layer.provideMerge(memory),
          Layer.provide(identity)
        )
      )
    )
  )

  it.effect("is judged anew each time: a role, a key or a plan that changes holds for the next one", () =>
    Effect.gen(function* () {
      const { jwt, key, workspace } = yield* makeCallers()
      const administration = yield* Administration
      yield* administration.setMember(workspace.id, "ann", "viewer")
      assert.strictEqual(yield* answer({ token: jwt }), "InsufficientRole")
      assert.strictEqual(yield* answer({ token: key, query: whole }), "InsufficientRole")
      yield* administration.setMember(workspace.id, "ann", "admin")
      yield* administration.updateWorkspace(workspace.id, { plan: "api" })
      assert.strictEqual(yield* answer({ token: jwt }), "PlanFeatureNotAvailable")
      yield* administration.removeMember(workspace.id, "ann")
      assert.strictEqual(yield* answer({ token: key, query: u1 }), "Unauthorized")
      assert.strictEqual(yield* answer({ token: jwt }), "InsufficientRole")
    }).pipe(Effect.provide(layerTest))
  )
})

describe("what is for keys only (§5.7)", () => {
  it.effect("takes a key and refuses a dashboard user", () =>
    Effect.gen(function* () {
      const { jwt, key } = yield* makeCallers()
      const access = yield* InboxAccess
      const user = yield* access.identify({ token: Redacted.make(jwt), workspaceId: none })
      assert.strictEqual((yield* Effect.flip(requireKey(user)))._tag, "ApiKeyRequired")
      const caller = yield* access.identify({ token: key, workspaceId: none })
      assert.deepStrictEqual(yield* requireKey(caller), yield* (yield* Access).authenticate(key))
    }).pipe(Effect.provide(layerTest))
  )
})

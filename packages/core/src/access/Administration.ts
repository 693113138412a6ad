import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Digest, sha256 } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { Connectors } from "../networks/Connectors.ts"
import { ApiKeyId, nextApiKeyId, nextWorkspaceId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { BlobStore } from "../media/BlobStore.ts"
import type { Plan } from "../workspaces/Plan.ts"
import { type LimitOverrides, Workspace } from "../workspaces/Workspace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import {
  ApiKeyNotFound,
  CreatorNotMember,
  LimitsNeedEnterprise,
  MemberNotFound,
  WorkspaceNotFound
} from "./AccessErrors.ts"
import { ApiKey } from "../workspaces/ApiKey.ts"
import { ApiKeys } from "../workspaces/ApiKeys.ts"
import { type KeyMode, toKeyText } from "../workspaces/keyText.ts"
import { type Member, type MemberPage, type MemberPageRequest, Members } from "../workspaces/Members.ts"
import type { Role } from "../workspaces/Role.ts"

export interface NewWorkspace {
  readonly name: string
  readonly plan: Plan
  readonly limits: LimitOverrides
}

/** What to change. `limits` is merged: an absent member stays unchanged, `null` clears it. */
export interface WorkspaceChange {
  readonly name?: string | undefined
  readonly plan?: Plan | undefined
  readonly limits?:
    | {
        readonly activeJobs?: number | null | undefined
        readonly conversionsPer24Hours?: number | null | undefined
      }
    | undefined
}

export interface NewApiKey {
  readonly name: string
  readonly creatorUserId: Option.Option<string>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** The text of the key exists only here; it is never stored. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: Redacted.Redacted<string>
}

type Unknown = WorkspaceNotFound | StoreUnavailable

/** Driving service: workspaces, members and API keys. It does not authorise: the caller is the administrator. */
export class Administration extends Context.Service<
  Administration,
  {
    readonly createWorkspace: (
      workspace: NewWorkspace
    ) => Effect.Effect<Workspace, LimitsNeedEnterprise | StoreUnavailable>
    readonly findWorkspace: (id: string) => Effect.Effect<Workspace, Unknown>
    readonly listWorkspaces: (page: PageRequest) => Effect.Effect<Page<Workspace>, StoreUnavailable>
    /** Leaving the enterprise plan clears the contract's limits. */
    readonly updateWorkspace: (
      id: string,
      change: WorkspaceChange
    ) => Effect.Effect<Workspace, LimitsNeedEnterprise | Unknown>
    /** Erases all data of a workspace, including bytes. May be repeated after a failure. */
    readonly eraseWorkspace: (id: string) => Effect.Effect<void, Unknown>
    readonly setMember: (
      workspaceId: string,
      userId: string,
      role: Role
    ) => Effect.Effect<"created" | "changed", Unknown>
    readonly findMember: (workspaceId: string, userId: string) => Effect.Effect<Member, MemberNotFound | Unknown>
    /** Sorted by user id. */
    readonly listMembers: (workspaceId: string, page: MemberPageRequest) => Effect.Effect<MemberPage, Unknown>
    readonly removeMember: (workspaceId: string, userId: string) => Effect.Effect<void, MemberNotFound | Unknown>
    readonly issueKey: (workspaceId: string, key: NewApiKey) => Effect.Effect<IssuedKey, CreatorNotMember | Unknown>
    readonly findKey: (workspaceId: string, id: string) => Effect.Effect<ApiKey, ApiKeyNotFound | Unknown>
    readonly listKeys: (workspaceId: string, page: PageRequest) => Effect.Effect<Page<ApiKey>, Unknown>
    readonly revokeKey: (workspaceId: string, id: string) => Effect.Effect<void, ApiKeyNotFound | Unknown>
  }
>()("@loopbox/core/access/Administration") {
  static readonly layer = (options: {
    readonly keyMode: KeyMode
  }): Layer.Layer<
    Administration,
    never,
    Workspaces | Members | ApiKeys | BlobStore | Digest | Connectors | SecureRandom
  > => Layer.effect(Administration, make(options))
}

const make = Effect.fnUntraced(function* ({ keyMode }: { readonly keyMode: KeyMode }) {
  const workspaces = yield* Workspaces
  const members = yield* Members
  const keys = yield* ApiKeys
  const blobs = yield* BlobStore
  const { redact } = yield* Connectors
  const digest = yield* Digest
  const random = yield* SecureRandom

  const createWorkspace = Effect.fn("Administration.createWorkspace")(function* (request: NewWorkspace) {
    yield* Effect.fromResult(judgeLimits(request))
    const workspace = new Workspace({ ...request, id: yield* nextWorkspaceId(random), createdAt: yield* DateTime.now })
    yield* workspaces.insert(workspace)
    return workspace
  })

  const known = Effect.fnUntraced(function* (id: string) {
    const workspace = isWorkspaceId(id) ? yield* workspaces.find(id) : Option.none<Workspace>()
    if (Option.isNone(workspace)) return yield* new WorkspaceNotFound({ workspaceId: id })
    return workspace.value
  })

  const updateWorkspace = Effect.fn("Administration.updateWorkspace")(function* (id: string, change: WorkspaceChange) {
    const changed = isWorkspaceId(id)
      ? yield* workspaces.update(id, (workspace) => applyChange(workspace, change))
      : Option.none<Workspace>()
    if (Option.isNone(changed)) return yield* new WorkspaceNotFound({ workspaceId: id })
    return changed.value
  })

  const eraseWorkspace = Effect.fn("Administration.eraseWorkspace")(function* (id: string) {
    if (!isWorkspaceId(id)) return yield* new WorkspaceNotFound({ workspaceId: id })
    const wasThere = yield* workspaces.erase(id, redact)
    // Also if the row was already gone: an earlier call may have failed between the two steps.
    yield* blobs.removeAll(id)
    if (!wasThere) return yield* new WorkspaceNotFound({ workspaceId: id })
  })

  const setMember = Effect.fn("Administration.setMember")(function* (workspaceId: string, userId: string, role: Role) {
    const outcome = isWorkspaceId(workspaceId) ? yield* members.set(workspaceId, userId, role) : "absent"
    if (outcome === "absent") return yield* new WorkspaceNotFound({ workspaceId })
    return outcome
  })

  const findMember = Effect.fn("Administration.findMember")(function* (workspaceId: string, userId: string) {
    const workspace = yield* known(workspaceId)
    const found = yield* members.findMembership(workspace.id, userId)
    if (Option.isNone(found)) return yield* new MemberNotFound({ workspaceId: workspace.id, userId })
    return { userId, role: found.value.role }
  })

  const listMembers = Effect.fn("Administration.listMembers")(function* (workspaceId: string, page: MemberPageRequest) {
    const workspace = yield* known(workspaceId)
    return yield* members.list(workspace.id, page)
  })

  const removeMember = Effect.fn("Administration.removeMember")(function* (workspaceId: string, userId: string) {
    const workspace = yield* known(workspaceId)
    const wasMember = yield* members.remove(workspace.id, userId)
    if (!wasMember) return yield* new MemberNotFound({ workspaceId: workspace.id, userId })
  })

  const issueKey = Effect.fn("Administration.issueKey")(function* (workspaceId: string, request: NewApiKey) {
    const workspace = yield* known(workspaceId)
    const id = yield* nextApiKeyId(random)
    const text = toKeyText(keyMode, id, yield* random.randomBytes(32))
    const key = new ApiKey({
      ...request,
      id,
      workspaceId: workspace.id,
      secretHash: yield* digest.digestHex(sha256, new TextEncoder().encode(Redacted.value(text))),
      createdAt: yield* DateTime.now,
      lastUsedAt: Option.none()
    })
    const added = yield* keys.insert(key)
    if (!added) {
      return yield* Option.match(request.creatorUserId, {
        onNone: () => Effect.fail(new WorkspaceNotFound({ workspaceId })),
        onSome: (userId) => Effect.fail(new CreatorNotMember({ userId }))
      })
    }
    return { key, text }
  })

  const listKeys = Effect.fn("Administration.listKeys")(function* (workspaceId: string, page: PageRequest) {
    const workspace = yield* known(workspaceId)
    return yield* keys.list(workspace.id, page)
  })

  const findKey = Effect.fn("Administration.findKey")(function* (workspaceId: string, id: string) {
    const workspace = yield* known(workspaceId)
    const found = isApiKeyId(id) ? yield* keys.findHolder(id) : Option.none()
    return yield* Option.match(
      Option.filter(found, ({ key }) => key.workspaceId === workspace.id),
      {
        onNone: () => Effect.fail(new ApiKeyNotFound({ workspaceId: workspace.id, apiKeyId: id })),
        onSome: ({ key }) => Effect.succeed(key)
      }
    )
  })

  const revokeKey = Effect.fn("Administration.revokeKey")(function* (workspaceId: string, id: string) {
    const workspace = yield* known(workspaceId)
    const wasThere = isApiKeyId(id) && (yield* keys.revoke(workspace.id, id))
    if (!wasThere) return yield* new ApiKeyNotFound({ workspaceId: workspace.id, apiKeyId: id })
  })

  return Administration.of({
    createWorkspace,
    findWorkspace: Effect.fn("Administration.findWorkspace")(known),
    listWorkspaces: workspaces.list,
    updateWorkspace,
    eraseWorkspace,
    setMember,
    findMember,
    listMembers,
    removeMember,
    issueKey,
    findKey,
    listKeys,
    revokeKey
  })
})

const isWorkspaceId = Schema.is(WorkspaceId)
const isApiKeyId = Schema.is(ApiKeyId)

/** Only an enterprise contract has limits of its own. */
export const judgeLimits = ({
  limits,
  plan
}: Pick<Workspace, "limits" | "plan">): Result.Result<void, LimitsNeedEnterprise> =>
  plan !== "enterprise" && (Option.isSome(limits.activeJobs) || Option.isSome(limits.conversionsPer24Hours))
    ? Result.fail(new LimitsNeedEnterprise())
    : Result.succeed(undefined)

const merged = (now: Option.Option<number>, change: number | null | undefined): Option.Option<number> =>
  change === undefined ? now : Option.fromNullOr(change)

const applyChange = Effect.fnUntraced(function* (workspace: Workspace, change: WorkspaceChange) {
  const plan = change.plan ?? workspace.plan
  // The old contract's limits end with the enterprise plan. Limits in the request are judged, not dropped.
  const kept = plan === "enterprise" ? workspace.limits : noLimits
  const limits = {
    activeJobs: merged(kept.activeJobs, change.limits?.activeJobs),
    conversionsPer24Hours: merged(kept.conversionsPer24Hours, change.limits?.conversionsPer24Hours)
  }
  yield* Effect.fromResult(judgeLimits({ plan, limits }))
  return new Workspace({ ...workspace, name: change.name ?? workspace.name, plan, limits })
})

/** The limits of a workspace without a contract. */
export const noLimits: LimitOverrides = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }

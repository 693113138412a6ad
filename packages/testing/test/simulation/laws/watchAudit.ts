import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Equal, Layer, Option, Result } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { CurrentActor } from "@loopbox/core/audit/Actor"
import type { AuditAction, AuditEvent } from "@loopbox/core/audit/AuditEvent"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"

type State = MemoryState["Service"]

/** What every change that is audited promises: its call leaves a line that names what was changed. */
export class AuditLaw extends Context.Service<AuditLaw, { readonly violations: Array<string> }>()("AuditLaw") {
  static readonly layer: Layer.Layer<AuditLaw> = Layer.sync(AuditLaw, () => ({ violations: [] }))
}

/** What must hold at every moment, whatever is under way. */
export const checkAudit = Effect.gen(function* () {
  const { violations } = yield* AuditLaw
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
  const { kept } = (yield* MemoryState).inbox.audit
  const now = yield* DateTime.now
  for (const { createdAt, id } of kept.slice(-20))
    assert.isFalse(DateTime.isGreaterThan(createdAt, now), `${id} tells of a time to come`)
})

type Line = Pick<AuditEvent, "action" | "target" | "workspaceId">

/** Runs a call; where its answer says that something was changed, a line of its workspace must have been written meanwhile. */
const makeWatch =
  ({ inbox }: State, { violations }: AuditLaw["Service"]) =>
  <A, E>(
    workspaceId: WorkspaceId,
    call: Effect.Effect<A, E>,
    what: (answer: A) => string | undefined,
    isIt: (line: Line) => boolean
  ) =>
    Effect.gen(function* () {
      const [actor, now] = [yield* CurrentActor, yield* DateTime.now]
      const before = inbox.audit.kept.length
      return yield* Effect.tap(call, (answer) =>
        Effect.sync(() => {
          const changed = what(answer)
          if (changed === undefined) return
          const lines = inbox.audit.kept.slice(before).filter(isIt)
          // Others may have changed the same meanwhile, who are told, too.
          const isSigned = ({ actor: { id, type }, requestId }: AuditEvent) =>
            type === actor.type && Equal.equals(id, actor.id) && Equal.equals(requestId, actor.requestId)
          if (lines.length > 0 && !lines.some(isSigned))
            violations.push(`the audit tells that another did it: ${changed}`)
          if (lines.some(({ createdAt }) => DateTime.isLessThan(createdAt, now)))
            violations.push(`the audit tells of before that ${changed}`)
          if (lines.length === 0) violations.push(`no line of the audit tells that ${changed}`)
          else if (!lines.some((line) => line.workspaceId === workspaceId))
            violations.push(`another workspace's audit tells that ${changed}`)
        })
      )
    })

type Watch = ReturnType<typeof makeWatch>

const watchItems = (right: IngestStore["Service"], watch: Watch) =>
  IngestStore.of({
    ...right,
    ingest: (unit) => {
      const { audit } = unit
      if (audit === undefined) return right.ingest(unit)
      const what = ({ events }: { readonly events: number }) =>
        events === 0 ? undefined : `${audit.targetId} was changed (${audit.action})`
      return watch(
        unit.workspaceId,
        right.ingest(unit),
        what,
        (line) => line.action === audit.action && line.target.id === audit.targetId
      )
    }
  })

const watchPosts = (right: PostStore["Service"], watch: Watch, { inbox: { posts } }: State) =>
  PostStore.of({
    ...right,
    submit: (name, decide) =>
      Effect.suspend(() => {
        const before = new Set(posts.keys())
        return watch(
          name.workspaceId,
          right.submit(name, decide),
          ({ post: { id } }) => (before.has(id) ? undefined : `${id} was made`),
          ({ action }) => action === "post.created"
        )
      }),
    change: (scope, id, decide) =>
      Effect.suspend(() => {
        let isChanged = false
        const noting: typeof decide = (kept) => {
          const decided = decide(kept)
          isChanged = Result.isSuccess(decided) && decided.success._tag !== "Keep"
          return decided
        }
        return watch(
          scope.workspaceId,
          right.change(scope, id, noting),
          () => (isChanged ? `${id} was changed` : undefined),
          ({ target }) => target.id === id
        )
      })
  })

const watchEndpoints = (right: OutgoingEndpointStore["Service"], watch: Watch, { inbox: { outgoing } }: State) => {
  const done = <E>(workspaceId: WorkspaceId, call: Effect.Effect<boolean, E>, id: string, action: AuditAction) =>
    watch(
      workspaceId,
      call,
      (isDone) => (isDone ? `${id}: ${action}` : undefined),
      (line) => line.action === action && line.target.id === id
    )
  return OutgoingEndpointStore.of({
    ...right,
    create: (endpoint, ...of) =>
      done(endpoint.workspaceId, right.create(endpoint, ...of), endpoint.id, "webhook_endpoint.created"),
    remove: (workspaceId, id) => done(workspaceId, right.remove(workspaceId, id), id, "webhook_endpoint.deleted"),
    rotate: (workspaceId, id, ...of) =>
      done(workspaceId, right.rotate(workspaceId, id, ...of), id, "webhook_endpoint.secret_rotated"),
    update: (workspaceId, id, ...of) =>
      Effect.suspend(() => {
        const before = outgoing.endpoints.get(id)?.endpoint
        return watch(
          workspaceId,
          right.update(workspaceId, id, ...of),
          (now) => (Option.isNone(now) || Equal.equals(now.value, before) ? undefined : `${id} was changed`),
          ({ target }) => target.id === id
        )
      })
  })
}

const watchUsers = (right: ManagedUsers["Service"], watch: Watch) =>
  ManagedUsers.of({
    ...right,
    put: (workspaceId, user, at) =>
      watch(
        workspaceId,
        right.put(workspaceId, user, at),
        (answer) => (answer === "created" ? `${user} was made` : undefined),
        ({ action }) => action === "managed_user.created"
      ),
    erase: (workspaceId, ...of) =>
      watch(
        workspaceId,
        right.erase(workspaceId, ...of),
        (isErased) => (isErased ? "a user was erased" : undefined),
        ({ action }) => action === "managed_user.erased"
      )
  })

const watchWorkspaces = (right: Workspaces["Service"], watch: Watch) =>
  Workspaces.of({
    ...right,
    update: (id, decide) =>
      watch(
        id,
        right.update(id, decide),
        (answer) => (Option.isSome(answer) ? `${id} was changed` : undefined),
        ({ action, target }) => action === "workspace.updated" && target.id === id
      )
  })

const watchKeys = (right: ApiKeys["Service"], watch: Watch) =>
  ApiKeys.of({
    ...right,
    insert: (key) =>
      watch(
        key.workspaceId,
        right.insert(key),
        (isMade) => (isMade ? `${key.id} was made` : undefined),
        ({ action, target }) => action === "api_key.created" && target.id === key.id
      ),
    revoke: (workspaceId, id) =>
      watch(
        workspaceId,
        right.revoke(workspaceId, id),
        (wasThere) => (wasThere ? `${id} was revoked` : undefined),
        ({ action, target }) => action === "api_key.revoked" && target.id === id
      )
  })

const watchCredentials = (right: AccountCredentials["Service"], watch: Watch, { inbox: { accounts } }: State) =>
  AccountCredentials.of({
    ...right,
    drop: (of, ...before) =>
      Effect.suspend(() => {
        const statusOf = () => accounts.get(of.accountId)?.account.status
        const was = statusOf()
        return watch(
          of.workspaceId,
          right.drop(of, ...before),
          () => (statusOf() === was ? undefined : `${of.accountId} has lost its access`),
          ({ action, target }) => action === "account.updated" && target.id === of.accountId
        )
      })
  })

/** The ports of the inbox under the law of audit. */
export const watchAudit = Layer.unwrap(
  Effect.gen(function* () {
    const state = yield* MemoryState
    const watch = makeWatch(state, yield* AuditLaw)
    return Layer.mergeAll(
      Layer.succeed(IngestStore, watchItems(yield* IngestStore, watch)),
      Layer.succeed(PostStore, watchPosts(yield* PostStore, watch, state)),
      Layer.succeed(OutgoingEndpointStore, watchEndpoints(yield* OutgoingEndpointStore, watch, state)),
      Layer.succeed(AccountCredentials, watchCredentials(yield* AccountCredentials, watch, state)),
      Layer.succeed(ApiKeys, watchKeys(yield* ApiKeys, watch)),
      Layer.succeed(ManagedUsers, watchUsers(yield* ManagedUsers, watch)),
      Layer.succeed(Workspaces, watchWorkspaces(yield* Workspaces, watch))
    )
  })
)

import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUserNotFound, ScopeInvalid, WorkspaceNotFound } from "../access/AccessErrors.ts"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import { nextOutgoingEndpointId, OutgoingEndpointId, type WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { ManagedUsers } from "../workspaces/ManagedUsers.ts"
import { type EndpointSettings, faultsOfSettings, judgeSettings } from "./judgeSettings.ts"
import { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import { OutgoingEndpointStore } from "./OutgoingEndpointStore.ts"
import { type EndpointFault, type EndpointInvalid, EndpointNotFound } from "./OutgoingErrors.ts"
import { newSecret } from "./sealSecret.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** What may be changed of an endpoint; what is absent stays. */
export type EndpointChange = Partial<EndpointSettings & { readonly status: "enabled" | "disabled" }>

/** A managed user's scope: endpoints are the workspace's (api-2-decided B1). */
type Refused = ScopeInvalid | StoreUnavailable

/** Driving service: the workspace's webhook endpoints, for a caller whose scope and plan were checked (api-2.md §15). */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** What would be wrong with these settings, for whoever has more to say of the same request. */
    readonly faults: (settings: Partial<EndpointSettings>) => Effect.Effect<ReadonlyArray<EndpointFault>>
    /** Events from now on are sent to it. The secret is shown here only. */
    readonly create: (
      caller: EntitledCaller,
      settings: EndpointSettings
    ) => Effect.Effect<
      { readonly endpoint: OutgoingEndpoint; readonly secret: Redacted.Redacted<string> },
      EndpointInvalid | ManagedUserNotFound | WorkspaceNotFound | Refused
    >
    /** Newest first. */
    readonly list: (caller: EntitledCaller, page: PageRequest) => Effect.Effect<Page<OutgoingEndpoint>, Refused>
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<OutgoingEndpoint, EndpointNotFound | Refused>
    /**
     * Changes what is given. One that is enabled again gets the events from now on; a disabled one's pending deliveries
     * are canceled.
     */
    readonly update: (
      caller: EntitledCaller,
      id: string,
      change: EndpointChange
    ) => Effect.Effect<OutgoingEndpoint, EndpointNotFound | EndpointInvalid | ManagedUserNotFound | Refused>
    readonly remove: (caller: EntitledCaller, id: string) => Effect.Effect<void, EndpointNotFound | Refused>
    /** A new secret, shown here only; the ones before sign too for 24 hours. */
    readonly rotateSecret: (
      caller: EntitledCaller,
      id: string
    ) => Effect.Effect<Redacted.Redacted<string>, EndpointNotFound | Refused>
  }
>()("@loopbox/core/outgoing/WebhookEndpoints") {
  static readonly layer: Layer.Layer<
    WebhookEndpoints,
    never,
    OutgoingEndpointStore | WebhookSender | CredentialVault | ManagedUsers | SecureRandom
  > = Layer.effect(
    WebhookEndpoints,
    Effect.suspend(() => make)
  )
}

/** How long a secret signs beside the one that took its place. */
const oldSecretHours = 24

const isId = Schema.is(OutgoingEndpointId)

/** The endpoint that is asked for; a malformed id counts as not found. */
export const endpointOf = Effect.fnUntraced(function* (
  store: typeof OutgoingEndpointStore.Service,
  caller: EntitledCaller,
  id: string
) {
  const workspaceId = yield* workspaceOf(caller)
  const found = isId(id) ? yield* store.find(workspaceId, id) : Option.none<OutgoingEndpoint>()
  if (Option.isNone(found)) return yield* new EndpointNotFound({ endpointId: id })
  return found.value
})

/** Endpoints are the workspace's. */
export const workspaceOf = ({ scope }: EntitledCaller): Effect.Effect<WorkspaceId, ScopeInvalid> =>
  scope._tag === "WorkspaceScope"
    ? Effect.succeed(scope.workspaceId)
    : Effect.fail(new ScopeInvalid({ reason: "workspace_required" }))

/** The endpoint after a change: what made it fail is forgotten when it is enabled again. */
const changed = (endpoint: OutgoingEndpoint, { status, ...settings }: EndpointChange): OutgoingEndpoint => {
  const next = { ...endpoint, ...settings }
  if (status === "disabled" && endpoint.status !== "disabled") {
    return new OutgoingEndpoint({ ...next, status, statusReason: Option.some("requested") })
  }
  if (status === "enabled" && endpoint.status === "disabled") {
    return new OutgoingEndpoint({
      ...next,
      status,
      statusReason: Option.none(),
      failingSince: Option.none(),
      failuresInRow: 0
    })
  }
  return new OutgoingEndpoint(next)
}

const make = Effect.gen(function* () {
  const store = yield* OutgoingEndpointStore
  const sender = yield* WebhookSender
  const vault = yield* CredentialVault
  const users = yield* ManagedUsers
  const random = yield* SecureRandom

  const judgeUser = Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: Option.Option<string>) {
    if (Option.isNone(user)) return
    const found = yield* users.find(workspaceId, user.value)
    if (Option.isNone(found)) return yield* new ManagedUserNotFound({ externalUserId: user.value })
  })

  const create = Effect.fn("WebhookEndpoints.create")(function* (caller: EntitledCaller, settings: EndpointSettings) {
    const workspaceId = yield* workspaceOf(caller)
    yield* judgeSettings(settings, sender)
    yield* judgeUser(workspaceId, settings.externalUserId)
    const endpoint = new OutgoingEndpoint({
      ...settings,
      id: yield* nextOutgoingEndpointId(random),
      workspaceId,
      status: "enabled",
      statusReason: Option.none(),
      createdAt: yield* DateTime.now,
      lastSuccessAt: Option.none(),
      lastFailureAt: Option.none(),
      failingSince: Option.none(),
      failuresInRow: 0
    })
    const { sealed, secret } = yield* newSecret(endpoint, vault, random)
    if (yield* store.create(endpoint, sealed)) return { endpoint, secret }
    // Its owner was erased meanwhile.
    yield* judgeUser(workspaceId, settings.externalUserId)
    return yield* new WorkspaceNotFound({ workspaceId })
  })

  const update = Effect.fn("WebhookEndpoints.update")(function* (
    caller: EntitledCaller,
    id: string,
    change: EndpointChange
  ) {
    const endpoint = yield* endpointOf(store, caller, id)
    yield* judgeSettings(change, sender)
    if (change.externalUserId !== undefined) yield* judgeUser(endpoint.workspaceId, change.externalUserId)
    const now = yield* DateTime.now
    const updated = yield* store.update(endpoint.workspaceId, endpoint.id, (current) => changed(current, change), now)
    if (Option.isNone(updated)) return yield* new EndpointNotFound({ endpointId: id })
    return updated.value
  })

  const remove = Effect.fn("WebhookEndpoints.remove")(function* (caller: EntitledCaller, id: string) {
    const workspaceId = yield* workspaceOf(caller)
    const wasThere = isId(id) && (yield* store.remove(workspaceId, id))
    if (!wasThere) return yield* new EndpointNotFound({ endpointId: id })
  })

  const rotateSecret = Effect.fn("WebhookEndpoints.rotateSecret")(function* (caller: EntitledCaller, id: string) {
    const endpoint = yield* endpointOf(store, caller, id)
    const { sealed, secret } = yield* newSecret(endpoint, vault, random)
    const oldUntil = DateTime.add(yield* DateTime.now, { hours: oldSecretHours })
    const isThere = yield* store.rotate(endpoint.workspaceId, endpoint.id, sealed, oldUntil)
    if (!isThere) return yield* new EndpointNotFound({ endpointId: id })
    return secret
  })

  return WebhookEndpoints.of({
    faults: (settings) => faultsOfSettings(settings, sender),
    create,
    list: Effect.fn("WebhookEndpoints.list")((caller, page) =>
      Effect.flatMap(workspaceOf(caller), (workspaceId) => store.list(workspaceId, page))
    ),
    find: Effect.fn("WebhookEndpoints.find")((caller, id) => endpointOf(store, caller, id)),
    update,
    remove,
    rotateSecret
  })
})

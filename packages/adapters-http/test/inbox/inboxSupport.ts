import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import type { Role } from "@loopbox/core/workspaces/Role"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Option, Redacted } from "effect"
import * as Effect from "effect/Effect"
import { posted, type PostedOptions } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import { type Call, call, type Wire } from "../support.ts"

/** A workspace with an owner, and a key that acts for them. */
export const makeInbox = Effect.fnUntraced(function* (plan: Plan = "growth") {
  const administration = yield* Administration
  const none = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }
  const workspace = yield* administration.createWorkspace({ name: "Test", plan, limits: none })
  yield* administration.setMember(workspace.id, "owner", "owner")
  const issued = yield* issueKey(workspace.id, "owner")
  return { workspace, id: workspace.id, ...issued }
})

/** One more key, of a member or of nobody. */
export const issueKey = Effect.fnUntraced(function* (workspaceId: string, creator?: string) {
  const issued = yield* (yield* Administration).issueKey(workspaceId, {
    name: "test",
    creatorUserId: Option.fromUndefinedOr(creator),
    expiresAt: Option.none()
  })
  return { key: Redacted.value(issued.text), keyId: issued.key.id }
})

export const setRole = (workspaceId: string, userId: string, role: Role) =>
  Administration.use((administration) => administration.setMember(workspaceId, userId, role))

/** Connects an Instagram account, of a managed user or of nobody. */
export const connectAccount = Effect.fnUntraced(function* (workspaceId: string, owner?: string, page = "page") {
  const { account } = yield* (yield* AccountAdministration).connect(workspaceId, {
    network: "instagram",
    networkAccountId: page,
    name: "The Page",
    username: Option.none(),
    avatarUrl: Option.none(),
    externalUserId: Option.fromUndefinedOr(owner),
    credentials: { accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() },
    permissions: []
  })
  return account
})

export const addManagedUser = (workspaceId: string, externalUserId: string) =>
  AccountAdministration.use((administration) => administration.putManagedUser(workspaceId, externalUserId))

/** Comments by somebody, one for each name. */
export const comment = (account: SocialAccount, names: ReadonlyArray<string>, options: PostedOptions = {}) =>
  ingest(
    account,
    names.map((externalId) => posted({ account: account.networkAccountId, externalId, ...options }))
  )

export const scopes = {
  workspace: "inbox_scope=workspace",
  user: (name: string) => `inbox_scope=managed_user&external_user_id=${encodeURIComponent(name)}`
}

/** One request under `/v1/inbox`. */
export const inbox = (method: string, path: string, query: string, options: Call = {}) =>
  call(method, `/v1/inbox${path}${query === "" ? "" : `?${query}`}`, options)

/** The entries of a list's answer. */
export const entriesOf = (body: Wire): ReadonlyArray<Wire> => Object.values({ ...body["data"] })

/** External ids of what a list answers, newest first. */
export const listedBy = Effect.fnUntraced(function* (key: string, query: string) {
  const { body } = yield* inbox("GET", "", query, { key })
  return entriesOf(body).map((item) => String(item["external_id"]))
})

/** The id of the item with an external id, as the workspace sees it. */
export const itemId = Effect.fnUntraced(function* (key: string, externalId: string) {
  const { body } = yield* inbox("GET", "", scopes.workspace, { key })
  return String(entriesOf(body).find((item) => String(item["external_id"]) === externalId)?.["id"])
})

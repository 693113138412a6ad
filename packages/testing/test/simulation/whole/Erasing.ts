import { Clock, DateTime, Effect, Option } from "effect"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { OutgoingEndpointId } from "@loopbox/core/kernel/Ids"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { Posts } from "@loopbox/core/posts/Posts"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import { Receivers } from "../../../src/fakes/FakeWebhookSender.ts"
import { posted } from "../../../src/fixtures/activities.ts"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { connectAccount, enter } from "../../../src/layers/inboxLayers.ts"
import type { Chance } from "../Chance.ts"
import type { makeReplying } from "../simulateReplies.ts"
import type { Causes } from "./Causes.ts"

/** Pages that one visitor after another connects. */
const pages = ["e1", "e2"] as const

/** The one that another workspace has connected, too. */
export const sharedPage = "e1"

/** A visitor who was erased, with what was theirs. */
export interface Departed {
  readonly user: string
  readonly page: string
  readonly accountId: string
  readonly endpointId: OutgoingEndpointId
  readonly at: number
}

export interface Visitor {
  readonly user: string
  readonly caller: EntitledCaller
  readonly account: SocialAccount
  readonly endpointId: OutgoingEndpointId
  /** What their page was told since it was connected. */
  readonly told: Set<string>
}

/** How long a worker may act on what it had read before an erasure. */
const staleFor_ms = 12_000

/** A workspace whose managed users come, are erased amid all that is under way for them, and come again as others. */
export const makeErasing = Effect.fnUntraced(function* (
  chance: Chance,
  workspace: Workspace,
  causes: Causes,
  ask: Effect.Success<ReturnType<typeof makeReplying>>["ask"]
) {
  const administration = yield* AccountAdministration
  const endpoints = yield* WebhookEndpoints
  const { answers } = yield* Receivers
  const posts = yield* Posts
  const whole = yield* enter(workspace.id)
  const present = new Map<string, Visitor>()
  const departed: Array<Departed> = []
  const violations: Array<string> = []
  let [visitors, comments] = [0, 0]
  /** All that was ever told of the page that another workspace has, too. */
  const toldElsewhere = new Set<string>()

  const arrive = Effect.fnUntraced(function* (page: string) {
    const user = `visitor-${++visitors}-`
    yield* administration.putManagedUser(workspace.id, user)
    const externalUserId = Option.some(user)
    const account = yield* connectAccount(workspace.id, { network: "facebook", networkAccountId: page, externalUserId })
    const { endpoint } = yield* endpoints.create(whole, {
      url: `https://hooks.example/${user}`,
      events: Option.none(),
      externalUserId,
      description: Option.none(),
      isOrdered: chance.isOneIn(2)
    })
    answers.set(endpoint.id, ({ delivery: { messageId } }) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const gone = departed.find(({ endpointId }) => endpointId === endpoint.id)
        const since = gone === undefined ? now : gone.at
        if (now - since > staleFor_ms && !causes.explain(since, now, endpoint.id))
          violations.push(`${messageId} was sent ${now - since} ms after ${user} was erased`)
        yield* Effect.sleep(chance.below(3_000))
        return 200
      })
    )
    const caller = yield* enter(workspace.id, user)
    present.set(page, { user, caller, account, endpointId: endpoint.id, told: new Set() })
  })
  for (const page of pages) yield* arrive(page)

  const hear = Effect.fnUntraced(function* (page: string) {
    const networks = yield* FakeNetworks
    const activities = Array.from({ length: 1 + chance.below(3) }, () => {
      const externalId = `${page}-${++comments}`
      present.get(page)?.told.add(externalId)
      if (page === sharedPage) toldElsewhere.add(externalId)
      const threadKey = `${page}-${comments % 3}`
      return posted({
        source: "fb_comment",
        account: page,
        externalId,
        threadKey,
        receivedAt: DateTime.makeUnsafe(comments)
      })
    })
    yield* (yield* Webhooks).accept("meta", networks.toBody(activities))
  })

  const answer = Effect.fnUntraced(function* ({ caller }: Visitor) {
    const item = chance.pick((yield* walk(caller)).filter(({ isOwn }) => !isOwn))
    if (item !== undefined) yield* ask(caller, { itemId: item.id, source: item.source })
  })

  /** A visitor's own, or one of the workspace, to all who are there. */
  const publish = ({ account: { id } }: Visitor, isOfAll: boolean) =>
    posts.submit(
      new WorkspaceScope({ workspaceId: workspace.id }),
      {
        text: Option.some(isOfAll ? "Post of all" : `Post of ${id}`),
        mediaIds: [],
        targets: (isOfAll ? Array.from(present.values(), ({ account }) => account.id) : [id]).map((accountId) => ({
          accountId,
          text: Option.none(),
          mediaIds: Option.none(),
          firstComment: Option.none(),
          options: { values: {}, altTexts: {} }
        })),
        scheduledAt: Option.none(),
        isDraft: false
      },
      Option.none()
    )

  const erase = Effect.fnUntraced(function* (page: string, { account, endpointId, user }: Visitor) {
    yield* administration.eraseManagedUser(workspace.id, user)
    present.delete(page)
    chance.note("a user is erased")
    departed.push({ user, page, accountId: account.id, endpointId, at: yield* Clock.currentTimeMillis })
  })

  const step = Effect.gen(function* () {
    const page = chance.pick(pages) ?? "e1"
    const visitor = present.get(page)
    // What is told of a page that nobody has is nobody's.
    if (visitor === undefined) return yield* chance.isOneIn(2) ? arrive(page) : hear(page)
    switch (chance.below(7)) {
      case 0:
      case 1:
        return yield* erase(page, visitor)
      case 2:
      case 3:
        return yield* answer(visitor)
      case 4:
        return yield* publish(visitor, chance.isOneIn(2))
      default:
        return yield* hear(page)
    }
  })
  return { workspace, whole, pages, present, departed, violations, toldElsewhere, step }
})

export type ErasingTown = Effect.Success<ReturnType<typeof makeErasing>>

import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import { type OutgoingEndpointId, ThreadNoteId } from "@loopbox/core/kernel/Ids"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"

/** A call of somebody who may not see what it names, and whether it reached it. */
type Attempt<E> = readonly [string, Effect.Effect<boolean, E>]

const isFound = <A, E>(call: Effect.Effect<Option.Option<A>, E>): Effect.Effect<boolean, E> =>
  Effect.map(call, Option.isSome)

/** Whether a call lets its caller decide; what is decided changes nothing. */
const isAsked = <A, E>(call: (asked: () => void) => Effect.Effect<A, E>): Effect.Effect<boolean, E> =>
  Effect.suspend(() => {
    let wasAsked = false
    return Effect.map(
      call(() => void (wasAsked = true)),
      () => wasAsked
    )
  })

const firstPage = { limit: 5, after: Option.none() } as const

const ofItem = Effect.fnUntraced(function* (stranger: EntitledCaller, item: InboxItem) {
  const [items, threads, now] = [yield* InboxStore, yield* ThreadStore, yield* DateTime.now]
  const { id } = item
  const thread = threadIdOf(item)
  const note = {
    id: ThreadNoteId.make(`note_${"0".repeat(26)}`),
    workspaceId: stranger.scope.workspaceId,
    accountId: item.accountId,
    threadId: thread,
    text: "of a stranger",
    author: Option.none(),
    createdAt: now
  }
  const { inbox } = yield* MemoryState
  const notes = inbox.accounts.get(item.accountId)?.notes.keys() ?? []
  const attempts: ReadonlyArray<Attempt<unknown>> = [
    ["find the item", isFound(items.find(stranger, id))],
    ["answer the item", isFound(items.findAnswered(stranger, id))],
    ["mark the item as read", items.markRead(stranger, id, now)],
    ["mark the item as unread", items.markUnread(stranger, id, now)],
    ["find the thread", isFound(threads.find(stranger, thread))],
    ["read the thread", isFound(threads.items(stranger, thread, { order: "newest", ...firstPage }))],
    ["mark the thread as read", isFound(threads.markRead(stranger, thread, 1, now))],
    ["label the thread", isFound(threads.setLabels(stranger, thread, ["Stranger"], now))],
    ["read notes", isFound(threads.notes(stranger, thread, firstPage))],
    ["write a note", threads.addNote(stranger, note)],
    ...Array.from(notes, (one): Attempt<unknown> => [
      "remove a note",
      isFound(threads.removeNote(stranger, thread, one, now))
    ]),
    [
      "move the thread",
      isAsked((asked) =>
        threads.change(
          stranger,
          thread,
          (_named, state) => {
            asked()
            return Result.succeed({ thread: state, events: [] })
          },
          now
        )
      )
    ],
    [
      "move the item's thread",
      isAsked((asked) =>
        items.moveThread(
          stranger,
          id,
          (_item, state) => {
            asked()
            return Result.succeed({ thread: state, events: [] })
          },
          now
        )
      )
    ]
  ]
  return attempts
})

/** What only another workspace may not reach: posts, replies, accounts and endpoints. */
const ofWorkspace = Effect.fnUntraced(function* ({ scope, sources }: EntitledCaller, home: EntitledCaller) {
  const { inbox } = yield* MemoryState
  const [posts, replies, accounts] = [yield* PostStore, yield* OutboundStore, yield* SocialAccounts]
  const [endpoints, now] = [yield* OutgoingEndpointStore, yield* DateTime.now]
  const { workspaceId } = scope
  const isHome = (one: { readonly workspaceId: string }) => one.workspaceId === home.scope.workspaceId
  const post = Array.from(inbox.posts.values()).find(({ kept }) => isHome(kept.post))?.kept.post
  const entry = Array.from(inbox.accounts.values()).find(
    ({ account, operations }) => isHome(account) && operations.size > 0
  )
  const [operationId] = entry?.operations.keys() ?? []
  const delivery = Array.from(inbox.outgoing.deliveries.values(), (one) => one.delivery).find(isHome)
  const ofPost: ReadonlyArray<Attempt<unknown>> =
    post === undefined
      ? []
      : [
          ["find the post", isFound(posts.find(scope, post.id))],
          [
            "change the post",
            isAsked((asked) =>
              posts.change(scope, post.id, () => {
                asked()
                return Result.succeed({ _tag: "Keep" })
              })
            )
          ]
        ]
  const ofEndpoint = (endpointId: OutgoingEndpointId): ReadonlyArray<Attempt<unknown>> => [
    ["find the endpoint", isFound(endpoints.find(workspaceId, endpointId))],
    ["change the endpoint", isFound(endpoints.update(workspaceId, endpointId, (endpoint) => endpoint, now))],
    ["read secrets", Effect.map(endpoints.secrets(workspaceId, endpointId, now), (found) => found.length > 0)]
  ]
  const attempts: ReadonlyArray<Attempt<unknown>> = [
    ...ofPost,
    ...(operationId === undefined
      ? []
      : [["find the reply", isFound(replies.find({ scope, sources }, operationId))] as const]),
    ...(entry === undefined
      ? []
      : [["find the account", isFound(accounts.find(workspaceId, entry.account.id))] as const]),
    ...(delivery === undefined
      ? []
      : [
          ...ofEndpoint(delivery.endpointId),
          [
            "find the delivery",
            isFound(endpoints.findDelivery(workspaceId, delivery.endpointId, delivery.id))
          ] as const,
          [
            "send the delivery again",
            isFound(endpoints.redeliver(workspaceId, delivery.endpointId, delivery.id, now))
          ] as const
        ])
  ]
  return attempts
})

/** A note is of one thread: under the name of another it is not there, though its caller may see both. */
const checkNotes = Effect.fnUntraced(function* (home: EntitledCaller, all: ReadonlyArray<InboxItem>) {
  const [threads, now] = [yield* ThreadStore, yield* DateTime.now]
  const { inbox } = yield* MemoryState
  for (const { account, notes } of inbox.accounts.values()) {
    const own = all.filter(({ accountId }) => accountId === account.id)
    const [note] = notes.values()
    const other = own.find((item) => threadIdOf(item) !== note?.threadId)
    if (note === undefined || other === undefined) continue
    const removed = yield* threads.removeNote(home, threadIdOf(other), note.id, now)
    assert.deepStrictEqual(removed, Option.some(false), "a note was removed under another thread")
  }
})

/**
 * Who may not see something reaches it with no call that names it. Each of them is tried: where all is right, none has an
 * effect, so that the run goes on as without it.
 *
 * @param callers the workspace's own, and those of its managed users
 */
export const checkStrangers = Effect.fnUntraced(function* (
  callers: ReadonlyArray<EntitledCaller>,
  neighbour: EntitledCaller
) {
  const [home, ...users] = callers
  if (home === undefined) return
  const all = yield* walk(home)
  yield* checkNotes(home, all)
  for (const stranger of [...users, neighbour]) {
    const own = new Set((yield* walk(stranger)).map(({ id }) => id))
    const item = all.find(({ id }) => !own.has(id))
    const attempts = [
      ...(item === undefined ? [] : yield* ofItem(stranger, item)),
      ...(stranger === neighbour ? yield* ofWorkspace(stranger, home) : [])
    ]
    for (const [what, attempt] of attempts) assert.isFalse(yield* attempt, `a stranger could ${what}`)
  }
})

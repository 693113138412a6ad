import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { EventChannel, type Subscription } from "../../src/feed/EventChannel.ts"
import { defaultFeedMemory } from "../../src/feed/FeedMemory.ts"
import { type FeedMessage, seqOf } from "../../src/feed/FeedMessage.ts"
import { deliver, type InboxEvent, type RoutedEvent, usersOf } from "../../src/items/InboxEvent.ts"
import { InboxItemId, SocialAccountId, SyncId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { EventMemory, toAudience } from "../../src/feed/RecentEvents.ts"
import { noon } from "@loopbox/testing/fixtures/activities"
import { scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"

const workspaceId = WorkspaceId.make(`ws_${"0".repeat(26)}`)
const accountId = SocialAccountId.make(`acc_${"0".repeat(26)}`)
const itemId = InboxItemId.make(`itm_${"0".repeat(26)}`)
const ended: InboxEvent = { _tag: "ItemDeleted", accountId, source: "ig_dm", itemId }

const routed = (seq: number, event: InboxEvent, owner: string, isShown = true): RoutedEvent => ({
  seq,
  workspaceId,
  at: noon,
  event,
  owner: Option.some(owner),
  isShown
})

const channelAt = (position: number) => new EventChannel(workspaceId, position, new EventMemory(defaultFeedMemory))

const append = (channel: EventChannel, events: ReadonlyArray<RoutedEvent>) =>
  channel.append(events, Math.max(...events.map(({ seq }) => seq)))

const heard = (channel: EventChannel, after: number, user?: string) =>
  channel.take(after, toAudience(scopeOf(workspaceId, user)))?.map(({ seq }) => seq)

describe("recent events in memory (design §4)", () => {
  it("go to the owner at the time of delivery, also those read before the account moved", () => {
    const channel = channelAt(0)
    Effect.runSync(append(channel, [routed(1, ended, "u1")]))
    assert.deepStrictEqual([heard(channel, 0, "u1"), heard(channel, 0, "u2")], [[1], []])
    const moved: InboxEvent = { _tag: "AccountMoved", accountId, from: Option.some("u1"), to: Option.some("u2") }
    Effect.runSync(append(channel, [routed(2, moved, "u2")]))
    assert.deepStrictEqual([heard(channel, 0, "u1"), heard(channel, 0, "u2"), heard(channel, 0)], [[2], [1, 2], [1, 2]])
  })

  it("are dropped when an account is hidden, so that a returning subscriber reads the store", () => {
    const channel = channelAt(0)
    Effect.runSync(append(channel, [routed(1, ended, "u1")]))
    const hidden: InboxEvent = { _tag: "AccountMoved", accountId, from: Option.some("u1"), to: Option.none() }
    Effect.runSync(append(channel, [routed(2, ended, "u1", false), routed(3, hidden, "u1", false)]))
    assert.isUndefined(heard(channel, 0))
    assert.deepStrictEqual([heard(channel, 2), heard(channel, 2, "u1")], [[3], [3]])
  })

  it("are limited; older ones must be read from the store", () => {
    const channel = channelAt(0)
    Effect.runSync(
      append(
        channel,
        Array.from({ length: 2_000 }, (_, n) => routed(n + 1, ended, "u1"))
      )
    )
    assert.isUndefined(heard(channel, 0))
    assert.deepStrictEqual(heard(channel, 1_998), [1_999, 2_000])
    assert.deepStrictEqual(heard(channel, 2_000), [])
  })

  it("may have gaps where events were erased", () => {
    const channel = channelAt(0)
    Effect.runSync(append(channel, [routed(1, ended, "u1"), routed(5, ended, "u1"), routed(9, ended, "u1")]))
    assert.deepStrictEqual([heard(channel, 0), heard(channel, 3), heard(channel, 5)], [[1, 5, 9], [5, 9], [9]])
  })

  it.effect("are pushed only from the follower's position on, if it is ahead", () =>
    Effect.gen(function* () {
      const channel = channelAt(0)
      const heard: Array<number> = []
      const take = (messages: ReadonlyArray<FeedMessage>) => heard.push(...messages.map(seqOf)) && messages.length
      const following: Subscription = {
        follower: { take, ready: Effect.void, failed: Effect.die },
        audience: toAudience(scopeOf(workspaceId)),
        place: { run: 0, seq: 2 },
        isJoined: false,
        onBehind: () => assert.fail("it has room"),
        onFailed: () => assert.fail("it is well")
      }
      assert.isTrue(channel.join(following))
      yield* append(
        channel,
        [1, 2, 3, 4].map((seq) => routed(seq, ended, "u1"))
      )
      assert.deepStrictEqual(heard, [3, 4])
      assert.isTrue(channel.leave(following))
      yield* append(channel, [routed(5, ended, "u1")])
      assert.deepStrictEqual(heard, [3, 4])
      assert.deepStrictEqual([channel.leave(following), channel.join(following)], [false, false])
    })
  )
})

describe("usersOf", () => {
  const scopes = ["u1", "u2", "u3", undefined]
  const owners = [Option.none<string>(), Option.some("u1"), Option.some("u2")]
  const events: ReadonlyArray<InboxEvent> = [
    ended,
    ...owners.flatMap((from) => owners.map((to): InboxEvent => ({ _tag: "AccountMoved", accountId, from, to }))),
    ...owners.flatMap((externalUserId): ReadonlyArray<InboxEvent> => [
      { _tag: "ItemsRead", externalUserId, upToSeq: 1, marked: Option.some(1) },
      { _tag: "SyncCompleted", externalUserId, syncId: SyncId.make(`syn_${"0".repeat(26)}`), newItems: 1 }
    ])
  ]

  it("returns at least the managed users that get the event, each once", () => {
    let delivered = 0
    for (const event of events) {
      for (const owner of owners) {
        const one: RoutedEvent = { ...routed(1, event, ""), owner }
        const users = usersOf(one)
        if (users !== "everyone") assert.lengthOf(users, new Set(users).size)
        for (const user of scopes) {
          if (user === undefined || Option.isNone(deliver(one, scopeOf(workspaceId, user)))) continue
          delivered++
          assert.isTrue(users === "everyone" || users.includes(user), `${event._tag} to ${user}`)
        }
      }
    }
    assert.isAbove(delivered, 20)
  })
})

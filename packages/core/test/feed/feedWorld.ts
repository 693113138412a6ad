import { Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { EntitledCaller } from "../../src/access/EntitledCaller.ts"
import { EventFeed } from "../../src/feed/EventFeed.ts"
import type { FeedMessage } from "../../src/feed/FeedMessage.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"

/** A message as a line of text. */
export const line = (message: FeedMessage): string => {
  if (message._tag !== "Delivered") return `${message._tag} ${message.seq}`
  const { event, externalUserId, seq } = message.event
  const about = event._tag === "NewItem" ? ` ${event.item.externalId}` : ""
  return `${seq} ${event._tag}${about} of ${Option.getOrElse(externalUserId, () => "-")}`
}

/** How messages come to a subscriber. */
export const ways = {
  "that are pulled": Effect.fnUntraced(function* (
    caller: EntitledCaller,
    after: number | undefined,
    hear: (message: FeedMessage) => void
  ) {
    const stream = yield* (yield* EventFeed).subscribe(caller, Option.fromUndefinedOr(after))
    yield* Effect.forkScoped(Stream.runForEach(stream, (message) => Effect.sync(() => hear(message))))
  }),
  "that are pushed": Effect.fnUntraced(function* (
    caller: EntitledCaller,
    after: number | undefined,
    hear: (message: FeedMessage) => void
  ) {
    const followWith = yield* (yield* EventFeed).follow(caller, Option.fromUndefinedOr(after))
    const take = (messages: ReadonlyArray<FeedMessage>) => {
      messages.forEach(hear)
      return messages.length
    }
    yield* followWith({ take, ready: Effect.void, failed: Effect.die })
  })
}

export type Way = (typeof ways)[keyof typeof ways]

/** Follows a scope; `next` gives what has come, oldest first. */
export const followBy = (way: Way) =>
  Effect.fnUntraced(function* (caller: EntitledCaller, after?: number) {
    let heard: ReadonlyArray<FeedMessage> = []
    yield* way(caller, after, (message) => {
      heard = [...heard, message]
    })
    const nextMessages = Effect.gen(function* () {
      yield* TestClock.adjust("10 millis")
      const messages = heard
      heard = []
      return messages
    })
    return { nextMessages, next: Effect.map(nextMessages, (messages) => messages.map(line)) }
  })

export const twoUsers = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const mine = yield* connectAccount(workspace.id, { networkAccountId: "1", externalUserId: Option.some("u1") })
  const yours = yield* connectAccount(workspace.id, { networkAccountId: "2", externalUserId: Option.some("u2") })
  return {
    id: workspace.id,
    mine,
    yours,
    whole: yield* enter(workspace.id),
    u1: yield* enter(workspace.id, "u1"),
    u2: yield* enter(workspace.id, "u2")
  }
})

/** The services over events that behave otherwise. */
export const feedOver = (change: (events: InboxEvents["Service"]) => InboxEvents["Service"]) =>
  layerInboxServices.pipe(Layer.updateService(InboxEvents, change), Layer.provideMerge(layerInboxPorts))

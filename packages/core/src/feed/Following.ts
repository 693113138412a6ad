import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { EventChannel, Place, Subscription } from "./EventChannel.ts"
import type { FeedMessage, Follower } from "./FeedMessage.ts"
import type { Audience } from "./RecentEvents.ts"

/** How a subscriber begins. */
export interface Opened {
  readonly channel: EventChannel
  readonly audience: Audience
  readonly hello: ReadonlyArray<FeedMessage>
  readonly start: Place
}

/** A follower and how far it is. It either has new events pushed to it, or a fiber brings it up to date. */
export class Following implements Subscription {
  readonly follower: Follower
  readonly channel: EventChannel
  readonly audience: Audience
  readonly scope: Scope.Scope
  place: Place
  isJoined = false
  #first: ReadonlyArray<FeedMessage> | undefined
  #cause: Cause.Cause<never> | undefined
  /** Those that a fiber must bring up to date. */
  readonly #behind: Queue.Enqueue<Following>

  constructor(opened: Opened, follower: Follower, scope: Scope.Scope, behind: Queue.Enqueue<Following>) {
    this.follower = follower
    this.channel = opened.channel
    this.audience = opened.channel.audienceOf(opened.audience)
    this.place = opened.start
    this.scope = scope
    this.#first = opened.hello
    this.#behind = behind
  }

  /** The messages with which it begins; a defect if it met one. */
  get first(): Effect.Effect<ReadonlyArray<FeedMessage>> {
    return Effect.suspend(() => {
      if (this.#cause !== undefined) return Effect.failCause(this.#cause)
      const first = this.#first ?? []
      this.#first = undefined
      return Effect.succeed(first)
    })
  }

  /** Has nothing more pushed to it. */
  get leave(): Effect.Effect<void> {
    return Effect.sync(() => {
      this.channel.leave(this)
    })
  }

  onBehind(place: Place): void {
    this.place = place
    Queue.offerUnsafe(this.#behind, this)
  }

  onFailed(cause: Cause.Cause<never>): void {
    this.#cause = cause
    Queue.offerUnsafe(this.#behind, this)
  }
}

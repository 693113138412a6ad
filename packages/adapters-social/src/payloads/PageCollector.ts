import type { FeedPage } from "@loopbox/core/networks/Feed"
import type { InboundActivity, Unreadable } from "@loopbox/core/networks/InboundActivity"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** What one element of a page was. */
export interface PolledElement {
  readonly id: string
  /** None where the network tells nothing but the id. */
  readonly activities: ReadonlyArray<InboundActivity>
}

const mostUnreadable = 100

/** Gathers the elements of one page; one that can't be read never drops its neighbours. */
export class PageCollector {
  private readonly activities: Array<InboundActivity> = []
  private readonly seen: Array<string> = []
  private readonly unreadable: Array<Unreadable> = []
  private readonly requestedAt: DateTime.Utc
  private read = 0

  constructor(requestedAt: DateTime.Utc) {
    this.requestedAt = requestedAt
  }

  readonly add = (path: string, element: Result.Result<PolledElement, string>): void => {
    this.read++
    if (Result.isFailure(element)) {
      if (this.unreadable.length < mostUnreadable) this.unreadable.push({ path, reason: element.failure })
      return
    }
    this.seen.push(element.success.id)
    for (const activity of element.success.activities) this.activities.push(activity)
  }

  /** The page, of which `coversFrom` is said where it does not cover everything. */
  readonly finish = (next: Option.Option<string>, coversFrom: Option.Option<DateTime.Utc>): FeedPage => ({
    activities: this.activities,
    seen: this.seen,
    coversFrom,
    next,
    checkpoint: Option.none(),
    read: this.read,
    suppressed: 0,
    unreadable: this.unreadable,
    requestedAt: this.requestedAt
  })
}

/** The first of some moments. */
export const earliest = (moments: ReadonlyArray<DateTime.Utc>): Option.Option<DateTime.Utc> =>
  moments.reduce<Option.Option<DateTime.Utc>>(
    (first, at) => Option.some(Option.match(first, { onNone: () => at, onSome: (known) => DateTime.min(known, at) })),
    Option.none()
  )

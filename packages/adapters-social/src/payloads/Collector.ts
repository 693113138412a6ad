import type { InboundActivity, NormalisedDelivery, Unreadable } from "@loopbox/core/networks/InboundActivity"

/** What one element of a delivery was. */
export type Reading =
  | { readonly _tag: "Heard"; readonly activities: ReadonlyArray<InboundActivity> }
  | { readonly _tag: "Ignored"; readonly kind: string }
  | { readonly _tag: "Unreadable"; readonly reason: string }

export const heard = (...activities: ReadonlyArray<InboundActivity>): Reading => ({ _tag: "Heard", activities })
export const ignored = (kind: string): Reading => ({ _tag: "Ignored", kind })
export const unreadable = (reason: string): Reading => ({ _tag: "Unreadable", reason })

/** Kinds come from payloads: their number and their letters are bounded, for they become names of metrics. */
const mostKinds = 100
const mostUnreadable = 100
const plain = (kind: string): string => kind.replace(/[^\w.:-]/g, "_").slice(0, 64) || "unnamed"

/** Gathers the readings of one delivery. */
export class Collector {
  private readonly activities: Array<InboundActivity> = []
  private readonly ignored = new Map<string, number>()
  private readonly unreadable: Array<Unreadable> = []

  readonly add = (path: string, reading: Reading): void => {
    if (reading._tag === "Heard") for (const activity of reading.activities) this.activities.push(activity)
    else if (reading._tag === "Ignored") this.count(plain(reading.kind))
    else if (this.unreadable.length < mostUnreadable) this.unreadable.push({ path, reason: reading.reason })
  }

  readonly finish = (): NormalisedDelivery => ({
    activities: this.activities,
    ignored: this.ignored,
    unreadable: this.unreadable
  })

  private count(kind: string): void {
    const name = this.ignored.has(kind) || this.ignored.size < mostKinds ? kind : "other"
    this.ignored.set(name, (this.ignored.get(name) ?? 0) + 1)
  }
}

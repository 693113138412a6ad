import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { type DeliveryOutcome, WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import type { DeliveryEntry } from "./memoryInbox.ts"
import { isNamed } from "./memoryNames.ts"
import { memoryPage } from "./memoryPage.ts"
import { MemoryState } from "./MemoryState.ts"

const byWaiting = (a: DeliveryEntry, b: DeliveryEntry) => DateTime.Order(a.claimableAt, b.claimableAt)

/** One of each lane, then the second of each, and so on; the lane that was served longest ago comes first. */
const inTurns = (served: ReadonlySet<string>, due: ReadonlyArray<DeliveryEntry>): ReadonlyArray<DeliveryEntry> => {
  const places = new Map(Array.from(served, (lane, place) => [lane, place]))
  const placeOf = (lane: string) => places.get(lane) ?? -1
  const taken = new Map<string, number>()
  return due
    .map((entry) => {
      const turn = taken.get(entry.lane) ?? 0
      taken.set(entry.lane, turn + 1)
      return { entry, turn, place: placeOf(entry.lane) }
    })
    .sort((a, b) => a.turn - b.turn || a.place - b.place)
    .map(({ entry }) => entry)
}

const ended = (entry: DeliveryEntry, outcome: DeliveryOutcome, at: DateTime.Utc): DeliveryEntry => {
  switch (outcome._tag) {
    case "Waiting":
      return { ...entry, claimableAt: outcome.until, token: undefined }
    case "Done":
      return { ...entry, state: "done", endedAt: at, token: undefined }
    case "Failed":
      return { ...entry, state: "failed", reason: outcome.reason, endedAt: at, token: undefined }
  }
}

export const layer: Layer.Layer<WebhookDeliveries, never, MemoryState> = Layer.effect(
  WebhookDeliveries,
  Effect.map(MemoryState, ({ inbox }) => {
    const { deliveries, doneUnits } = inbox
    /** Lanes that were served, the last one last. */
    const served = new Set<string>()
    const all = () => Array.from(deliveries.values())
    const arrived = Effect.sync(() => PubSub.publishUnsafe(inbox.arrivals, undefined))
    return WebhookDeliveries.of({
      store: (delivery, leaseNow, names = []) =>
        Effect.suspend(() => {
          const accounts = Array.from(inbox.accounts.values(), ({ account }) => account)
          const told = accounts.filter(
            (account) => account.status !== "disconnected" && names.some((name) => isNamed(name, account))
          )
          deliveries.set(delivery.id, {
            delivery,
            state: "pending",
            reason: "",
            attempts: 0,
            claimableAt: leaseNow,
            endedAt: undefined,
            token: undefined,
            lane: Array.from(new Set(told.map(({ workspaceId }) => workspaceId)))
              .sort()
              .join()
          })
          return Effect.asVoid(arrived)
        }),
      claim: ({ endpoints, leaseNow, leaseUntil, limit, token }) =>
        Effect.sync(() => {
          const due = all()
            .filter(({ delivery }) => endpoints === undefined || endpoints.has(delivery.endpoint))
            .filter((entry) => entry.state === "pending" && DateTime.isLessThanOrEqualTo(entry.claimableAt, leaseNow))
            .sort(byWaiting)
          return (due.length > limit ? inTurns(served, due) : due).slice(0, limit).map((entry) => {
            const { attempts, delivery, lane } = entry
            deliveries.set(delivery.id, { ...entry, attempts: attempts + 1, claimableAt: leaseUntil, token })
            served.delete(lane)
            served.add(lane)
            return { delivery, attempts, token }
          })
        }),
      renew: ({ delivery: { id }, token }, leaseUntil) =>
        Effect.suspend(() => {
          const entry = deliveries.get(id)
          if (entry?.token !== token) return Effect.fail(new LeaseLost({ what: "delivery", id }))
          deliveries.set(id, { ...entry, claimableAt: leaseUntil })
          return Effect.void
        }),
      settle: ({ delivery: { id }, token }, outcome, at) =>
        Effect.suspend(() => {
          const entry = deliveries.get(id)
          if (entry?.token !== token) return Effect.fail(new LeaseLost({ what: "delivery", id }))
          deliveries.set(id, ended(entry, outcome, at))
          return Effect.void
        }),
      complete: (claims, at) =>
        Effect.sync(() =>
          claims.map(({ delivery: { id }, token }) => {
            const entry = deliveries.get(id)
            if (entry?.token !== token) return Result.fail(new LeaseLost({ what: "delivery", id }))
            deliveries.set(id, ended(entry, { _tag: "Done" }, at))
            return Result.void
          })
        ),
      release: ({ attempts, delivery: { id }, token }, leaseNow) =>
        Effect.suspend(() => {
          const entry = deliveries.get(id)
          if (entry?.token !== token) return Effect.fail(new LeaseLost({ what: "delivery", id }))
          deliveries.set(id, { ...entry, attempts, claimableAt: leaseNow, token: undefined })
          return Effect.void
        }),
      listFailed: (request) =>
        Effect.sync(() =>
          memoryPage(
            all().flatMap(({ delivery: { arrivedAt, endpoint, id }, endedAt, reason, state }) =>
              state === "failed" && endedAt !== undefined
                ? [{ id, endpoint, createdAt: arrivedAt, failedAt: endedAt, reason }]
                : []
            ),
            request
          )
        ),
      replay: (id, leaseNow) =>
        Effect.suspend(() => {
          const failed = all().filter(
            ({ delivery, state }) => state === "failed" && Option.getOrElse(id, () => delivery.id) === delivery.id
          )
          for (const entry of failed) {
            doneUnits.delete(entry.delivery.id)
            deliveries.set(entry.delivery.id, {
              ...entry,
              state: "pending",
              reason: "",
              attempts: 0,
              claimableAt: leaseNow,
              endedAt: undefined
            })
          }
          return Effect.as(arrived, failed.length)
        }),
      removeOlder: (before, limit) =>
        Effect.sync(() => {
          const old = all()
            .filter(
              ({ endedAt, state }) =>
                endedAt !== undefined &&
                state !== "pending" &&
                DateTime.isLessThan(endedAt, state === "done" ? before.done : before.failed)
            )
            .slice(0, limit)
          for (const { delivery } of old) {
            deliveries.delete(delivery.id)
            doneUnits.delete(delivery.id)
          }
          return old.length
        }),
      depth: Effect.sync(() => {
        const pending = all().filter(({ state }) => state === "pending")
        const oldest = pending.map(({ delivery }) => delivery.arrivedAt).sort(DateTime.Order)[0]
        return {
          counts: { pending: pending.length, failed: all().filter(({ state }) => state === "failed").length },
          oldestAt: Option.fromUndefinedOr(oldest)
        }
      }),
      arrivals: Stream.fromPubSub(inbox.arrivals)
    })
  })
)

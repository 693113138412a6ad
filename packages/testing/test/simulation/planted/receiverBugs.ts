import { DateTime, Effect, Option, Result } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { away } from "../../../src/fixtures/mediaFixtures.ts"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]
type Queue = OutgoingQueue["Service"]

const far = DateTime.makeUnsafe("2200-01-01T00:00:00Z")

const wrongQueue = (make: (right: Queue, outgoing: State["inbox"]["outgoing"]) => Partial<Queue>) =>
  wrong(OutgoingQueue, (right, { inbox }) => OutgoingQueue.of({ ...right, ...make(right, inbox.outgoing) }))

/** Failed attempts are judged so. */
const judged = (change: (right: JudgedAttempt, at: DateTime.Utc) => JudgedAttempt) =>
  wrongQueue((right) => ({
    settle: (lane, ended, judge, at) =>
      right.settle(lane, ended, (endpoint, one) => change(judge(endpoint, one), at), at)
  }))

/**
 * That a claim passes over endpoints that are switched off is no bug of its own that could be planted: no store asks for it.
 * Nothing waits for such an endpoint in any history. A delivery begins to wait where it is written, at first or by a replay,
 * where it is asked for again, and where an attempt has failed; each of these looks at the endpoint in its transaction, as two
 * of the bugs below and the check of deliveries say. And an endpoint becomes disabled by its customer or by an attempt, each of
 * which cancels what waits.
 */
export const receiverBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "what is written in the moment in which its endpoint is switched off waits for it",
    breaks: /waits for an endpoint that (was|is) switched off/,
    plant: wrongQueue((right, { deliveries, endpoints }) => ({
      append: (from, to, given) =>
        Effect.tap(right.append(from, to, given), (isWritten) =>
          Effect.sync(() => {
            for (const delivery of isWritten ? given : [])
              if (endpoints.get(delivery.endpointId)?.endpoint.status === "disabled")
                deliveries.set(delivery.id, { delivery, log: [] })
          })
        )
    }))
  },
  {
    name: "what is asked for again in the moment in which its endpoint is switched off begins anew",
    breaks: /waits for an endpoint that (was|is) switched off/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        redeliver: (workspaceId, id, deliveryId, now) =>
          Effect.tap(right.redeliver(workspaceId, id, deliveryId, now), () =>
            Effect.sync(() => {
              const entry = outgoing.deliveries.get(deliveryId)
              if (entry?.delivery.workspaceId !== workspaceId || entry.delivery.status === "pending") return
              const delivery = { ...entry.delivery, status: "pending" as const, nextAttemptAt: Option.some(now) }
              outgoing.deliveries.set(deliveryId, { ...entry, delivery })
            })
          )
      })
    )
  },
  {
    name: "what waits for an endpoint that is switched off goes on waiting",
    breaks: /waits for an endpoint that (was|is) switched off/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (...of) =>
          Effect.suspend(() => {
            const before = Array.from(outgoing.deliveries).filter(([, { delivery }]) => delivery.status === "pending")
            return Effect.tap(right.update(...of), (endpoint) =>
              Effect.sync(() => {
                if (!Option.exists(endpoint, ({ status }) => status === "disabled")) return
                for (const [id, entry] of before)
                  if (entry.delivery.endpointId === of[1]) outgoing.deliveries.set(id, entry)
              })
            )
          })
      })
    )
  },
  {
    name: "the outbox moves on before its deliveries are written, and the process dies in between",
    breaks: /was written for nobody/,
    plant: wrongQueue((right, { positions }) => {
      let calls = 0
      return {
        append: (from, to, deliveries) =>
          Effect.suspend(() => {
            if (++calls % 5 !== 0) return right.append(from, to, deliveries)
            positions.set(from.workspaceId, to)
            return Effect.fail(away("no"))
          })
      }
    })
  },
  {
    name: "a webhook is settled before it is sent",
    breaks: /is delivered, and did not arrive|sent after its end/,
    plant: wrongQueue((right, { deliveries }) => ({
      claim: (request) =>
        Effect.tap(right.claim(request), (claims) =>
          Effect.sync(() => {
            for (const { id } of claims.flatMap((claim) => claim.deliveries)) {
              const entry = deliveries.get(id)
              if (entry === undefined) continue
              const delivery = { ...entry.delivery, status: "delivered" as const, nextAttemptAt: Option.none() }
              deliveries.set(id, { ...entry, delivery })
            }
          })
        )
    }))
  },
  {
    name: "an ordered endpoint is served as the others are: what is later overtakes",
    breaks: /sent before an earlier one/,
    plant: wrongQueue((right, { endpoints }) => {
      const unordered = <A, E>(call: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          const before = new Map(endpoints)
          for (const [id, entry] of endpoints)
            endpoints.set(id, { ...entry, endpoint: new OutgoingEndpoint({ ...entry.endpoint, isOrdered: false }) })
          return Effect.ensuring(
            call,
            Effect.sync(() => before.forEach((entry, id) => endpoints.set(id, entry)))
          )
        })
      return {
        claim: (request) => unordered(right.claim(request)),
        next: (...of) => unordered(right.next(...of))
      }
    })
  },
  {
    name: "two workers serve one endpoint at a time",
    breaks: /sent beside too many others/,
    plant: wrongQueue((right, { lanes }) => ({
      claim: (request) =>
        Effect.suspend(() => {
          lanes.clear()
          return right.claim(request)
        })
    }))
  },
  {
    name: "that an attempt failed is written nowhere",
    breaks: /tried again at once|sent again/,
    plant: wrongQueue(() => ({ settle: () => Effect.void }))
  },
  {
    name: "that a webhook arrived is written nowhere",
    breaks: /sent again/,
    plant: wrongQueue(() => ({ succeed: (ended) => Effect.succeed(ended.map(() => Result.void)) }))
  },
  {
    name: "what failed is sent again at once",
    breaks: /tried again at once/,
    plant: judged((right, at) => ({ ...right, nextAttemptAt: Option.map(right.nextAttemptAt, () => at) }))
  },
  {
    name: "a webhook is given up after three attempts",
    breaks: /was given up early/,
    plant: judged((right) =>
      right.attemptsInSchedule < 3 ? right : { ...right, status: "failed", nextAttemptAt: Option.none() }
    )
  },
  {
    name: "who answers that it is gone is asked on and on",
    breaks: /of the healthy endpoint/,
    plant: judged((right, at) => ({
      ...right,
      status: "pending",
      nextAttemptAt: Option.some(DateTime.add(at, { hours: 1 })),
      endpoint: new OutgoingEndpoint({ ...right.endpoint, status: "enabled", statusReason: Option.none() })
    }))
  },
  {
    name: "what a dead worker was sending is never claimed again",
    breaks: /of the healthy endpoint/,
    plant: wrongQueue((right, { lanes }) => ({
      claim: (request) =>
        Effect.tap(right.claim(request), () =>
          Effect.sync(() => lanes.forEach((lane, id) => lanes.set(id, { ...lane, until: far })))
        )
    }))
  },
  {
    name: "a managed user is sent what happens on an account that is another's by now",
    breaks: /sent to somebody whose account it is not/,
    plant: wrong(SocialAccounts, (right) =>
      SocialAccounts.of({
        ...right,
        findKept: (...of) =>
          Effect.map(
            right.findKept(...of),
            Option.map((account) =>
              Option.contains(account.externalUserId, "u2")
                ? new SocialAccount({ ...account, externalUserId: Option.some("u1") })
                : account
            )
          )
      })
    )
  },
  {
    name: "an endpoint that is switched on again gets what happened while it was off",
    breaks: /is for an endpoint that was switched off/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (workspaceId, id, change, at) =>
          Effect.suspend(() => {
            const since = outgoing.endpoints.get(id)?.since ?? 0
            const position = outgoing.positions.get(workspaceId) ?? 0
            return Effect.tap(right.update(workspaceId, id, change, at), () =>
              Effect.sync(() => {
                const entry = outgoing.endpoints.get(id)
                if (entry === undefined) return
                outgoing.endpoints.set(id, { ...entry, since: Math.min(since, position) })
                if (entry.endpoint.status === "enabled") outgoing.positions.set(workspaceId, Math.max(0, position - 20))
              })
            )
          })
      })
    )
  },
  {
    name: "an endpoint that answers again counts as one that fails",
    breaks: /counts as one that fails/,
    plant: wrongQueue((right, { endpoints }) => ({
      succeed: (ended, at) =>
        Effect.suspend(() => {
          const before = new Map(endpoints)
          return Effect.tap(right.succeed(ended, at), () =>
            Effect.sync(() => {
              for (const { lane } of ended) {
                const [was, is] = [before.get(lane.endpointId), endpoints.get(lane.endpointId)]
                if (was === undefined || is === undefined) continue
                const { failingSince, failuresInRow } = was.endpoint
                const endpoint = new OutgoingEndpoint({ ...is.endpoint, failingSince, failuresInRow })
                endpoints.set(lane.endpointId, { ...is, endpoint })
              }
            })
          )
        })
    }))
  },
  {
    name: "an endpoint counts as failing after three failures",
    breaks: /counts as failing after 3 failures/,
    plant: wrong(OutgoingQueue, (right) =>
      OutgoingQueue.of({
        ...right,
        settle: (lane, ended, judge, at) => {
          const early: typeof judge = (before, one) => {
            const judged = judge(before, one)
            const { endpoint } = judged
            const isEarly = endpoint.status === "enabled" && endpoint.failuresInRow >= 3
            return isEarly ? { ...judged, endpoint: new OutgoingEndpoint({ ...endpoint, status: "failing" }) } : judged
          }
          return right.settle(lane, ended, early, at)
        }
      })
    )
  },
  {
    name: "a webhook brings the event of the one that was written before it",
    breaks: /brings another event than its own/,
    plant: wrongQueue((right) => ({
      append: (from, to, deliveries) =>
        right.append(
          from,
          to,
          deliveries.map((delivery, n) => ({ ...delivery, body: deliveries[n - 1]?.body ?? delivery.body }))
        )
    }))
  },
  {
    name: "the pauses between attempts do not grow",
    breaks: /tried again too soon/,
    plant: judged((right, at) => ({
      ...right,
      nextAttemptAt: Option.map(right.nextAttemptAt, () => DateTime.add(at, { seconds: 5 }))
    }))
  }
]

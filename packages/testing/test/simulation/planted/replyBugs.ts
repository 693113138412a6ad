import { DateTime, Effect, Equal, Option, Result } from "effect"
import type { OperationEntry } from "@loopbox/adapters-memory/memoryInbox"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { OutboundOperation, OutcomeUnknown, Waiting } from "@loopbox/core/outbound/OutboundOperation"
import { type OperationClaim, OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]
type Store = OutboundStore["Service"]

const far = DateTime.makeUnsafe("2200-01-01T00:00:00Z")

const wrongStore = (make: (right: Store, state: State) => Partial<Store>) =>
  wrong(OutboundStore, (right, state) => OutboundStore.of({ ...right, ...make(right, state) }))

const entryOf = ({ inbox }: State, { operation }: OperationClaim): OperationEntry | undefined =>
  inbox.accounts.get(operation.accountId)?.operations.get(operation.id)

/** The claim as if its lease had never been lost. */
const unfenced = (state: State, claim: OperationClaim): OperationClaim => ({
  ...claim,
  token: entryOf(state, claim)?.token ?? claim.token
})

/** Changes operations as they are claimed, in the store as well. */
const asClaimed = (change: (operation: OutboundOperation, now: DateTime.Utc) => OutboundOperation) =>
  wrongStore((right, state) => ({
    claim: (request) =>
      Effect.map(right.claim(request), (claims) =>
        claims.map((claim) => {
          const operation = change(claim.operation, request.now)
          const operations = state.inbox.accounts.get(operation.accountId)?.operations
          const entry = operations?.get(operation.id)
          if (entry !== undefined) operations?.set(operation.id, { ...entry, operation })
          return { ...claim, operation }
        })
      )
  }))

const asWaiting = (operation: OutboundOperation, since: DateTime.Utc) =>
  new OutboundOperation({ ...operation, state: new Waiting({ since }) })

export const replyBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a reply is submitted without a look for its key",
    breaks: /two operations of one key/,
    plant: wrongStore((right) => ({
      submit: (name, decide) => right.submit({ ...name, idempotencyKey: Option.none() }, decide)
    }))
  },
  {
    name: "a worker that lost its lease goes on with the reply: no fencing",
    near: 66,
    breaks: /undecided beyond its deadline|a lease that was lost counted/,
    plant: wrongStore((right, state) => ({
      change: (claim, decide) => Effect.suspend(() => right.change(unfenced(state, claim), decide)),
      reconcile: (claim, ids, decide) => Effect.suspend(() => right.reconcile(unfenced(state, claim), ids, decide))
    }))
  },
  {
    name: "a reply whose worker died is sent again",
    breaks: /two effects of one operation/,
    plant: asClaimed((operation, now) => (operation.state._tag === "Sending" ? asWaiting(operation, now) : operation))
  },
  {
    name: "a reply of unknown outcome is sent again",
    breaks: /two effects of one operation/,
    plant: asClaimed((operation, now) =>
      operation.state._tag === "OutcomeUnknown" ? asWaiting(operation, now) : operation
    )
  },
  {
    name: "a reply that waited for hours is still sent",
    near: 7,
    breaks: /sent late by machine|an attempt began too late/,
    plant: asClaimed((operation, now) => (operation.state._tag === "Waiting" ? asWaiting(operation, now) : operation))
  },
  {
    name: "an attempt may begin 90 seconds after a reply was asked for",
    near: 20,
    breaks: /an attempt began too late/,
    plant: asClaimed((operation) =>
      operation.state._tag === "Waiting" && Equal.equals(operation.state.since, operation.createdAt)
        ? asWaiting(operation, DateTime.add(operation.createdAt, { seconds: 30 }))
        : operation
    )
  },
  {
    name: "each look-up begins the deadline anew",
    breaks: /is OutcomeUnknown/,
    plant: asClaimed((operation, now) =>
      operation.state._tag === "OutcomeUnknown"
        ? new OutboundOperation({
            ...operation,
            state: new OutcomeUnknown({ ...operation.state, attemptedAt: now })
          })
        : operation
    )
  },
  {
    name: "a reply's change is committed without its event",
    breaks: /no event tells that op_|pending remote_succeeded, now Completed/,
    plant: wrongStore((right, { inbox }) => ({
      change: (claim, decide) =>
        Effect.suspend(() => {
          const log = inbox.logs.get(claim.operation.workspaceId)
          const last = log?.last ?? 0
          return Effect.tap(right.change(claim, decide), () =>
            Effect.sync(() => {
              if (log === undefined) return
              log.events = log.events.filter(({ seq }) => seq <= last)
              log.last = last
            })
          )
        })
    }))
  },
  {
    name: "a reply that was not posted is not sent again by whoever asks with its key",
    breaks: /was asked for again, and still waits/,
    plant: wrongStore((right) => ({
      submit: (name, decide) =>
        right.submit(name, (existing, rivals) => {
          const decided = decide(existing, rivals)
          const isHeld = Option.exists(existing, ({ state }) => state._tag === "Held")
          return isHeld && Result.isSuccess(decided) && Option.isSome(existing)
            ? Result.succeed(existing.value)
            : decided
        })
    }))
  },
  {
    name: "a reply is stored anew by whoever asks again with its key",
    breaks: /two operations of one key/,
    plant: wrongStore((right) => ({
      submit: (name, decide) => right.submit(name, (_existing, rivals) => decide(Option.none(), rivals))
    }))
  },
  {
    name: "what a process had claimed is not claimed again",
    breaks: /is Sending/,
    plant: wrongStore((right, { inbox }) => ({
      claim: (request) =>
        Effect.suspend(() => {
          for (const { operations } of inbox.accounts.values()) {
            for (const [id, entry] of operations) {
              if (entry.token !== undefined) operations.set(id, { ...entry, leaseUntil: far })
            }
          }
          return right.claim(request)
        })
    }))
  }
]

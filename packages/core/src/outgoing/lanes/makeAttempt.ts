import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { SocialAccounts } from "../../accounts/SocialAccounts.ts"
import type { CredentialsUnreadable } from "../../accounts/AccountErrors.ts"
import { CredentialVault } from "../../accounts/CredentialVault.ts"
import type { LeaseLost } from "../../kernel/lease/LeaseLost.ts"
import type { StoreUnavailable } from "../../kernel/StoreUnavailable.ts"
import { attemptsOf } from "../deliveryMetrics.ts"
import { typeOfEvent } from "../eventPatterns.ts"
import type { AttemptRecord, OutgoingDelivery } from "../OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "../OutgoingEndpoint.ts"
import { OutgoingQueue } from "../OutgoingQueue.ts"
import { WebhookSender } from "../WebhookSender.ts"
import type { LaneRun } from "./LaneRun.ts"

/** Events that tell a managed user of the end: they are for whoever owned the account then. */
const isFarewell = ({ eventType }: OutgoingDelivery): boolean =>
  eventType === typeOfEvent.AccountMoved || eventType === typeOfEvent.AccountDisconnected

/** What was written while the endpoint was the workspace's or another user's may be asked for again. Examples are made up. */
const isMadeFor = (user: string, { eventSeq, externalUserId }: OutgoingDelivery): boolean =>
  Option.isNone(eventSeq) || Option.contains(externalUserId, user)

/** Makes one attempt; nothing comes back if none was to be made. */
export const makeAttempt = Effect.gen(function* () {
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const accounts = yield* SocialAccounts
  const vault = yield* CredentialVault
  const clock = yield* Clock.Clock

  /** Whether a managed user's endpoint may still have it: the account may be another user's by now (api-2-decided B27). */
  const mayHave = Effect.fnUntraced(function* (user: string, delivery: OutgoingDelivery) {
    const { accountId, workspaceId } = delivery
    if (!isMadeFor(user, delivery)) return false
    if (Option.isNone(accountId) || isFarewell(delivery)) return true
    const account = yield* accounts.findKept(workspaceId, accountId.value)
    const owner = Option.flatMap(account, ({ externalUserId }) => externalUserId)
    return Option.contains(owner, user)
  })

  const send = (
    endpoint: OutgoingEndpoint,
    delivery: OutgoingDelivery,
    secrets: ReadonlyArray<Redacted.Redacted<string>>
  ): Effect.Effect<AttemptRecord | undefined> =>
    Effect.suspend(() => {
      const at = DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())
      return sender.send({ endpoint, delivery, secrets, at })
    })

  // Thousands a second pass here: no generator, and nothing around the sending that it does not need.
  return (
    { batch, lane, opened }: LaneRun,
    delivery: OutgoingDelivery
  ): Effect.Effect<AttemptRecord | undefined, CredentialsUnreadable | LeaseLost | StoreUnavailable> => {
    const { endpoint } = batch
    const sent: Effect.Effect<AttemptRecord | undefined, CredentialsUnreadable> = Effect.flatMap(
      opened.of(batch, vault),
      (secrets) => send(endpoint, delivery, secrets)
    )
    if (Option.isNone(endpoint.externalUserId)) return sent
    const canceled = Metric.update(attemptsOf("canceled"), 1).pipe(
      Effect.andThen(queue.cancel(lane, delivery)),
      Effect.as(undefined)
    )
    const may = mayHave(endpoint.externalUserId.value, delivery)
    return Effect.gen(function* () {
      return (yield* may) ? yield* sent : yield* canceled
    })
  }
})

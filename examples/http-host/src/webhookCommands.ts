import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { CommandFailed } from "./CommandFailed.ts"
import { layerShared } from "./database.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"

/** Deliveries that `list` shows at most. */
const mostListed = 100

const withWebhooks = <A>(config: HostConfig, use: (webhooks: Webhooks["Service"]) => Effect.Effect<A, CommandFailed>) =>
  Effect.flatMap(Webhooks, use).pipe(
    Effect.provide(
      Layer.provide(Webhooks.layer, [layerShared(config, { patience: "10 seconds" }), SecureRandom.layerWebCrypto])
    ),
    explainFailure,
    // What is found is printed, in one place and one form.
    Effect.provide(Logger.layer([]))
  )

export const listFailed = (config: HostConfig) =>
  withWebhooks(config, (webhooks) =>
    webhooks.listFailed({ limit: mostListed, after: Option.none() }).pipe(
      Effect.map(({ items }) =>
        items.map(({ createdAt, endpoint, failedAt, id, reason }) => ({
          id,
          endpoint,
          arrived_at: DateTime.formatIso(createdAt),
          failed_at: DateTime.formatIso(failedAt),
          reason
        }))
      ),
      explainFailure
    )
  )

/** Replays one failed delivery, or all of them; how many. */
export const replay = (config: HostConfig, id: Option.Option<string>) =>
  withWebhooks(config, (webhooks) => {
    if (Option.isNone(id)) return explainFailure(webhooks.replayAll())
    return webhooks.replay(id.value).pipe(
      Effect.as(1),
      Effect.catchTag("DeliveryNotFound", ({ deliveryId }) =>
        Effect.fail(new CommandFailed({ message: `There is no failed delivery ${deliveryId}.` }))
      ),
      explainFailure
    )
  })

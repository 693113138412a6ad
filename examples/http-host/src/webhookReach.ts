import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { HostConfig } from "./hostConfig.ts"

/** What decides whom webhook endpoints may name. */
type Settings = Pick<HostConfig, "networks"> & { readonly edge: Pick<HostConfig["edge"], "webhooksPrivate"> }

/** Where the networks are simulated, so is the customer's receiver, as a rule: on this machine. */
export const allowsPrivate = ({ edge, networks }: Settings): boolean =>
  Option.match(edge.webhooksPrivate, {
    onNone: () => networks === "sandbox",
    onSome: (given) => given === "on"
  })

/** Says whom this process calls for whoever has a key, which is seen nowhere until somebody names such an address. */
export const reachCheck = (settings: Settings): HealthCheck => ({
  name: "webhooks",
  run: Effect.succeed(
    allowsPrivate(settings)
      ? "endpoints may have http and private addresses (LOOPBOX_WEBHOOKS_PRIVATE is on)"
      : "endpoints have https and public addresses only (LOOPBOX_WEBHOOKS_PRIVATE is off)"
  )
})

const reach = Metric.gauge("loopbox_webhooks_private", {
  description: "1 where webhook endpoints may have http and private addresses (LOOPBOX_WEBHOOKS_PRIVATE), else 0"
})

/** Sets the gauge of this process. */
export const layerReachGauge = (settings: Settings): Layer.Layer<never> =>
  Layer.effectDiscard(Metric.update(reach, allowsPrivate(settings) ? 1 : 0))

import { defaultBaseUrls } from "@loopbox/adapters-social"
import { type Network, networks } from "@loopbox/adapters-social/names"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import { askUrl } from "./askUrl.ts"
import { isUntouched, layerShared } from "./database.ts"
import { examineAccounts } from "./examineAccounts.ts"
import type { HostConfig } from "./hostConfig.ts"
import { findLinkedFile } from "./linkedFile.ts"
import { type NetworkFinding, unchecked, unwell, well } from "./NetworkFinding.ts"
import { type LoginReport, networkReport } from "./networkReport.ts"
import { networkSettings } from "./networkSettings.ts"
import { examinePublic } from "./publicAddress.ts"
import { explainFailure } from "./startFailure.ts"

/** Whether somebody has begun to set the network up here. */
const isBegun = ({ baseUrls }: HostConfig, reports: ReadonlyArray<LoginReport>, network: Network): boolean =>
  baseUrls[network] !== undefined ||
  reports.some(
    (one) => one.network === network && one.settings.some(({ is_set, use }) => is_set && use === "connecting")
  )

const isNeeded = (config: HostConfig, { is_default, settings }: LoginReport): boolean =>
  is_default || settings.some(({ is_set, use }) => is_set && use === "connecting" && config.networks === "live")

/** Ids that were given to the wrong setting: each product of Meta has one of its own. */
const mixedUp = ({ appIds }: HostConfig, network: string): string | undefined => {
  const own =
    network === "threads" ? appIds.threads : network === "instagram" ? appIds.instagram : Option.none<string>()
  const name = network === "threads" ? networkSettings.threadsAppId.name : networkSettings.instagramAppId.name
  return Option.isSome(own) && Option.contains(appIds.meta, own.value)
    ? `${name} is the Meta app's id; ${network === "threads" ? "Threads" : "Instagram Login"} shows one of its own in the dashboard.`
    : undefined
}

/** Whether what connecting and webhooks need is there. */
const judgeSettings = (config: HostConfig, report: LoginReport): NetworkFinding => {
  const name = `${report.network} app`
  const { login, missing, network, settings } = report
  if (config.networks === "sandbox") return well(name, "the sandbox's own; no setting is needed.")
  const unset = settings.filter(({ is_set }) => !is_set)
  if (unset.length === settings.length) {
    return unchecked(
      name,
      `not set up: ${missing.join(", ")} are not set, so that none of its accounts can be connected.`
    )
  }
  const wrong = login === "facebook" ? undefined : mixedUp(config, network)
  if (wrong !== undefined) return unwell(name, wrong)
  if (missing.length > 0) return unwell(name, `no account can be connected: ${missing.join(", ")} missing.`)
  const deaf = unset.filter(({ use }) => use === "webhooks").map((one) => one.name)
  if (deaf.length === 0) return well(name, `complete; redirect address ${report.redirect_url}`)
  const consequence = `accounts can be connected, but no webhooks come: ${deaf.join(", ")} not set`
  // Without the bearer X is polled, which is a choice.
  return network === "x" ? well(name, `${consequence}; its accounts are polled.`) : unwell(name, `${consequence}.`)
}

/** Whether a network answers at all, whatever it says. */
const examineHost = ({ baseUrls, networks: kind }: HostConfig, network: Network): Effect.Effect<NetworkFinding> => {
  const name = `${network} host`
  const url = baseUrls[network] ?? defaultBaseUrls[network]
  if (kind === "sandbox" && baseUrls[network] === undefined) {
    return Effect.succeed(unchecked(name, "the sandbox's is in the host's own process."))
  }
  return askUrl("GET", url).pipe(
    Effect.map(({ status }) =>
      status < 500 ? well(name, `${url} answers`) : unwell(name, `${url} answers ${status}: look at its status page.`)
    ),
    Effect.catchTag("NotReached", ({ message }) =>
      Effect.succeed(unwell(name, `${url}: ${message}. Does a firewall or a proxy keep this machine from it?`))
    )
  )
}

/** What needs the database, beside the hosts that run; one that is away is a finding. */
const examineStored = Effect.fnUntraced(function* (config: HostConfig) {
  if (yield* isUntouched(config)) return yield* examinePublic(config, () => Effect.succeedNone)
  const addresses = examinePublic(config, (url) =>
    Effect.orElseSucceed(findLinkedFile(config)(url), () => Option.none())
  )
  return yield* Effect.all([examineAccounts, addresses]).pipe(
    Effect.map((findings) => findings.flat()),
    Effect.provide(layerShared(config, { patience: "1 minute" })),
    explainFailure,
    Effect.catchTag("CommandFailed", ({ message }) =>
      Effect.succeed([unwell("accounts", `they cannot be looked at: ${message}`)])
    )
  )
})

/**
 * Looks at what connecting and publishing need of the networks and of the host's public address, and at how well the
 * connected accounts are. Each question has a limit of time; nothing is changed, here or there.
 */
export const examineNetworks = Effect.fnUntraced(
  function* (config: HostConfig) {
    const reports = yield* networkReport(config)
    const apps = reports.filter((one) => isNeeded(config, one)).map((one) => judgeSettings(config, one))
    const begun = networks.filter((network) => isBegun(config, reports, network))
    const hosts = yield* Effect.forEach(begun, (network) => examineHost(config, network), { concurrency: "unbounded" })
    return [...apps, ...hosts, ...(yield* examineStored(config))]
  },
  // What is found is printed, in one place and one form.
  Effect.provide(Logger.layer([]))
)

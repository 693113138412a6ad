import { Administration } from "@loopbox/core/access/Administration"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { allFeatures } from "@loopbox/core/networks/Feature"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { program, quoted } from "./programName.ts"
import type { HostConfig } from "./hostConfig.ts"

/** The workspace to try things out in. */
export const demoName = "Demo"

/**
 * An address at which whoever sits before the host connects an account of the simulated Instagram; none where a server of
 * their own has Instagram's place, and no app of theirs is set up.
 */
const makeAddress = Effect.fnUntraced(
  function* (publicUrl: string, workspaceId: WorkspaceId) {
    const sessions = yield* ConnectSessions
    const { linkToken } = yield* sessions.create(new WorkspaceScope({ workspaceId }), {
      network: "instagram",
      externalUserId: Option.some("customer_1"),
      returnUrl: Option.none(),
      features: allFeatures,
      socialAccountId: Option.none()
    })
    return Option.some(`${publicUrl}/connect/${Redacted.value(linkToken)}`)
  },
  Effect.catchTag("NetworkNotConfigured", () => Effect.succeedNone),
  Effect.catchTags({
    ReturnUrlInvalid: Effect.die,
    ScopeInvalid: Effect.die,
    AccountNotFound: Effect.die,
    AccountOfOtherNetwork: Effect.die,
    OwnerMismatch: Effect.die,
    ManagedUserNotFound: Effect.die,
    WorkspaceNotFound: Effect.die
  })
)

/** Only where the networks are simulated: at real ones nobody connects an account to a Demo. */
export const findConnectAddress = Effect.fnUntraced(function* (url: string, { networks, publicUrl }: HostConfig) {
  if (networks !== "sandbox") return Option.none<string>()
  const administration = yield* Administration
  const { items } = yield* administration.listWorkspaces({ limit: 100, after: Option.none() })
  const demo = items.find(({ name }) => name === demoName)
  return demo === undefined
    ? Option.none<string>()
    : yield* makeAddress(
        Option.getOrElse(publicUrl, () => url),
        demo.id
      )
})

/** Where to click, and how to get more of it. */
export const connectIt = (address: Option.Option<string>, dataFolder: string): ReadonlyArray<string> =>
  Option.match(address, {
    onNone: () => [],
    onSome: (link) => [
      "Connect an account of the simulated Instagram, as a customer of yours does. Open it within 30 minutes:",
      "",
      `  ${link}`,
      "",
      "# Get an address for another network, and wait for what comes of it:",
      `LOOPBOX_DATA=${quoted(dataFolder)} ${program} account connect --network facebook`,
      ""
    ]
  })

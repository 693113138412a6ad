import { Network, networks } from "../../names.ts"
import * as Schema from "effect/Schema"
import type { Logins } from "../oauth/Logins.ts"

/** What one changes of an app, as in the network's dashboard. */
export const AppChange = Schema.Struct({
  network: Network,
  /** The only address that people are sent back to. */
  redirect_uri: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^https?:\/\//))),
  is_in_development: Schema.optionalKey(Schema.Boolean)
})

/** Our apps, without their secrets. */
export const appBodies = ({ apps }: Logins) =>
  networks.map((network) => {
    const { isInDevelopment, redirectUri } = apps.stateOf(network)
    return {
      network,
      client_id: apps.of(network).id,
      redirect_uri: redirectUri ?? null,
      is_in_development: isInDevelopment
    }
  })

/** Who may sign in, and with what. */
export const peopleBodies = ({ owners }: Logins) =>
  networks.flatMap((network) =>
    owners.of(network).map(({ accounts, id, name }) => ({
      network,
      id,
      name,
      accounts: accounts.map(({ accountId, name }) => ({ network_account_id: accountId, name }))
    }))
  )

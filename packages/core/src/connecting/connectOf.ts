import { type Connectors, connectorTo } from "../networks/Connectors.ts"
import type { NetworkConnect } from "../networks/NetworkConnect.ts"
import type { ConnectSession } from "./ConnectSession.ts"

/** How accounts of a network are connected by a login, if this process knows it. */
export const connectOf = (
  connectors: Connectors["Service"],
  { login, network }: Pick<ConnectSession, "login" | "network">
): NetworkConnect | undefined => connectorTo(connectors, network).connect?.find((one) => one.login === login)

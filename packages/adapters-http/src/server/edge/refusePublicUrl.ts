import type { PublicUrlRequired } from "@loopbox/core/media/MediaErrors"
import { networkTitle } from "../../api/names.ts"
import { refuse } from "./refuse.ts"

/** Networks that load files from addresses can't reach this host. */
export const refusePublicUrl = ({ networks }: PublicUrlRequired) =>
  refuse(
    "PUBLIC_URL_REQUIRED",
    `${networks.map(networkTitle).join(" and ")} can't load files from this machine's own address. Set LOOPBOX_PUBLIC_URL ` +
      "to an address that the internet reaches."
  )

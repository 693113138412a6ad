import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import { facebookReader } from "../facebook/facebookWebhook.ts"
import { instagramReader } from "../instagram/instagramWebhook.ts"
import { metaWebhook } from "./metaWebhook.ts"

/** Meta's webhook: Instagram and Facebook share one endpoint, and each envelope says whose it is. */
export const normaliseMeta: Normalise = metaWebhook(
  new Map([
    ["instagram", instagramReader],
    ["page", facebookReader]
  ])
)

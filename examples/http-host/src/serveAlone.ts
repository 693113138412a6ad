import * as NodeServices from "@effect/platform-node/NodeServices"
import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { exitCodeOf, reportFailure } from "./reportFailure.ts"
import { serve } from "./serve.ts"

/**
 * `loopbox serve` without options, as an image runs it, to its exit code: there is nothing to read on the command line, and what
 * reads it need not be loaded.
 */
export const serveAlone: Effect.Effect<number> = serve({}).pipe(
  Effect.tapCause(reportFailure),
  Effect.provide(Layer.mergeAll(NodeServices.layer, SocialNetworks.layer, SecureRandom.layerWebCrypto)),
  Effect.exit,
  Effect.map(exitCodeOf)
)

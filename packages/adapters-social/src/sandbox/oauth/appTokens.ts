import * as Redacted from "effect/Redacted"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { graphError } from "../graph/graphAnswers.ts"
import { digitsOf } from "../worldIds.ts"

type Network = "instagram" | "facebook" | "threads"

const secretOf = (network: Network, { logins: { apps } }: Scene): string => {
  const { secret } = apps.of(network)
  return secret === undefined ? "" : Redacted.value(secret)
}

const threadsToken = (scene: Scene): string => {
  const { id } = scene.logins.apps.of("threads")
  return `TH|${id}|${digitsOf(`${id} ${secretOf("threads", scene)}`, 27)}`
}

/** Whether it is a token of our app, and not of a person: its id and secret, or on Threads one that was asked for. */
export const isAppToken = (network: Network, scene: Scene, token: string | undefined): boolean => {
  const { id } = scene.logins.apps.of(network)
  return token === `${id}|${secretOf(network, scene)}` || (network === "threads" && token === threadsToken(scene))
}

/** `grant_type=client_credentials`. */
export const appToken = (network: "facebook" | "threads", scene: Scene, ask: Ask): SandboxAnswer => {
  const { apps } = scene.logins
  const { id } = apps.of(network)
  if (ask.text("client_id") !== id || !apps.isSecret(network, ask.input("client_secret"))) {
    return graphError(400, 1, undefined, "Error validating client secret.")
  }
  const access_token = network === "threads" ? threadsToken(scene) : `${id}|${secretOf(network, scene)}`
  return { status: 200, body: { access_token, token_type: "bearer" } }
}

/** `GET /oauth/access_token` of Threads. */
export const threadsAppToken: Operation = {
  name: "app_token",
  openAnswer: (scene, ask) =>
    ask.text("grant_type") === "client_credentials"
      ? appToken("threads", scene, ask)
      : graphError(400, 100, undefined, "(#100) Param grant_type must be client_credentials")
}

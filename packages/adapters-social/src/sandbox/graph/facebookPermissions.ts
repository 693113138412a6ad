import * as Option from "effect/Option"
import { isAppToken } from "../oauth/appTokens.ts"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { graphError } from "./graphAnswers.ts"

const network = "facebook"

/** `GET /me/permissions`. */
const list: Operation = {
  name: "permissions",
  personAnswer: ({ grant, logins, person, tokens }) => {
    const { declined, granted } = logins.consents.of(network, person.id)
    const data = [...granted, ...declined].map((permission) => ({
      permission,
      status: granted.has(permission) && tokens.permits(grant, permission) ? "granted" : "declined"
    }))
    return { status: 200, body: { data } }
  }
}

/** The person whom a token, or that of the app, may speak of. */
const personOf = (scene: Scene, { authorization, param, text }: Ask): string | undefined => {
  const token = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? text("access_token")
  const id = param("id")
  if (isAppToken(network, scene, token)) return scene.logins.owners.find(network, id)?.id
  const grant = token === undefined ? Option.none() : scene.tokens.find(network, token)
  if (Option.isNone(grant) || grant.value.isRevoked || grant.value.accountId !== grant.value.personId) return undefined
  return id === "me" || id === grant.value.personId ? grant.value.personId : undefined
}

/** Takes permissions back, or with none named the app itself: all tokens that came of it end. */
const takeBack = (scene: Scene, ask: Ask): SandboxAnswer => {
  const { logins, subscriptions, tokens } = scene
  const personId = personOf(scene, ask)
  const person = personId === undefined ? undefined : logins.owners.find(network, personId)
  if (person === undefined) return graphError(400, 190, undefined, "Invalid OAuth access token.")
  const pageIds = person.accounts.map(({ accountId }) => accountId)
  const permission = ask.param("permission")
  if (permission !== "") {
    logins.consents.withdraw(network, person.id, [permission])
    tokens.withdraw(network, [person.id, ...pageIds], [permission])
    return { status: 200, body: { success: true } }
  }
  logins.consents.remove(network, person.id)
  tokens.endAll(network, [person.id, ...pageIds])
  for (const accountId of pageIds) subscriptions.set({ network, accountId }, false)
  return { status: 200, body: { success: true } }
}

const remove: Operation = { name: "remove_permissions", openAnswer: takeBack }

/** `/{person}/permissions`: what the person has allowed. */
export const facebookPermissions = { list, remove }

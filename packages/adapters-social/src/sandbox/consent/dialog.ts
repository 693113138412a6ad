import type { Network } from "../../names.ts"
import * as Result from "effect/Result"
import type { Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { peoplePage } from "./consentPages.ts"
import { approve, choose, deny } from "./decide.ts"
import { readDialog } from "./dialogRequest.ts"
import type { DialogRequest } from "./dialogRequest.ts"
import type { Preset } from "./Presets.ts"

const decided = (scene: Scene, dialog: DialogRequest, preset: Preset): SandboxAnswer => {
  if (preset.decision === "hang") return { status: 504, body: "", hangs: true }
  if (preset.decision === "deny") return deny(dialog)
  const { owners } = scene.logins
  const owner = preset.person === undefined ? owners.of(dialog.network)[0] : owners.find(dialog.network, preset.person)
  const accounts = preset.accounts ?? owner?.accounts.map(({ accountId }) => accountId) ?? []
  return approve(scene, dialog, {
    personId: owner?.id ?? preset.person,
    accountIds: accounts.filter((id) => preset.without_accounts?.includes(id) !== true),
    permissions: dialog.scopes.filter((scope) => preset.without_permissions?.includes(scope) !== true)
  })
}

const opened = (scene: Scene, ask: Ask, dialog: DialogRequest): SandboxAnswer => {
  const { apps, owners, presets } = scene.logins
  // To whoever has no part in the app it looks as if the person had said no.
  if (apps.stateOf(dialog.network).isInDevelopment) return deny(dialog)
  const preset = presets.take(dialog.network)
  if (preset !== undefined) return decided(scene, dialog, preset)
  const personId = ask.text("person")
  return personId === undefined
    ? peoplePage(dialog, owners.of(dialog.network), ask.path)
    : choose(scene, dialog, personId, ask.path)
}

/** A list of the form; its empty member says that it was there. */
const listed = (ask: Ask, name: string): ReadonlyArray<string> | undefined => {
  const values = ask.texts(name)
  return values.length === 0 ? undefined : values.filter((value) => value !== "")
}

/** `GET` of the dialog: pages for people, or the decision that was ordered. */
export const openDialog = (network: Network): Operation => ({
  name: "authorize",
  openAnswer: (scene, ask) =>
    Result.match(readDialog(network, scene, ask), {
      onFailure: (page) => page,
      onSuccess: (dialog) => opened(scene, ask, dialog)
    })
})

/**
 * `POST` of the dialog, by its form or by a machine: its own parameters with `decision` (`approve`, `deny`), `person`,
 * `account` and `permission`, these two repeatable. What is left out is the first person, and everything.
 */
export const decideDialog = (network: Network): Operation => ({
  name: "decide",
  openAnswer: (scene, ask) =>
    Result.match(readDialog(network, scene, ask), {
      onFailure: (page) => page,
      onSuccess: (dialog) =>
        ask.text("decision") === "approve" && !scene.logins.apps.stateOf(network).isInDevelopment
          ? approve(scene, dialog, {
              personId: ask.text("person"),
              accountIds: listed(ask, "account"),
              permissions: listed(ask, "permission")
            })
          : deny(dialog)
    })
})

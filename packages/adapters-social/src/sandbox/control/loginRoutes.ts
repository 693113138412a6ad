import * as Effect from "effect/Effect"
import { Preset } from "../consent/Presets.ts"
import type { Sandbox } from "../Sandbox.ts"
import { SandboxRefused } from "../Writing.ts"
import { control, done, look } from "./controlRoute.ts"
import { AppChange, appBodies, peopleBodies } from "./loginInputs.ts"

/** Our apps at the networks, who signs in, and what they choose. */
export const loginRoutes = ({ api: { logins } }: Sandbox["Service"]) => [
  control("apps", AppChange, ({ is_in_development, network, redirect_uri }) => {
    if (network === "x" && is_in_development === true) {
      return Effect.fail(new SandboxRefused({ reason: "Apps of X are not put into development." }))
    }
    return Effect.sync(() => {
      logins.apps.change(network, {
        ...(redirect_uri === undefined ? {} : { redirectUri: redirect_uri }),
        ...(is_in_development === undefined ? {} : { isInDevelopment: is_in_development })
      })
      return done(appBodies(logins))
    })
  }),
  control("consent", Preset, (preset) => {
    if (preset.person !== undefined && logins.owners.find(preset.network, preset.person) === undefined) {
      return Effect.fail(
        new SandboxRefused({ reason: `Nobody signs in at ${preset.network} as ${preset.person} here.` })
      )
    }
    return Effect.sync(() => {
      logins.presets.set(preset)
      return done(logins.presets.list())
    })
  }),
  look("apps", () => appBodies(logins)),
  look("consent", () => logins.presets.list()),
  look("people", () => peopleBodies(logins))
]

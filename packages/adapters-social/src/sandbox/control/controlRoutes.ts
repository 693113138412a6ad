import * as Effect from "effect/Effect"
import { ApiFault, ClearFaults } from "../faults/ApiFaults.ts"
import { accountBodies, requestBody, sentBodies } from "./controlBodies.ts"
import {
  AccountsInput,
  EditInput,
  HideInput,
  Nothing,
  TokensInput,
  toPersonWrites,
  WritingInput,
  WrittenInput
} from "./controlInputs.ts"
import { accountRoutes } from "./accountRoutes.ts"
import { control, done, look } from "./controlRoute.ts"
import type { Answer } from "./controlRoute.ts"
import { loginRoutes } from "./loginRoutes.ts"
import { Release } from "../faults/Faults.ts"
import { simulated } from "../networkRoutes.ts"
import type { Done, Sandbox } from "../Sandbox.ts"
import { SettingsChange } from "../Settings.ts"
import { SandboxRefused } from "../Writing.ts"
import { worldRoutes } from "./worldRoutes.ts"

const created = ({ id, isTold }: Done): Answer => ({ status: 201, body: { id, is_told: isTold } })

/** A fault that no request could ever meet is a mistake of whoever orders it. */
const setFault = (sandbox: Sandbox["Service"], fault: ApiFault): Effect.Effect<Answer, SandboxRefused> => {
  const known = simulated.find(({ network }) => network === fault.network)?.operations ?? []
  if (fault.endpoint !== undefined && !known.includes(fault.endpoint)) {
    const reason = `${fault.network} has no endpoint ${fault.endpoint} here; it has ${[...new Set(known)].toSorted().join(", ")}.`
    return Effect.fail(new SandboxRefused({ reason }))
  }
  return Effect.sync(() => {
    sandbox.api.faults.set(fault)
    return { status: 201, body: fault }
  })
}

/** The people's actions. */
const peopleRoutes = (sandbox: Sandbox["Service"]) => [
  ...(["comment", "message", "mention", "quote", "post"] as const).map((name) =>
    control(name, WritingInput, (input) => Effect.map(sandbox[name](toPersonWrites(input), input.faults), created))
  ),
  control("edit", EditInput, (input) => Effect.map(sandbox.edit(input, input.faults), created)),
  control("delete", WrittenInput, (input) => Effect.map(sandbox.remove(input, input.faults), created)),
  control("hide", HideInput, (input) =>
    Effect.map(sandbox.hide({ ...input, isHidden: input.is_hidden ?? true }, input.faults), created)
  ),
  control("release", Release, (how) => Effect.map(sandbox.release(how), (released) => done({ released })))
]

/** What one does to the networks, and looks up in them; JSON alone. */
export const controlRoutes = (sandbox: Sandbox["Service"]) => {
  const { api, world } = sandbox
  return [
    ...peopleRoutes(sandbox),
    ...loginRoutes(sandbox),
    ...accountRoutes(sandbox),
    ...worldRoutes(sandbox),
    control("faults", ApiFault, (fault) => setFault(sandbox, fault)),
    control("faults/clear", ClearFaults, (which) => Effect.sync(() => done({ cleared: api.faults.clear(which) }))),
    control("settings", SettingsChange, (change) => Effect.sync(() => done(api.changeSettings(change)))),
    control("tokens", TokensInput, ({ network, ...change }) =>
      Effect.map(sandbox.now, (at) => done({ changed: api.tokens.change(network, change, at) }))
    ),
    ...([true, false] as const).map((isSubscribed) =>
      control(isSubscribed ? "subscribe" : "unsubscribe", AccountsInput, ({ account_id, network }) =>
        Effect.map(sandbox.subscribe({ network, accountId: account_id, isSubscribed }), (changed) => done({ changed }))
      )
    ),
    control("requests/clear", Nothing, () =>
      Effect.sync(() => {
        api.forgetRequests()
        return done({})
      })
    ),
    look("accounts", () => accountBodies(world, api.subscriptions)),
    look("tokens", () => api.tokens.listSecrets()),
    look("sent", () => sentBodies(world)),
    look("faults", () => api.faults.list()),
    look("settings", () => api.readSettings()),
    look("requests", () => api.listRequests().map(requestBody)),
    look("endpoints", () =>
      simulated.flatMap(({ network, operations }) =>
        [...new Set(operations)].map((endpoint) => ({ network, endpoint }))
      )
    )
  ]
}

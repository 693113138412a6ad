import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
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
import { Release } from "../faults/Faults.ts"
import { simulated } from "../networkRoutes.ts"
import type { Done, Sandbox } from "../Sandbox.ts"
import { SettingsChange } from "../Settings.ts"
import { SandboxRefused } from "../Writing.ts"

interface Answer {
  readonly status: number
  readonly body: unknown
}

const json = ({ body, status }: Answer) => HttpServerResponse.jsonUnsafe(body, { status })
const refused = (status: number, error: string): Answer => ({ status, body: { error } })

/** A web page can't send this type to another origin without being asked, and is never answered that it may. */
const isJson = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")
)

/** A route with a JSON input: 415 of another type, 400 when it can't be read, 409 when no network would do it. */
const control = <S extends Schema.ConstraintDecoder<unknown>>(
  name: string,
  input: S,
  act: (input: S["Type"]) => Effect.Effect<Answer, SandboxRefused>
) =>
  HttpRouter.route(
    "POST",
    `/sandbox/${name}`,
    Effect.gen(function* () {
      if (!(yield* isJson)) return json(refused(415, "The content type must be application/json."))
      return yield* HttpServerRequest.schemaBodyJson(input).pipe(
        Effect.flatMap(act),
        Effect.catchTags({
          SandboxRefused: ({ reason }) => Effect.succeed(refused(409, reason)),
          SchemaError: ({ message }) => Effect.succeed(refused(400, message)),
          HttpServerError: () => Effect.succeed(refused(400, "The body is not JSON."))
        }),
        Effect.map(json)
      )
    })
  )

const look = (name: string, body: () => unknown) =>
  HttpRouter.route(
    "GET",
    `/sandbox/${name}`,
    Effect.sync(() => json({ status: 200, body: body() }))
  )

const created = ({ id, isTold }: Done): Answer => ({ status: 201, body: { id, is_told: isTold } })
const done = (body: unknown): Answer => ({ status: 200, body })

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

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { CommandFailed } from "../CommandFailed.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { readAddresses } from "../serving.ts"

export const Done = Schema.Struct({ id: Schema.String, is_told: Schema.Boolean })
export const Released = Schema.Struct({ released: Schema.Int })
export const Accounts = Schema.Array(
  Schema.Struct({
    network: Schema.String,
    network_account_id: Schema.String,
    name: Schema.String,
    username: Schema.String,
    is_subscribed: Schema.Boolean
  })
)

export const Cleared = Schema.Struct({ cleared: Schema.Int })
export const Changed = Schema.Struct({ changed: Schema.Int })
export const Endpoint = Schema.Struct({ network: Schema.String, endpoint: Schema.String })
export const Sent = Schema.Struct({
  network: Schema.String,
  network_account_id: Schema.String,
  kind: Schema.String,
  id: Schema.String,
  text: Schema.String,
  in_reply_to: Schema.NullOr(
    Schema.Struct({ to: Schema.String, id: Schema.String, text: Schema.NullOr(Schema.String) })
  ),
  metadata: Schema.NullOr(Schema.String),
  sent_at: Schema.String,
  is_deleted: Schema.Boolean
})
export const AccountState = Schema.Struct({
  network: Schema.String,
  network_account_id: Schema.String,
  through_account_id: Schema.NullOr(Schema.String),
  person_id: Schema.NullOr(Schema.String),
  has_role: Schema.Boolean,
  is_subscribed: Schema.Boolean,
  fields: Schema.Array(Schema.String),
  events: Schema.Array(Schema.String),
  is_in_development: Schema.Boolean,
  tokens: Schema.Array(
    Schema.Struct({
      state: Schema.String,
      permissions: Schema.Array(Schema.String),
      issued_at: Schema.String,
      expires_at: Schema.NullOr(Schema.String)
    })
  )
})
export const CallbackOutcome = Schema.Struct({
  person_id: Schema.String,
  status: Schema.Int,
  confirmation_code: Schema.NullOr(Schema.String),
  status_page: Schema.NullOr(Schema.Int),
  problems: Schema.Array(Schema.String)
})
export const App = Schema.Struct({
  network: Schema.String,
  client_id: Schema.String,
  redirect_uri: Schema.NullOr(Schema.String),
  is_in_development: Schema.Boolean
})
export const Owner = Schema.Struct({
  network: Schema.String,
  id: Schema.String,
  name: Schema.String,
  accounts: Schema.Array(Schema.Struct({ network_account_id: Schema.String, name: Schema.String }))
})
export { Preset } from "@loopbox/adapters-social/sandbox/consent/Presets"
export { ApiFault } from "@loopbox/adapters-social/sandbox/faults/ApiFaults"
export { Settings } from "@loopbox/adapters-social/sandbox/Settings"

const Refusal = Schema.fromJsonString(Schema.Struct({ error: Schema.String }))

/** The simulator of the host that serves the data folder. */
const findSandbox = Effect.gen(function* () {
  const { dataFolder } = yield* loadHostConfig()
  const addresses = yield* readAddresses(dataFolder)
  if (Option.isNone(addresses)) {
    return yield* new CommandFailed({
      message: `No host serves ${dataFolder}. Start one with \`loopbox serve\`.`
    })
  }
  const { sandboxUrl } = addresses.value
  if (Option.isSome(sandboxUrl)) return sandboxUrl.value
  return yield* new CommandFailed({
    message: "This host has no simulated networks. LOOPBOX_NETWORKS=sandbox gives it some."
  })
})

/** Calls a control route of the simulator: with a body by POST, without one by GET. */
export const callSandbox = Effect.fnUntraced(
  function* <S extends Schema.ConstraintDecoder<unknown>>(
    answer: S,
    path: string,
    body?: Readonly<Record<string, Schema.Json>>
  ) {
    const url = yield* findSandbox
    const client = yield* HttpClient.HttpClient
    const request =
      body === undefined
        ? HttpClientRequest.get(`${url}${path}`)
        : HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${url}${path}`), body)
    const response = yield* client.execute(request)
    const text = yield* response.text
    if (response.status < 400) return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(answer))(text)
    const refusal = Schema.decodeUnknownOption(Refusal)(text)
    return yield* new CommandFailed({
      message: Option.match(refusal, {
        onNone: () => `The simulator answered ${response.status}.`,
        onSome: (said) => said.error
      })
    })
  },
  Effect.timeout("30 seconds"),
  Effect.catchTags({
    HttpClientError: () => new CommandFailed({ message: "The simulator cannot be reached. Is the host running?" }),
    TimeoutError: () => new CommandFailed({ message: "The simulator did not answer within 30 seconds." }),
    SchemaError: Effect.die
  }),
  Effect.provide(FetchHttpClient.layer)
)

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlags } from "./connection.ts"
import { jsonFlag } from "./output.ts"
import { countFlag, textFlag } from "./sandboxInputs.ts"
import type { EndpointAsker } from "./webhookEndpointCalls.ts"

const calls = Effect.promise(() => import("./webhookEndpointCalls.ts"))

const commonFlags = { ...connectionFlags, json: jsonFlag }

interface CommonFlags {
  readonly url: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  readonly json: boolean
}

const askerOf = ({ apiKeyFile, json, url }: CommonFlags): EndpointAsker => ({ connection: { url, apiKeyFile }, json })

const endpointArgument = Argument.String("endpoint").pipe(Argument.withDescription("The endpoint's id: whe_…"))
const deliveryArgument = Argument.String("delivery").pipe(Argument.withDescription("The delivery's id: whd_…"))

const create = Command.make(
  "create",
  {
    address: Argument.String("address").pipe(
      Argument.withDescription("Where events are posted: https, and http where the host allows it")
    ),
    events: textFlag("events", "Only these: types or `inbox.*`, separated by commas; all if left out"),
    externalUserId: textFlag("external-user-id", "Only events of accounts that this managed user owns"),
    description: textFlag("description", "What it is for"),
    isOrdered: Flag.Boolean("ordered").pipe(
      Flag.withDefault(false),
      Flag.withDescription("One event at a time, in order")
    ),
    ...commonFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { createEndpoint } = yield* calls
    yield* createEndpoint(askerOf(flags), flags)
  })
).pipe(
  Command.withDescription("Have every change of the workspace posted to an address of yours, signed"),
  Command.withExamples([
    { command: "loopbox webhook-endpoint create https://app.example/hook", description: "Everything" },
    {
      command: "loopbox webhook-endpoint create https://app.example/hook --events 'inbox.*,post.failed'",
      description: "What happens in the inbox, and posts that fail"
    }
  ])
)

const list = Command.make(
  "list",
  commonFlags,
  Effect.fnUntraced(function* (flags) {
    const { listEndpoints } = yield* calls
    yield* listEndpoints(askerOf(flags))
  })
).pipe(Command.withDescription("List the endpoints, newest first"))

const test = Command.make(
  "test",
  {
    endpoint: endpointArgument,
    type: textFlag("type", "The type of the example (inbox.new_item)"),
    ...commonFlags
  },
  Effect.fnUntraced(function* ({ endpoint, type, ...flags }) {
    const { sendExample } = yield* calls
    yield* sendExample(askerOf(flags), endpoint, type)
  })
).pipe(Command.withDescription("Post an example now, and show what was answered; exit 1 unless it was 2xx"))

const deliveries = Command.make(
  "deliveries",
  {
    endpoint: endpointArgument,
    status: Flag.Literals("status", ["pending", "delivered", "failed", "canceled"]).pipe(
      Flag.optional,
      Flag.withDescription("Only with this status")
    ),
    limit: countFlag("limit", [1, 100], "How many (50)"),
    cursor: textFlag("cursor", "Go on from a page's `next_cursor`; with the same filters"),
    ...commonFlags
  },
  Effect.fnUntraced(function* ({ cursor, endpoint, limit, status, ...flags }) {
    const { listDeliveries } = yield* calls
    yield* listDeliveries(askerOf(flags), endpoint, { status, limit, cursor })
  })
).pipe(Command.withDescription("List what was posted to an endpoint in the last 30 days, newest first"))

const delivery = Command.make(
  "delivery",
  { endpoint: endpointArgument, delivery: deliveryArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ delivery: id, endpoint, ...flags }) {
    const { showDelivery } = yield* calls
    yield* showDelivery(askerOf(flags), endpoint, id)
  })
).pipe(Command.withDescription("Show a delivery: what is posted, and what came of each attempt"))

const redeliver = Command.make(
  "redeliver",
  { endpoint: endpointArgument, delivery: deliveryArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ delivery: id, endpoint, ...flags }) {
    const { redeliver: again } = yield* calls
    yield* again(askerOf(flags), endpoint, id)
  })
).pipe(Command.withDescription("Have a delivery posted again, whatever came of it"))

const remove = Command.make(
  "delete",
  { endpoint: endpointArgument, ...commonFlags },
  Effect.fnUntraced(function* ({ endpoint, ...flags }) {
    const { deleteEndpoint } = yield* calls
    yield* deleteEndpoint(askerOf(flags), endpoint)
  })
).pipe(Command.withDescription("Delete an endpoint with its deliveries"))

export const webhookEndpointCommand = Command.make("webhook-endpoint").pipe(
  Command.withAlias("webhook-endpoints"),
  Command.withDescription(
    "Addresses of yours that changes are posted to: make, list and test them, see what was posted"
  ),
  Command.withSubcommands([create, list, test, deliveries, delivery, redeliver, remove])
)

import { networks } from "@loopbox/core/connectors/Source"
import type { Network } from "@loopbox/core/connectors/Source"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Faults, ReadFault, Release } from "./Faults.ts"
import { answerGraph, answerXPost, answerXUser } from "./readAnswers.ts"
import type { SandboxAnswer, SandboxRead } from "./readAnswers.ts"
import { Sandbox } from "./Sandbox.ts"
import type { Done } from "./Sandbox.ts"
import type { SandboxRefused, World } from "./World.ts"

const json = ({ body, headers = {}, status }: SandboxAnswer): HttpServerResponse.HttpServerResponse =>
  typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType: "text/html" })
    : HttpServerResponse.jsonUnsafe(body, { status, headers })

const asked = Effect.fnUntraced(function* (network: Network) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const query = yield* HttpServerRequest.ParsedSearchParams
  const params = yield* HttpRouter.params
  const read: SandboxRead = {
    network,
    id: params["id"] ?? "",
    authorization: request.headers["authorization"],
    query: (name) => {
      const value = query[name]
      return typeof value === "string" ? value : undefined
    }
  }
  return read
})

/** A read of a network: noted, and answered truly unless a fault was ordered. */
const readRoute = (
  { reads }: Sandbox["Service"],
  network: Network,
  path: HttpRouter.PathInput,
  answer: (read: SandboxRead) => SandboxAnswer
) =>
  HttpRouter.route(
    "GET",
    path,
    Effect.map(asked(network), (read) => json(reads.answer(read, answer)))
  )

const network = Schema.Literals(networks)
const faults = Schema.optionalKey(Faults)

const Writing = Schema.Struct({
  network,
  account_id: Schema.optionalKey(Schema.String),
  from: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100))),
  text: Schema.String.check(Schema.isMaxLength(10_000)),
  post_id: Schema.optionalKey(Schema.String),
  parent_id: Schema.optionalKey(Schema.String),
  faults
})
const Written = Schema.Struct({ network, id: Schema.String, faults })
const Edit = Schema.Struct({ ...Written.fields, text: Schema.String.check(Schema.isMaxLength(10_000)) })
const Hide = Schema.Struct({ ...Written.fields, is_hidden: Schema.optionalKey(Schema.Boolean) })

/** A page of any site may send a browser here, but not with this type: for that it would have to be asked first. */
const isJson = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")
)

const notJson: SandboxAnswer = { status: 415, body: { error: "The body's type has to be application/json." } }

/** A route with a JSON input: 415 when it is none, 400 when it can't be read, 409 when no network would do it. */
const control = <S extends Schema.ConstraintDecoder<unknown>>(
  name: string,
  input: S,
  act: (input: S["Type"]) => Effect.Effect<SandboxAnswer, SandboxRefused>
) =>
  HttpRouter.route(
    "POST",
    `/sandbox/${name}`,
    isJson.pipe(
      Effect.flatMap((json) =>
        json ? Effect.flatMap(HttpServerRequest.schemaBodyJson(input), act) : Effect.succeed(notJson)
      ),
      Effect.catchTags({
        SandboxRefused: ({ reason }) => Effect.succeed({ status: 409, body: { error: reason } }),
        SchemaError: ({ message }) => Effect.succeed({ status: 400, body: { error: message } }),
        HttpServerError: () => Effect.succeed({ status: 400, body: { error: "The body is not JSON." } })
      }),
      Effect.map(json)
    )
  )

const created = ({ id, isTold }: Done): SandboxAnswer => ({ status: 201, body: { id, is_told: isTold } })

const writing = ({ account_id, from, network, parent_id, post_id, text }: typeof Writing.Type) => ({
  network,
  text,
  from,
  accountId: account_id,
  postId: post_id,
  parentId: parent_id
})

const accountBodies = (world: World) =>
  networks.flatMap((network) =>
    world.findAccounts(network).map(({ accountId, name, username }) => ({
      network,
      network_account_id: accountId,
      name,
      username
    }))
  )

/**
 * The networks' reads under `/instagram`, `/facebook`, `/threads` and `/x`, for the connectors' base URLs, and the
 * people's actions under `/sandbox`. For loopback only: whoever reaches it can act.
 */
export const layer = (options: {
  readonly metaAppSecret: Redacted.Redacted<string>
}): Layer.Layer<never, never, HttpRouter.HttpRouter | Sandbox> =>
  HttpRouter.addAll(
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const { world } = sandbox
      return [
        ...(["instagram", "facebook", "threads"] as const).map((network) =>
          readRoute(sandbox, network, `/${network}/:version/:id`, (read) =>
            answerGraph(world, options.metaAppSecret, read)
          )
        ),
        readRoute(sandbox, "x", "/x/2/users/:id", (read) => answerXUser(world, read)),
        readRoute(sandbox, "x", "/x/2/tweets/:id", (read) => answerXPost(world, read)),
        control("comment", Writing, (input) => Effect.map(sandbox.comment(writing(input), input.faults), created)),
        control("message", Writing, (input) => Effect.map(sandbox.message(writing(input), input.faults), created)),
        control("mention", Writing, (input) => Effect.map(sandbox.mention(writing(input), input.faults), created)),
        control("edit", Edit, (input) => Effect.map(sandbox.edit(input, input.faults), created)),
        control("delete", Written, (input) => Effect.map(sandbox.remove(input, input.faults), created)),
        control("hide", Hide, (input) =>
          Effect.map(sandbox.hide({ ...input, isHidden: input.is_hidden ?? true }, input.faults), created)
        ),
        control("release", Release, (how) =>
          Effect.map(sandbox.release(how), (released) => ({ status: 200, body: { released } }))
        ),
        control("fail-reads", ReadFault, (fault) =>
          Effect.sync(() => {
            sandbox.reads.fail(fault)
            return { status: 200, body: fault }
          })
        ),
        HttpRouter.route(
          "GET",
          "/sandbox/accounts",
          Effect.sync(() => json({ status: 200, body: accountBodies(world) }))
        )
      ]
    })
  )

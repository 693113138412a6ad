import { Network } from "../../names.ts"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Sandbox } from "../Sandbox.ts"
import type { World } from "../World.ts"
import type { SandboxPerson, Writing } from "../Writing.ts"

/** Which part of a network is looked at. */
const Part = Schema.Struct({
  network: Network,
  account_id: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 500 }))
  )
})

const defaultLimit = 100

/** Of one account, or of all accounts of the network; the newest first. */
const writingsOf = (
  world: World,
  { account_id, network }: Pick<typeof Part.Type, "network" | "account_id">
): ReadonlyArray<Writing> =>
  world
    .findAccounts(network)
    .filter(({ accountId }) => accountId === (account_id ?? accountId))
    .flatMap(world.ofAccount)
    // What was written in the same moment keeps its order: the newest first.
    .toSorted((one, other) => DateTime.Order(other.writtenAt, one.writtenAt))

const personBody = ({ avatarUrl, id, name, username }: SandboxPerson) => ({
  id,
  name,
  username,
  avatar_url: avatarUrl
})

const itemBody = (writing: Writing) => ({
  network: writing.account.network,
  network_account_id: writing.account.accountId,
  id: writing.id,
  kind: writing.kind,
  author: personBody(writing.author),
  is_own: writing.isOwn,
  text: writing.text,
  post_id: Option.getOrNull(writing.postId),
  parent_id: Option.getOrNull(writing.parentId),
  other_party: Option.getOrNull(Option.map(writing.otherParty, personBody)),
  attachment: Option.getOrNull(writing.enclosed),
  is_mention: writing.isMention,
  is_hidden: writing.isHidden,
  is_liked: writing.isLiked,
  is_deleted: writing.isDeleted,
  edits: writing.edits,
  is_sent_by_loopbox: Option.isSome(writing.sent),
  written_at: DateTime.formatIso(writing.writtenAt)
})

/** People who wrote, or were written to; who did so last stands first. */
const writerBodies = (writings: ReadonlyArray<Writing>, network: Network) =>
  Arr.dedupeWith(
    writings.flatMap(({ author, isOwn, otherParty }) => (isOwn ? Option.toArray(otherParty) : [author])),
    (one, other) => one.id === other.id
  ).map((person) => ({ network, ...personBody(person) }))

const lookAt = (name: string, bodyOf: (part: typeof Part.Type) => unknown) =>
  HttpRouter.route(
    "GET",
    `/sandbox/${name}`,
    Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const { searchParams } = new URL(url, "http://sandbox")
      const part = yield* Schema.decodeUnknownEffect(Part)(Object.fromEntries(searchParams))
      return HttpServerResponse.jsonUnsafe(bodyOf(part))
    }).pipe(
      Effect.catchTag("SchemaError", ({ message }) =>
        Effect.succeed(HttpServerResponse.jsonUnsafe({ error: message }, { status: 400 }))
      )
    )
  )

/** `GET /sandbox/items?network=` and `GET /sandbox/writers?network=`: what is on a network, and who wrote it. */
export const worldRoutes = ({ world }: Sandbox["Service"]) => [
  lookAt("items", ({ limit = defaultLimit, ...part }) => writingsOf(world, part).slice(0, limit).map(itemBody)),
  lookAt("writers", ({ limit = defaultLimit, ...part }) =>
    writerBodies(writingsOf(world, part), part.network).slice(0, limit)
  )
]

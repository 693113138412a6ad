import type { Network } from "@loopbox/core/connectors/Source"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { appsecretProof } from "../internal/signature.ts"
import { offsetIso, xPostFields } from "./webhookBodies.ts"
import type { SandboxPerson, World, Writing } from "./World.ts"

/** What a network answers. */
export interface SandboxAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text as it is, anything else as JSON. */
  readonly body: unknown
}

/** A read as it came. */
export interface SandboxRead {
  readonly network: Network
  readonly id: string
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined
  readonly query: (name: string) => string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const graphError = (
  status: number,
  code: number,
  error_subcode: number | undefined,
  message: string
): SandboxAnswer => ({
  status,
  body: { error: { message, type: "OAuthException", code, error_subcode, fbtrace_id: "Sandbox" } }
})

const gone = graphError(400, 100, 33, "Unsupported get request. The object does not exist or can't be seen.")

/** Only what was asked for, and the id. */
const pick = (fields: string | undefined, object: Fields): Fields => {
  const names = (fields ?? "").replace(/\{[^}]*\}/g, "").split(",")
  return Object.fromEntries(Object.entries(object).filter(([name]) => name === "id" || names.includes(name)))
}

const graphPerson = (network: Network, { avatarUrl, id, name, username }: SandboxPerson): Fields =>
  network === "instagram"
    ? { id, name, username, profile_pic: avatarUrl }
    : { id, name, profile_pic: avatarUrl, picture: { data: { url: avatarUrl } } }

const graphComment = ({ account, author, id, parentId, text, writtenAt }: Writing): Fields => ({
  id,
  message: text,
  text,
  username: author.username,
  from: { id: author.id, name: author.name, username: author.username },
  timestamp: offsetIso(writtenAt),
  created_time: offsetIso(writtenAt),
  ...(account.network === "facebook" && Option.isSome(parentId) ? { parent: { id: parentId.value } } : {})
})

/** An object of Instagram, Facebook or Threads by its id, as strict as the networks are. */
export const answerGraph = (world: World, appSecret: Redacted.Redacted<string>, read: SandboxRead): SandboxAnswer => {
  const { id, network, query } = read
  const holder = world.findHolder(network, read.authorization)
  if (Option.isNone(holder)) return graphError(400, 190, 467, "Invalid OAuth access token.")
  const { accessToken, account } = holder.value
  const proof = query("appsecret_proof")
  if (proof !== undefined && proof !== appsecretProof(appSecret, accessToken)) {
    return graphError(400, 100, undefined, "Invalid appsecret_proof provided in the API argument")
  }
  const person = world.findPerson(network, id)
  if (Option.isSome(person) && network !== "threads") {
    return network === "instagram" && !world.hasWrittenTo(account, id)
      ? graphError(400, 230, undefined, "User consent is required to access user profile")
      : { status: 200, body: pick(query("fields"), graphPerson(network, person.value)) }
  }
  const writing = Option.filter(
    world.findWriting(network, id),
    (one) => one.kind === "comment" && !one.isDeleted && one.account.accountId === account.accountId
  )
  return Option.match(writing, {
    onNone: () => gone,
    onSome: (one) => ({ status: 200, body: pick(query("fields"), graphComment(one)) })
  })
}

const notFound = (kind: "user" | "tweet", id: string): SandboxAnswer => ({
  status: 200,
  body: {
    errors: [
      {
        title: "Not Found Error",
        detail: `Could not find ${kind} with id: [${id}].`,
        type: "https://api.x.com/2/problems/resource-not-found",
        resource_type: kind,
        resource_id: id
      }
    ]
  }
})

const unauthorized: SandboxAnswer = {
  status: 401,
  body: { title: "Unauthorized", type: "about:blank", status: 401, detail: "Unauthorized" }
}

/** `GET /2/users/:id`; the id and the two names are always there. */
export const answerXUser = (world: World, read: SandboxRead): SandboxAnswer => {
  if (Option.isNone(world.findHolder("x", read.authorization))) return unauthorized
  return Option.match(world.findPerson("x", read.id), {
    onNone: () => notFound("user", read.id),
    onSome: ({ avatarUrl, id, name, username }) => ({
      status: 200,
      body: {
        data: { ...pick(read.query("user.fields"), { profile_image_url: avatarUrl }), id, name, username }
      }
    })
  })
}

/** `GET /2/tweets/:id`; the id, the text and the history are always there. */
export const answerXPost = (world: World, read: SandboxRead): SandboxAnswer => {
  if (Option.isNone(world.findHolder("x", read.authorization))) return unauthorized
  return Option.match(
    Option.filter(world.findWriting("x", read.id), (one) => !one.isDeleted),
    {
      onNone: () => notFound("tweet", read.id),
      onSome: (one) => {
        const { text, ...post } = xPostFields(one)
        const data = { ...pick(read.query("tweet.fields"), post), text, edit_history_tweet_ids: one.history }
        return { status: 200, body: { data } }
      }
    }
  )
}

import { connectorTo } from "@loopbox/core/networks/Connectors"
/** The connectors against the simulated networks, over sockets: both read the networks' documents, and each its own way. */
import { knownNetworks as known } from "../../src/socialNetworks.ts"
import type { InboundActivity, Posted } from "@loopbox/core/networks/InboundActivity"
import { isOwnItem } from "@loopbox/core/networks/InboundActivity"
import type { Reply } from "@loopbox/core/networks/Reply"
import { networks, sourcesOf } from "../../src/names.ts"
import type { Network, Source } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { connectedWorld as world } from "./connectedWorld.ts"
import { ids } from "./served.ts"

// By the real clock: the connectors pace their calls by it.

/** What both paths must agree on, once edits and ends are applied. */
const inbox = (network: Network, activities: ReadonlyArray<InboundActivity>, username: string) => {
  const items = new Map<string, Posted>()
  const bodies = new Map<string, readonly [number, string]>()
  const gone = new Set<string>()
  for (const one of activities) {
    if (one._tag === "Deleted") gone.add(one.externalId)
    const posted = one._tag === "Posted" ? one : one._tag === "Edited" ? Option.getOrUndefined(one.whole) : undefined
    if (posted !== undefined && !items.has(posted.externalId)) items.set(posted.externalId, posted)
    if (one._tag !== "Posted" && one._tag !== "Edited") continue
    const known = bodies.get(one.externalId)
    if (known === undefined || one.version > known[0]) bodies.set(one.externalId, [one.version, one.body])
  }
  const rootOf = (id: string): string => {
    const one = items.get(id)
    if (one === undefined) return id
    return one.threadKey._tag === "Known" ? one.threadKey.key : rootOf(one.threadKey.parentExternalId)
  }
  const account = {
    networkAccountId: String(ids[network]),
    otherAccountId: Option.none(),
    login: Option.none(),
    throughAccountId: Option.none(),
    username: Option.some(username)
  }
  return [...items.values()]
    .filter(({ externalId, route }) => route.network === network && !gone.has(externalId))
    .map((one) => ({
      source: one.source,
      id: one.externalId,
      thread: rootOf(one.externalId),
      parent: Option.getOrNull(one.parentExternalId),
      post: Option.getOrNull(one.linkedPostId),
      author: Option.getOrNull(one.author.id),
      username: network === "facebook" || one.source === "ig_dm" ? null : Option.getOrNull(one.author.username),
      body: bodies.get(one.externalId)?.[1],
      isOwn: isOwnItem(known, one, account)
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Everybody does what their network lets them. */
const live = Effect.fnUntraced(function* ({ sandbox }: Effect.Success<ReturnType<typeof world>>, network: Network) {
  const one = yield* sandbox.comment({ network, from: "Ada", text: "one & <b> https://example.com/a" })
  const two = yield* sandbox.comment({ network, from: "Bo", text: "two", parentId: one.id })
  yield* sandbox.comment({ network, from: "Cy", text: "three", parentId: two.id })
  const gone = yield* sandbox.comment({ network, from: "Di", text: "gone", parentId: one.id })
  const post = yield* sandbox.post({ network, text: "another post" })
  for (let i = 0; i < 30; i++) yield* sandbox.comment({ network, from: "Ed", text: `more ${i}`, postId: post.id })
  if (network === "facebook" || network === "x") yield* sandbox.edit({ network, id: one.id, text: "one, edited" })
  // Of the others nothing is told, so only the poll would know.
  if (network === "facebook" || network === "threads") yield* sandbox.remove({ network, id: gone.id })
  if (network === "x") yield* sandbox.mention({ network, from: "Fay", text: "look" })
  if (network === "instagram" || network === "facebook") {
    const message = yield* sandbox.message({ network, from: "Ada", text: "hi" })
    yield* sandbox.message({ network, from: "Bo", text: "hello" })
    const unsent = yield* sandbox.message({ network, from: "Bo", text: "oh no" })
    yield* sandbox.remove({ network, id: unsent.id })
    return { comment: one.id, message: message.id }
  }
  return { comment: one.id, message: one.id }
})

describe("the connectors and the sandbox", () => {
  for (const network of networks) {
    it.live(`${network}: a poll reads what webhooks told`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        yield* live(all, network)
        const username = `our_${network}`
        const told = inbox(network, yield* all.heard, username)
        assert.isAbove(told.length, 30)
        assert.deepStrictEqual(inbox(network, yield* all.polled(network), username), told)
      })
    )
  }

  for (const source of networks.flatMap(sourcesOf)) {
    it.live(`${source}: an answer is sent, told, polled and found again as the same`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        const { accessOf, connectors, heard, polled, sandbox } = all
        const network = networks.find((one) => sourcesOf(one).includes(source)) ?? "x"
        yield* live(all, network)
        const target = yield* targetOf(all, network, source)
        const connector = connectorTo(connectors, network)
        const reply: Reply = { source, target, text: "Thanks & see https://example.com/b 🚀", operationId: "op_1" }
        const attemptedAt = yield* DateTime.now
        const preparation = yield* connector.prepareReply(accessOf(network), reply)
        const { posted } = yield* connector.sendReply(accessOf(network), reply, preparation)
        const facts = (one: Posted | undefined) => ({
          id: one?.externalId,
          thread: one?.threadKey,
          parent: one?.parentExternalId,
          post: one?.linkedPostId,
          body: one?.body
        })
        const byId = (one: InboundActivity): one is Posted =>
          one._tag === "Posted" && one.externalId === posted.externalId
        const account = {
          networkAccountId: String(ids[network]),
          otherAccountId: Option.none(),
          login: Option.none(),
          throughAccountId: Option.none(),
          username: Option.some(`our_${network}`)
        }
        // X's mentions leave out what the account wrote itself.
        const read = network === "x" ? [] : [(yield* polled(network)).find(byId)]
        for (const other of [(yield* heard).find(byId), ...read]) {
          assert.isTrue(other !== undefined && isOwnItem(known, other, account))
          // The handles that X opens an answer with are read, and not sent.
          const body = (other?.body ?? "").replace(/^@ada /, "")
          const thread = other?.threadKey._tag === "Known" ? other.threadKey : posted.threadKey
          assert.deepStrictEqual({ ...facts(other), body, thread }, facts(posted))
        }
        const look = yield* connector.findReply(accessOf(network), { reply, preparation, attemptedAt })
        assert.deepStrictEqual(look._tag === "Candidates" ? look.posted.map((one) => one.externalId) : look, [
          posted.externalId
        ])
        assert.strictEqual(sandbox.api.listRequests().filter(({ fault }) => Option.isSome(fault)).length, 0)
      })
    )
  }
})

/** What comes of an answer that meets a fault, and whether it is there. The rate limit comes last: it is obeyed. */
const failures = [
  ["server_error", "OutcomeUnknown", false],
  ["server_error_after", "OutcomeUnknown", true],
  ["reset", "OutcomeUnknown", false],
  ["reset_after", "OutcomeUnknown", true],
  ["truncated", "OutcomeUnknown", true],
  ["html", "OutcomeUnknown", false],
  ["html_after", "OutcomeUnknown", true],
  ["error_though_sent", "OutcomeUnknown", true],
  ["token_expired", "AuthExpired", false],
  ["rate_limit", "RateLimited", false]
] as const

const sendsBy: Record<Source, string> = {
  ig_comment: "reply",
  ig_dm: "send",
  fb_comment: "reply",
  fb_dm: "send",
  threads_reply: "publish",
  x_reply: "create_tweet"
}

describe("the connectors, when the networks fail", () => {
  for (const source of networks.flatMap(sourcesOf)) {
    it.live(`${source}: an answer is known to be sent, known not to be, or looked up`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        const { accessOf, connectors, sandbox } = all
        const network = networks.find((one) => sourcesOf(one).includes(source)) ?? "x"
        const connector = connectorTo(connectors, network)
        const target = yield* targetOf(all, network, source)
        const there: Array<string> = []
        for (const [kind, tag, isSent] of failures) {
          const reply: Reply = { source, target, text: `after ${kind}`, operationId: kind }
          const attemptedAt = yield* DateTime.now
          const preparation = yield* connector.prepareReply(accessOf(network), reply)
          sandbox.api.faults.set({ network, endpoint: sendsBy[source], kind, times: 1 })
          const failed = yield* Effect.flip(connector.sendReply(accessOf(network), reply, preparation))
          assert.strictEqual(failed._tag, tag, kind)
          if (isSent) there.push(reply.text)
          if (kind !== "server_error" && kind !== "reset_after") continue
          const look = yield* connector.findReply(accessOf(network), { reply, preparation, attemptedAt })
          if (look._tag === "Candidates") {
            assert.strictEqual(
              look.posted.some(({ body }) => body.endsWith(reply.text)),
              isSent,
              kind
            )
          } else assert.isFalse(isSent, `${kind} ${look._tag}`)
        }
        const sent = sandbox.world
          .ofAccount({ network, accountId: String(ids[network]), name: "", username: "" })
          .flatMap((one) => (Option.isSome(one.sent) ? [one.text] : []))
        assert.deepStrictEqual(sent.toReversed(), there)
      })
    )
  }
})

/** The newest item of the source that may be answered. */
const targetOf = Effect.fnUntraced(function* (
  { heard, sandbox }: Effect.Success<ReturnType<typeof world>>,
  network: Network,
  source: Source
) {
  if (source === "x_reply") yield* sandbox.mention({ network, from: "Ada", text: "hey" })
  else if (source.endsWith("dm")) yield* sandbox.message({ network, from: "Ada", text: "hey" })
  else yield* sandbox.comment({ network, from: "Ada", text: "hey" })
  const target = (yield* heard).findLast((one): one is Posted => one._tag === "Posted" && one.source === source)
  assert.isDefined(target)
  const key = target?.threadKey
  return {
    externalId: target?.externalId ?? "",
    replyTargetId: target?.replyTargetId ?? "",
    threadKey: key?._tag === "Known" ? key.key : (target?.externalId ?? ""),
    linkedPostId: target?.linkedPostId ?? Option.none()
  }
})

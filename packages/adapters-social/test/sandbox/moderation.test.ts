/** Moderation by the connectors at the simulated networks: what is done, told and refused (social-networks-write.md C). */
import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Network, Source } from "../../src/names.ts"
import { connectedWorld as world } from "./connectedWorld.ts"

// By the real clock: the connectors pace their calls by it.

type World = Effect.Success<ReturnType<typeof world>>

const partOf = ({ connectors }: World, network: Network): NetworkModerate => {
  const part = connectorTo(connectors, network).moderate
  assert.isDefined(part)
  return part ?? { act: () => Effect.die("no part"), replyPrivately: () => Effect.die("no part") }
}

const sourceOf: Record<Network, Source> = {
  instagram: "ig_comment",
  facebook: "fb_comment",
  threads: "threads_reply",
  x: "x_reply"
}

const doing = (all: World, network: Network, id: string, access: AccountAccess = all.accessOf(network)) => {
  const item = { source: sourceOf[network], externalId: id, replyTargetId: id }
  return (moderation: Moderation) => partOf(all, network).act(access, item, moderation)
}

describe("moderation at the simulated networks", () => {
  for (const network of ["instagram", "facebook", "threads", "x"] as const) {
    it.live(`${network}: a comment is hidden and shown again, as often as asked`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        const { id } = yield* all.sandbox.comment({ network, from: "Ada", text: "look" })
        const act = doing(all, network, id)
        for (const moderation of ["hide", "hide", "unhide", "unhide", "hide"] as const) yield* act(moderation)
        const told = (yield* all.heard).filter(({ _tag }) => _tag === "HiddenChanged")
        // Facebook alone tells of it.
        assert.strictEqual(told.length, network === "facebook" ? 3 : 0)
        if (network === "x") return
        const polled = (yield* all.polled(network)).findLast(
          (one) => one._tag === "HiddenChanged" && one.externalId === id
        )
        assert.isTrue(polled?._tag === "HiddenChanged" && polled.isHidden)
      })
    )
  }

  for (const network of ["instagram", "facebook"] as const) {
    it.live(`${network}: a comment is deleted, and is gone then`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        const { id } = yield* all.sandbox.comment({ network, from: "Ada", text: "look" })
        const act = doing(all, network, id)
        yield* act("delete")
        for (const moderation of ["delete", "hide"] as const) {
          assert.deepInclude(yield* Effect.flip(act(moderation)), { _tag: "Rejected", reason: "gone" })
        }
      })
    )

    it.live(`${network}: a comment is answered privately once, by a message that is told`, () =>
      Effect.gen(function* () {
        const all = yield* world()
        const { id } = yield* all.sandbox.comment({ network, from: "Ada", text: "look" })
        const { replyPrivately } = partOf(all, network)
        const source = sourceOf[network]
        const reply = { source, externalId: id, authorId: Option.none(), text: "hello", operationId: "op_1" }
        const { posted } = yield* replyPrivately(all.accessOf(network), reply)
        const message = network === "instagram" ? "ig_dm" : "fb_dm"
        assert.deepStrictEqual([posted.source, posted.isOwn, posted.body], [message, true, "hello"])
        const echo = (yield* all.heard).find((one) => "externalId" in one && one.externalId === posted.externalId)
        assert.isTrue(echo?._tag === "Posted" && echo.isOwn)
        assert.deepStrictEqual(echo?._tag === "Posted" ? echo.threadKey : undefined, posted.threadKey)
        const error = yield* Effect.flip(replyPrivately(all.accessOf(network), reply))
        assert.deepInclude(error, { _tag: "Rejected", reason: "already_replied" })
      })
    )
  }

  it.live("facebook: a comment is liked, and no longer", () =>
    Effect.gen(function* () {
      const all = yield* world()
      const { id } = yield* all.sandbox.comment({ network: "facebook", from: "Ada", text: "look" })
      const act = doing(all, "facebook", id)
      for (const moderation of ["like", "like", "unlike"] as const) yield* act(moderation)
    })
  )

  it.live("threads: what follows the top-level reply is not hidden by itself, and only own ones are deleted", () =>
    Effect.gen(function* () {
      const all = yield* world()
      const top = yield* all.sandbox.comment({ network: "threads", from: "Ada", text: "look" })
      const nested = yield* all.sandbox.comment({ network: "threads", from: "Bo", text: "see", parentId: top.id })
      assert.strictEqual((yield* Effect.flip(doing(all, "threads", nested.id)("hide")))._tag, "Rejected")
      assert.strictEqual((yield* Effect.flip(doing(all, "threads", top.id)("delete")))._tag, "Rejected")
    })
  )

  it.live(
    "x: mentions in others' conversations are not hidden, nothing of others is deleted, and nothing is liked",
    () =>
      Effect.gen(function* () {
        const all = yield* world()
        const mention = yield* all.sandbox.mention({ network: "x", from: "Fay", text: "look" })
        const reply = yield* all.sandbox.comment({ network: "x", from: "Ada", text: "see" })
        assert.strictEqual((yield* Effect.flip(doing(all, "x", mention.id)("hide")))._tag, "Rejected")
        assert.strictEqual((yield* Effect.flip(doing(all, "x", reply.id)("delete")))._tag, "Rejected")
        assert.strictEqual((yield* Effect.flip(doing(all, "x", reply.id)("like")))._tag, "Rejected")
        assert.deepInclude(yield* Effect.flip(doing(all, "x", "1")("delete")), { _tag: "Rejected", reason: "gone" })
        // What answers the account's own post is known to stand in its conversation, on both paths.
        for (const read of [yield* all.heard, yield* all.polled("x")]) {
          const known = read.flatMap((one) => (one._tag === "Posted" ? [[one.externalId, one.isOnOwnPost]] : []))
          assert.sameDeepMembers(known, [
            [mention.id, false],
            [reply.id, true]
          ])
        }
      })
  )
})

import { networks, sources } from "@loopbox/core/connectors/Source"
import type { Network } from "@loopbox/core/connectors/Source"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Sandbox } from "@loopbox/adapters-social/sandbox/Sandbox"
import * as SandboxLife from "@loopbox/adapters-social/sandbox/SandboxLife"
import { told as line } from "../fixtures.ts"
import { accounts, sandboxed } from "./sandboxed.ts"

const accessOf = (network: Network) => {
  const account = accounts.find((one) => one.network === network)
  return {
    networkAccountId: account?.accountId ?? "",
    username: Option.none(),
    accessToken: account?.accessToken ?? Redacted.make("")
  }
}

describe("Sandbox: what people do", () => {
  for (const network of networks) {
    it.effect(`a comment on ${network} is delivered, and is read as it was written`, () =>
      Effect.gen(function* () {
        const { sandbox, told } = yield* sandboxed()
        const first = yield* sandbox.comment({ network, from: "Ada Lovelace", text: "Grüße & <hi> 🚀" })
        const answer = yield* sandbox.comment({ network, from: "Bo", text: "me too", parentId: first.id })
        const [one, two] = yield* told
        assert.isTrue(one?._tag === "Posted" && two?._tag === "Posted")
        if (one?._tag !== "Posted" || two?._tag !== "Posted") return
        assert.strictEqual(one.externalId, first.id)
        assert.include(one.body, "Grüße & <hi> 🚀")
        assert.strictEqual(Option.getOrNull(one.route.accountId), accessOf(network).networkAccountId)
        assert.isFalse(one.isOwn)
        assert.strictEqual(two.externalId, answer.id)
        assert.deepStrictEqual(two.parentExternalId, Option.some(first.id))
      })
    )
  }

  it.effect("a message comes from the same person every time, and can be edited and unsent", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      for (const network of ["instagram", "facebook"] as const) {
        const { id } = yield* sandbox.message({ network, from: "Ada", text: "one" })
        yield* sandbox.message({ network, from: "Ada", text: "two" })
        yield* sandbox.edit({ network, id, text: "one!" })
        yield* sandbox.remove({ network, id })
      }
      const activities = yield* told
      assert.deepStrictEqual(
        activities.map(({ _tag }) => _tag),
        ["Posted", "Posted", "Edited", "Deleted", "Posted", "Posted", "Edited", "Deleted"]
      )
      const threads = activities.flatMap((one) =>
        one._tag === "Posted" && one.threadKey._tag === "Known" ? [one.threadKey.key] : []
      )
      assert.strictEqual(threads[0], threads[1])
      assert.strictEqual(new Set(threads).size, 2)
    })
  )

  it.effect("an edit on X is a new post with the old one's history", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const { id } = yield* sandbox.mention({ network: "x", from: "Kai", text: "hello" })
      const edited = yield* sandbox.edit({ network: "x", id, text: "hello again @our_x" })
      const posts = (yield* told).flatMap((one) => (one._tag === "Posted" ? [one] : []))
      assert.deepStrictEqual(
        posts.map(({ externalId, replyTargetId, version }) => [externalId, replyTargetId, version]),
        [
          [id, id, 0],
          [id, edited.id, 1]
        ]
      )
      assert.deepStrictEqual(posts[0]?.summons, Option.some("yes"))
    })
  )

  it.effect("Facebook tells of edits, hiding and removal of comments; Instagram tells of none", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const { id } = yield* sandbox.comment({ network: "facebook", text: "one" })
      yield* sandbox.edit({ network: "facebook", id, text: "two" })
      yield* sandbox.hide({ network: "facebook", id, isHidden: true })
      yield* sandbox.hide({ network: "facebook", id, isHidden: false })
      yield* sandbox.remove({ network: "facebook", id })
      assert.deepStrictEqual(
        (yield* told).map(({ _tag }) => _tag),
        ["Posted", "Edited", "HiddenChanged", "HiddenChanged", "Deleted"]
      )
      const quiet = yield* sandbox.comment({ network: "instagram", text: "one" })
      assert.deepStrictEqual(yield* sandbox.remove({ network: "instagram", id: quiet.id }), {
        id: quiet.id,
        isTold: false
      })
      assert.strictEqual((yield* told).length, 6)
    })
  )

  it.effect("is found by its id alone, whichever network has it", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* sandboxed()
      const message = yield* sandbox.message({ network: "instagram", text: "one" })
      const comment = yield* sandbox.comment({ network: "facebook", text: "two" })
      const mention = yield* sandbox.mention({ network: "x", text: "three" })
      assert.strictEqual((yield* sandbox.edit({ id: message.id, text: "one!" })).id, message.id)
      yield* sandbox.hide({ id: comment.id, isHidden: true })
      for (const { id } of [message, comment, mention]) {
        yield* sandbox.remove({ id })
        yield* Effect.flip(sandbox.remove({ id }))
      }
    })
  )

  it.effect("is refused where no network would do it", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* sandboxed()
      const comment = yield* sandbox.comment({ network: "instagram", text: "one" })
      yield* Effect.flip(sandbox.edit({ network: "instagram", id: comment.id, text: "two" }))
      yield* Effect.flip(sandbox.message({ network: "x", text: "hi" }))
      yield* Effect.flip(sandbox.comment({ network: "threads", text: "hi", parentId: "nobody's" }))
      yield* Effect.flip(sandbox.comment({ network: "threads", text: "hi", accountId: "nobody's" }))
      const refused = yield* Effect.flip(sandbox.remove({ network: "facebook", id: "nobody's" }))
      assert.strictEqual(refused.reason, "Nobody wrote nobody's on facebook here.")
    })
  )

  it.effect("makes the same ids from the same seed and none of them from another", () =>
    Effect.gen(function* () {
      const idsOf = Effect.fnUntraced(function* (seed: number) {
        const { sandbox } = yield* sandboxed({ seed })
        const done = yield* Effect.forEach(networks, (network) => sandbox.comment({ network, from: "Ada", text: "hi" }))
        return done.map(({ id }) => id)
      })
      const first = yield* idsOf(7)
      assert.deepStrictEqual(yield* idsOf(7), first)
      assert.deepStrictEqual(
        (yield* idsOf(8)).filter((id) => first.includes(id)),
        []
      )
    })
  )
})

describe("Sandbox: faults", () => {
  it.effect("twice is the same bytes twice", () =>
    Effect.gen(function* () {
      const { arrived, sandbox, told } = yield* sandboxed()
      yield* sandbox.comment({ network: "facebook", text: "once" }, { times: 2 })
      const [one, two] = yield* told
      assert.strictEqual(arrived.length, 2)
      assert.deepStrictEqual(arrived[0]?.body, arrived[1]?.body)
      assert.deepStrictEqual(one, two)
    })
  )

  it.effect("a wrong, missing, old or re-made signature is refused by the gate, and sent once", () =>
    Effect.gen(function* () {
      const { arrived, read, sandbox } = yield* sandboxed({ answer: () => 401 })
      for (const network of networks) {
        for (const signature of ["wrong", "none", "sha1", "reserialised"] as const) {
          yield* sandbox.comment({ network, text: "grüße" }, { signature })
        }
      }
      yield* sandbox.settled
      assert.deepStrictEqual(new Set(arrived.map((one) => read(one).verdict)), new Set(["refused"]))
      assert.strictEqual(arrived.length, 16)
    })
  )

  it.effect("late comes when its time has come", () =>
    Effect.gen(function* () {
      const { arrived, sandbox } = yield* sandboxed()
      yield* sandbox.comment({ network: "x", text: "late" }, { delay_ms: 3_600_000 })
      const settled = yield* Effect.forkChild(sandbox.settled)
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(arrived.length, 0)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(settled)
      assert.strictEqual(arrived.length, 1)
    })
  )

  it.effect("what is held goes out turned round, or as one batch", () =>
    Effect.gen(function* () {
      const { arrived, sandbox, told } = yield* sandboxed()
      const write = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
        for (const text of texts) yield* sandbox.comment({ network: "facebook", text }, { is_held: true })
      })
      const bodies = Effect.map(told, (all) => all.flatMap((one) => (one._tag === "Posted" ? [one.body] : [])))
      yield* write(["one", "two", "three"])
      assert.deepStrictEqual(yield* bodies, [])
      assert.strictEqual(yield* sandbox.release({ order: "reversed" }), 3)
      assert.deepStrictEqual(yield* bodies, ["three", "two", "one"])
      yield* write(["four", "five"])
      yield* sandbox.release({ is_batched: true })
      assert.deepStrictEqual((yield* bodies).slice(3), ["four", "five"])
      assert.strictEqual(arrived.length, 4)
    })
  )

  it.effect("what is not taken comes again, ever more rarely, and then no more", () =>
    Effect.gen(function* () {
      const { arrived, sandbox } = yield* sandboxed({ answer: (nth) => (nth < 3 ? 503 : 200) })
      yield* sandbox.comment({ network: "threads", text: "again" })
      const settled = yield* Effect.forkChild(sandbox.settled)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(settled)
      assert.deepStrictEqual(
        (yield* sandbox.records).map(({ statuses }) => statuses),
        [[503, 503, 200]]
      )
      assert.deepStrictEqual(arrived[0]?.body, arrived[2]?.body)
    })
  )
})

describe("Sandbox: what the networks answer", () => {
  it.effect("people are found by the connectors, on Instagram only those who wrote to the account", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      yield* sandbox.comment({ network: "instagram", from: "Shy", text: "hi" })
      yield* sandbox.message({ network: "instagram", from: "Mira Kovac", text: "hi" })
      yield* sandbox.message({ network: "facebook", from: "Ada", text: "hi" })
      yield* sandbox.comment({ network: "x", from: "Kai", text: "hi" })
      const names: Array<string | null> = []
      for (const activity of yield* told) {
        if (activity._tag !== "Posted") continue
        const { network } = activity.route
        const id = Option.getOrElse(activity.author.id, () => "")
        const person = yield* connectors.byNetwork[network].findPerson(accessOf(network), activity.source, id)
        names.push(Option.getOrNull(Option.flatMap(person, ({ name }) => name)))
      }
      assert.deepStrictEqual(names, [null, "Mira Kovac", "Ada", "Kai"])
    })
  )

  it.effect("the top of a chain of comments, and the conversation of a post", () =>
    Effect.gen(function* () {
      const { connectors, sandbox } = yield* sandboxed()
      const one = yield* sandbox.comment({ network: "facebook", text: "1" })
      const two = yield* sandbox.comment({ network: "facebook", text: "2", parentId: one.id })
      const three = yield* sandbox.comment({ network: "facebook", text: "3", parentId: two.id })
      const { facebook, x } = connectors.byNetwork
      const thread = { source: "fb_comment", externalId: three.id, parentExternalId: two.id } as const
      assert.strictEqual(yield* facebook.findThreadKey(accessOf("facebook"), thread), one.id)
      const post = yield* sandbox.comment({ network: "x", text: "1", postId: "77" })
      const unsettled = { source: "x_reply", externalId: post.id, parentExternalId: "77" } as const
      assert.strictEqual(yield* x.findThreadKey(accessOf("x"), unsettled), "77")
      yield* sandbox.remove({ network: "facebook", id: two.id })
      const gone = yield* Effect.flip(facebook.findThreadKey(accessOf("facebook"), thread))
      assert.isTrue(gone._tag === "Rejected" && gone.reason === "gone")
    })
  )

  it.effect("whoever holds a token of the account, in as many workspaces as it is connected", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      const account = accounts.find(({ network }) => network === "facebook") ?? assert.fail("no account")
      const second = Redacted.make("token of another workspace")
      yield* sandbox.connect({ ...account, accessToken: second })
      yield* sandbox.comment({ network: "facebook", from: "Ada", text: "hi" })
      const [activity] = yield* told
      if (activity?._tag !== "Posted") return assert.fail("nothing was told")
      const personId = Option.getOrElse(activity.author.id, () => "")
      for (const accessToken of [account.accessToken, second]) {
        const access = { ...accessOf("facebook"), accessToken }
        const person = yield* connectors.byNetwork.facebook.findPerson(access, "fb_comment", personId)
        assert.deepStrictEqual(
          Option.flatMap(person, ({ name }) => name),
          Option.some("Ada")
        )
      }
    })
  )

  it.effect("nothing to a token that no account has", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, told } = yield* sandboxed()
      for (const network of ["instagram", "facebook", "x"] as const)
        yield* sandbox.comment({ network, from: "Ada", text: "hi" })
      for (const activity of yield* told) {
        if (activity._tag !== "Posted") continue
        const { network } = activity.route
        const access = { ...accessOf(network), accessToken: Redacted.make("another") }
        const failed = yield* Effect.flip(
          connectors.byNetwork[network].findPerson(
            access,
            activity.source,
            Option.getOrElse(activity.author.id, () => "")
          )
        )
        assert.isTrue(failed._tag === "AuthExpired" && failed.reason === "token", line(activity))
      }
    })
  )
})

describe("Sandbox: its time", () => {
  it.effect("is that of its own clock, also where requests run on another one", () =>
    Effect.gen(function* () {
      const { ask } = yield* sandboxed()
      const headers = { authorization: "Bearer token of x" }
      const answer = yield* Effect.promise(() => ask("http://sandbox.example/x/2/users/me", { headers }))
      assert.strictEqual(answer.headers.get("x-rate-limit-reset"), "900")
    })
  )
})

describe("Sandbox: reads that fail", () => {
  it.effect("as often as was ordered, each in its network's words", () =>
    Effect.gen(function* () {
      // The served sandbox has a clock of its own, by which it says when to come again.
      yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
      const { connectors, sandbox } = yield* sandboxed()
      const { id } = yield* sandbox.comment({ network: "facebook", text: "1" })
      const post = yield* sandbox.comment({ network: "x", text: "1" })
      const thread = { source: "fb_comment", externalId: "9", parentExternalId: id } as const
      const unsettled = { source: "x_reply", externalId: post.id, parentExternalId: "1" } as const
      const facebook = connectors.byNetwork.facebook.findThreadKey(accessOf("facebook"), thread)
      const x = connectors.byNetwork.x.findThreadKey(accessOf("x"), unsettled)
      for (const [kind, tag] of [
        ["rate_limit", "RateLimited"],
        ["server_error", "Unavailable"],
        ["html", "Unavailable"],
        ["truncated", "Unavailable"],
        ["token_expired", "AuthExpired"]
      ] as const) {
        sandbox.api.faults.set({ network: "facebook", kind, times: 2 })
        sandbox.api.faults.set({ network: "x", kind, times: 1 })
        // As long as the networks ask to wait, nothing is asked.
        const waited = TestClock.adjust("31 seconds")
        assert.strictEqual((yield* Effect.flip(facebook))._tag, tag)
        yield* waited
        assert.strictEqual((yield* Effect.flip(facebook))._tag, tag)
        assert.strictEqual((yield* Effect.flip(x))._tag, tag)
        yield* waited
        assert.strictEqual(yield* facebook, id)
        yield* x
      }
      const [first] = sandbox.api.listRequests()
      assert.deepStrictEqual([first?.network, first?.endpoint], ["facebook", "comment"])
      assert.deepStrictEqual(first?.fault, Option.some("rate_limit"))
    })
  )
})

describe("SandboxLife", () => {
  it.effect("fills the inbox of every source, and ends", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* sandboxed()
      const life = SandboxLife.layer({ every: "1 minute", atFirst: "1 second", atMost: 30 })
      yield* Layer.build(life.pipe(Layer.provide(Layer.succeed(Sandbox, sandbox))))
      yield* TestClock.adjust("14 seconds")
      const first = yield* told
      assert.deepStrictEqual(
        [...new Set(first.flatMap((one) => ("source" in one ? [one.source] : [])))].toSorted(),
        [...sources].toSorted()
      )
      assert.deepStrictEqual([...new Set(first.map(({ _tag }) => _tag))].toSorted(), ["Deleted", "Edited", "Posted"])
      yield* TestClock.adjust("1 day")
      assert.isAbove((yield* told).length, first.length)
      assert.isAtMost((yield* told).length, 30)
    })
  )
})

describe("POST /sandbox/…", () => {
  it.effect("act on JSON alone, which no page of another site can send", () =>
    Effect.gen(function* () {
      const { ask, told } = yield* sandboxed()
      const post = (type: string | undefined) =>
        Effect.promise(() =>
          ask("http://sandbox.example/sandbox/comment", {
            method: "POST",
            headers: type === undefined ? {} : { "content-type": type },
            body: new TextEncoder().encode(JSON.stringify({ network: "instagram", text: "hi" }))
          })
        )
      for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
        assert.strictEqual((yield* post(type)).status, 415, type)
      }
      assert.deepStrictEqual(yield* told, [])
      assert.strictEqual((yield* post("application/json; charset=utf-8")).status, 201)
    })
  )

  it.effect("acts, and says what came of it", () =>
    Effect.gen(function* () {
      const { ask, told } = yield* sandboxed()
      const post = (action: string, body: unknown, type = "application/json") =>
        Effect.promise(async () => {
          const response = await ask(`http://sandbox.example/sandbox/${action}`, {
            method: "POST",
            headers: { "content-type": type },
            body: typeof body === "string" ? body : JSON.stringify(body)
          })
          return [response.status, await response.json()] as const
        })
      const [created, { id }] = yield* post("comment", {
        network: "facebook",
        from: "Ada",
        text: "hi",
        faults: { times: 2 }
      })
      assert.strictEqual(created, 201)
      assert.strictEqual((yield* post("edit", { network: "facebook", id, text: "hi!" }))[0], 201)
      assert.strictEqual((yield* post("hide", { network: "facebook", id }))[0], 201)
      assert.strictEqual((yield* post("delete", { network: "facebook", id }))[0], 201)
      assert.strictEqual((yield* post("delete", { network: "facebook", id }))[0], 409)
      assert.strictEqual((yield* post("comment", { network: "myspace", text: "hi" }))[0], 400)
      assert.strictEqual((yield* post("comment", "{"))[0], 400)
      // What a page of another origin could send without being asked for it.
      assert.strictEqual((yield* post("comment", { network: "x", text: "hi" }, "text/plain"))[0], 415)
      assert.strictEqual((yield* post("release", { order: "reversed" }))[0], 200)
      assert.strictEqual((yield* told).length, 5)
      const known = yield* Effect.promise(async () => (await ask("http://sandbox.example/sandbox/accounts")).json())
      assert.strictEqual(JSON.stringify(known).includes("token of"), false)
    })
  )
})

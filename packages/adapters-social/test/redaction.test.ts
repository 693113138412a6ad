import { redactMeta } from "../src/meta/metaWebhook.ts"
import { type RedactEnvelope, redactBody } from "../src/payloads/redaction.ts"
import { redactThreads } from "@loopbox/adapters-social/threads/threadsWebhook"
import { redactX } from "@loopbox/adapters-social/x/xWebhook"
import type { AccountRoute, InboundActivity } from "@loopbox/core/networks/InboundActivity"
import { isNetwork, type Network } from "../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { arrivedAt, bytesOf, fixtureBytes, fixtures, normalisers, told } from "./fixtures.ts"

const redactors: Record<Network, RedactEnvelope> = {
  instagram: redactMeta,
  facebook: redactMeta,
  threads: redactThreads,
  x: redactX
}

const account = (network: Network, id: string, username?: string): AccountRoute => ({
  network,
  accountId: Option.some(id),
  username: Option.fromUndefinedOr(username)
})

const redact = (body: Uint8Array, of: AccountRoute) =>
  isNetwork(of.network) ? redactBody(redactors[of.network])(body, of) : Option.none()

const heardIn = (network: Network, body: Option.Option<Uint8Array>): ReadonlyArray<InboundActivity> =>
  Option.match(body, {
    onNone: () => [],
    onSome: (body) => normalisers[network]({ body, arrivedAt }).activities
  })

const externalIdOf = (activity: InboundActivity) => ("externalId" in activity ? activity.externalId : "")

const textOf = (body: Option.Option<Uint8Array>) =>
  Option.getOrNull(Option.map(body, (body): unknown => JSON.parse(new TextDecoder().decode(body))))

const comment = (id: string | number) => ({
  id,
  time: 1_771_322_400,
  changes: [
    {
      field: "feed",
      value: {
        item: "comment",
        verb: "add",
        comment_id: `${id}_c`,
        post_id: `${id}_p`,
        parent_id: `${id}_p`,
        message: "hi"
      }
    }
  ]
})

describe("What a kept delivery says to an account that is erased (design §8)", () => {
  for (const network of ["instagram", "facebook", "threads", "x"] as const) {
    for (const file of fixtures[network]) {
      it(`is gone from ${network}/${file}, and nothing else is`, () => {
        const body = fixtureBytes(network, file)
        const before = heardIn(network, Option.some(body))
        const ids = new Set(before.flatMap(({ route }) => Option.toArray(route.accountId)))
        for (const id of ids) {
          const after = heardIn(network, redact(body, account(network, id)))
          const isToId = ({ route }: InboundActivity) => Option.contains(route.accountId, id)
          // A line of a stream is one element for all whom its post speaks to.
          const shared = new Set(file === "stream.json" ? before.filter(isToId).map(externalIdOf) : [])
          const others = before.filter((one) => !isToId(one) && !shared.has(externalIdOf(one)))
          assert.deepStrictEqual(after.map(told), others.map(told))
        }
        assert.strictEqual(Option.getOrNull(redact(body, account(network, "nobody's"))), body)
      })
    }
  }

  it("goes with its whole entry, what can't be read of it too, and leaves ids that no number can hold", () => {
    const long = "9007199254740993123"
    const text = JSON.stringify({ object: "page", entry: [{ id: "1", changes: "?" }, comment("1"), comment("LONG")] })
    const body = new TextEncoder().encode(text.replaceAll('"LONG"', long))
    const rest = redact(body, account("facebook", "1"))
    assert.deepStrictEqual(
      heardIn("facebook", rest).map(({ route }) => Option.getOrNull(route.accountId)),
      [long]
    )
    assert.notInclude(JSON.stringify(textOf(rest)), '"1"')
  })

  it("is of one network: the same id on another one stays", () => {
    const envelopes = [
      { object: "page", entry: [comment("1")] },
      { object: "instagram", entry: [{ id: "1", time: 1, changes: [] }] }
    ]
    assert.deepStrictEqual(textOf(redact(bytesOf(envelopes), account("facebook", "1"))), [envelopes[1]])
    assert.deepStrictEqual(textOf(redact(bytesOf(envelopes), account("instagram", "1"))), [envelopes[0]])
  })

  it("is found by the user name where Threads gives no id", () => {
    const value = (username: string) => ({
      field: "replies",
      value: { id: `by ${username}`, username: "reader", text: "hi", root_post: { id: "7", username } }
    })
    const payload = { app_id: "1", values: [value("Ours"), value("theirs")] }
    const rest = redact(bytesOf(payload), account("threads", "99", "ours"))
    assert.deepStrictEqual(textOf(rest), { app_id: "1", values: [value("theirs")] })
  })

  it("takes the delivery with it when nothing is left, or when nothing can be told apart", () => {
    const one = bytesOf({ object: "page", entry: [comment("1")] })
    assert.isTrue(Option.isNone(redact(one, account("facebook", "1"))))
    assert.isTrue(Option.isNone(redact(new TextEncoder().encode('{"id":"1"'), account("facebook", "1"))))
    const old = bytesOf({ for_user_id: "1", tweet_create_events: [{ id_str: "2" }] })
    assert.isTrue(Option.isNone(redact(old, account("x", "1"))))
    assert.strictEqual(Option.getOrNull(redact(old, account("x", "2"))), old)
  })
})

import { testNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as fc from "fast-check"
import type { Source } from "../../src/networks/Source.ts"
import { InboxItemId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { type Candidate, fits, matchReply } from "../../src/outbound/matchReply.ts"
import { OutboundOperation, OutcomeUnknown, Sending } from "../../src/outbound/OutboundOperation.ts"
import { noon } from "@loopbox/testing/fixtures/activities"

const body = "0".repeat(25)

const operation = (n: number, text = "Yes", source: Source = "ig_comment", isSending = false) => {
  const attempt = { attemptedAt: DateTime.add(noon, { seconds: n }), preparation: Option.none<string>() }
  return new OutboundOperation({
    id: OutboundOperationId.make(`op_${body}${n}`),
    workspaceId: WorkspaceId.make(`ws_${body}0`),
    accountId: SocialAccountId.make(`acc_${body}0`),
    itemId: InboxItemId.make(`itm_${body}0`),
    source,
    idempotencyKey: Option.none(),
    text,
    target: { externalId: "c1", replyTargetId: "c1-edit", threadKey: "root", linkedPostId: Option.none() },
    attempts: 1,
    state: isSending
      ? new Sending(attempt)
      : new OutcomeUnknown({ ...attempt, lookedAt: Option.none(), isHastened: false }),
    createdAt: DateTime.add(noon, { seconds: n }),
    updatedAt: noon
  })
}

const candidate = (n: number, change: Partial<Candidate> = {}): Candidate => ({
  source: "ig_comment",
  externalId: `r${n}`,
  threadKey: "root",
  parentExternalId: Option.some("c1"),
  body: "Yes",
  receivedAt: DateTime.add(noon, { seconds: 10 + n }),
  operationTag: Option.none(),
  attached: [],
  ...change
})

const { traitsOf } = testNetworks

describe("which post is a reply's (social-networks.md §3.2)", () => {
  it("is recognised by text, place and time, as networks return them", () => {
    const x = operation(0, "see example.com/a  now", "x_reply")
    const of = (change: Partial<Candidate>) => candidate(0, { source: "x_reply", ...change })
    assert.isTrue(fits(traitsOf(x.source), x, of({ body: "@ann @bob_1 see https://example.com/a/ now" })))
    assert.isTrue(
      fits(traitsOf(x.source), x, of({ body: "see example.com/a\nnow", parentExternalId: Option.some("c1-edit") }))
    )
    assert.isTrue(
      fits(traitsOf(x.source), x, of({ body: "see example.com/a now", parentExternalId: Option.some("root") }))
    )
    assert.isFalse(fits(traitsOf(x.source), x, of({ body: "see example.com/b now" })))
    assert.isFalse(
      fits(traitsOf(x.source), x, of({ body: "see example.com/a now", parentExternalId: Option.some("c2") }))
    )
    const decomposed = operation(0, "Ünter")
    assert.isTrue(fits(traitsOf(decomposed.source), decomposed, candidate(0, { body: "U\u0308nter" })))
    assert.isFalse(
      fits(
        traitsOf(operation(0, "Yes", "fb_comment").source),
        operation(0, "Yes", "fb_comment"),
        candidate(0, { source: "fb_comment", body: "@ann Yes" })
      )
    )
    const old = DateTime.subtract(noon, { seconds: 60 })
    assert.isTrue(fits(traitsOf(operation(0).source), operation(0), candidate(0, { receivedAt: old })))
    assert.isFalse(
      fits(
        traitsOf(operation(0).source),
        operation(0),
        candidate(0, { receivedAt: DateTime.subtract(old, { milliseconds: 1 }) })
      )
    )
    const message = operation(0, "Yes", "ig_dm")
    assert.isTrue(
      fits(traitsOf(message.source), message, candidate(0, { source: "ig_dm", parentExternalId: Option.some("m0") }))
    )
    assert.isFalse(fits(traitsOf(message.source), message, candidate(0, { source: "ig_dm", threadKey: "bob" })))
  })

  it("is recognised by its tag alone, if there is one", () => {
    const one = operation(1)
    const tagged = (of: OutboundOperation) => candidate(3, { body: "other", operationTag: Option.some(of.id) })
    assert.deepStrictEqual(matchReply(traitsOf(one.source), one, [], [candidate(1), candidate(2), tagged(one)]), {
      _tag: "Match",
      externalId: "r3"
    })
    assert.deepStrictEqual(matchReply(traitsOf(one.source), one, [], [tagged(operation(2))]), { _tag: "None" })
  })

  it("waits for the answer of an equal that is being sent", () => {
    const sending = operation(2, "Yes", "ig_comment", true)
    assert.deepStrictEqual(matchReply(traitsOf(operation(1).source), operation(1), [sending], [candidate(1)]), {
      _tag: "None"
    })
    assert.deepStrictEqual(
      matchReply(traitsOf(operation(1).source), operation(1), [operation(2, "No", "ig_comment", true)], [candidate(1)]),
      {
        _tag: "Match",
        externalId: "r1"
      }
    )
  })

  const numbers = fc.record({ replies: fc.integer({ min: 1, max: 5 }), posts: fc.nat(6) })

  it("gives each post to one of equal replies, the oldest first, and none where there are too many", () => {
    fc.assert(
      fc.property(numbers, ({ posts, replies }) => {
        const all = Array.from({ length: replies }, (_, n) => operation(n))
        const shown = Array.from({ length: posts }, (_, n) => candidate(n)).toReversed()
        const matches = all.map((one) =>
          matchReply(
            traitsOf(one.source),
            one,
            all.filter((other) => other !== one),
            shown
          )
        )
        if (posts > replies) {
          assert.deepStrictEqual(new Set(matches.map(({ _tag }) => _tag)), new Set(["Ambiguous"]))
          return
        }
        assert.deepStrictEqual(
          matches.map((match) => (match._tag === "Match" ? match.externalId : match._tag)),
          all.map((_, n) => (n < posts ? `r${n}` : "None"))
        )
      })
    )
  })
})

import { eventTypes, typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { EventBody } from "../../src/api/inbox/EventBody.ts"
import { webhookExample } from "../../src/api/endpoints/webhookExamples.ts"

const at = "2026-11-21T07:00:00.000Z"

const endpoint = new OutgoingEndpoint({
  id: OutgoingEndpointId.make("whe_01k9j8m2x4v6q8s0t2w4y6z8ab"),
  workspaceId: WorkspaceId.make("ws_01k9j8kz7c5r3n1p9h7f5d3b1a"),
  url: "https://app.example/hook",
  events: Option.none(),
  externalUserId: Option.none(),
  description: Option.none(),
  isOrdered: false,
  status: "enabled",
  statusReason: Option.none(),
  createdAt: DateTime.makeUnsafe(at),
  lastSuccessAt: Option.none(),
  lastFailureAt: Option.none(),
  failingSince: Option.none(),
  failuresInRow: 0
})

const ofJobs: ReadonlyArray<string> = Object.values(typeOfJobEnd)
const ofSocket = eventTypes.filter((type) => !ofJobs.includes(type))
const decode = Schema.decodeUnknownSync(EventBody, { onExcessProperty: "error" })

/** As the event itself would be read. */
const read = (type: (typeof eventTypes)[number]) => {
  const { example, ...frame } = webhookExample(type, endpoint, at)
  assert.isTrue(example)
  return decode({ ...frame, seq: 1 })
}

describe("examples of events, which a test of an endpoint sends (api-2.md §15)", () => {
  it.each(ofSocket)("has for %s what its event has", (type) => {
    assert.strictEqual(read(type).type, type)
  })

  it("shows what the type says", () => {
    const failing = read("webhook_endpoint.failing")
    assert(failing.type === "webhook_endpoint.failing")
    assert.deepStrictEqual([failing.endpoint.status, failing.endpoint.last_failure_at], ["failing", at])
    const attention = read("account.attention")
    assert(attention.type === "account.attention")
    assert.isNotEmpty(attention.account.health.problems)
    const gone = read("account.disconnected")
    assert(gone.type === "account.disconnected")
    assert.deepStrictEqual([gone.account.status, gone.account.capabilities], ["disconnected", []])
    const statuses = (["post.published", "post.partial", "post.failed"] as const).map((type) => {
      const told = read(type)
      return "post" in told ? [told.post.status, ...told.post.targets.map(({ status }) => status)] : []
    })
    assert.deepStrictEqual(statuses, [
      ["published", "published"],
      ["partial", "published", "failed"],
      ["failed", "failed"]
    ])
  })
})

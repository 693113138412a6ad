import { assert } from "vitest"
import { Layer } from "effect"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { createLoopbox, type Loopbox } from "../../src/createLoopbox.ts"
import type { PlainActivity } from "../../src/facade/plainActivity.ts"
import type { PlainEvent } from "../../src/facade/plainInbox.ts"

export const comment = (
  externalId: string,
  change: Partial<Extract<PlainActivity, { type: "posted" }>> = {}
): PlainActivity => ({
  type: "posted",
  source: "ig_comment",
  networkAccountId: "page",
  externalId,
  threadKey: externalId,
  body: "Hello",
  authorName: "Ann",
  receivedAt: new Date("2026-11-21T12:00:00Z"),
  ...change
})

/** Loopbox in memory, and a workspace with one Instagram account that belongs to the managed user `u1`. */
export const connectedInbox = async (networks: Layer.Layer<never, unknown> = Layer.empty) => {
  const loopbox = await createLoopbox(MemoryAdapters.layer, networks)
  const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
  const account = await loopbox.accounts.connect({
    workspaceId,
    network: "instagram",
    networkAccountId: "page",
    name: "Acme",
    externalUserId: "u1",
    credentials: { accessToken: "token" },
    // The scripted networks say nothing of a token.
    check: false
  })
  return { loopbox, workspaceId, account, u1: { workspaceId, externalUserId: "u1" }, whole: { workspaceId } }
}

/** The tag of the refusal that a promise was rejected with. */
export const rejectedTag = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.then(
    () => assert.fail("it was fulfilled"),
    (reason: unknown) => reason
  )
  return error instanceof Error && "_tag" in error ? error._tag : assert.fail(String(error))
}

/** The first events of a scope. */
export const take = async (
  loopbox: Loopbox,
  scope: Parameters<Loopbox["inbox"]["events"]>[0],
  count: number,
  after: number
) => {
  const events: Array<PlainEvent> = []
  for await (const event of loopbox.inbox.events(scope, { after })) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

import { assert, describe, it } from "vitest"
import { Layer } from "effect"
import { InboxPlans } from "@loopbox/core/access/InboxPlans"
import type { Source } from "@loopbox/core/networks/Source"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { createLoopbox } from "../../src/createLoopbox.ts"
import { comment } from "./connectedInbox.ts"

describe("loopbox.inbox: plans", () => {
  it("shows only the sources that the embedder's own table gives a plan", async () => {
    const none = new Set<Source>()
    const dms = new Set<Source>(["ig_dm"])
    const table = Layer.succeed(InboxPlans, {
      free: dms,
      api: none,
      basic: none,
      growth: none,
      team: none,
      enterprise: none
    })
    await using loopbox = await createLoopbox(MemoryAdapters.layer, table)
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "free" })
    const credentials = { accessToken: "token" }
    const account = { network: "instagram", networkAccountId: "page", name: "Acme", credentials } as const
    await loopbox.accounts.connect({ ...account, workspaceId })
    await loopbox.inbox.ingest([comment("a"), comment("b", { source: "ig_dm" })])
    const { items } = await loopbox.inbox.list({ workspaceId })
    assert.deepStrictEqual(
      items.map(({ externalId }) => externalId),
      ["b"]
    )
    assert.strictEqual(await loopbox.inbox.count({ workspaceId }), 1)
  })
})

import { assert, describe, it } from "vitest"
import { comment, connectedInbox, rejectedTag } from "./connectedInbox.ts"

const invalid = new Date("x")

describe("a date that is none", () => {
  it("is refused by its name, wherever a time is given", async () => {
    const { loopbox, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    const { accounts, inbox, keys, posts, threads } = loopbox
    await inbox.ingest([comment("a")])
    const threadId = (await threads.list(whole)).threads[0]?.id ?? assert.fail("no thread")
    const credentials = { accessToken: "token", expiresAt: invalid }
    const account = {
      workspaceId,
      network: "instagram",
      networkAccountId: "other",
      name: "Other",
      credentials
    } as const
    const calls: ReadonlyArray<readonly [name: string, call: () => Promise<unknown>]> = [
      ["receivedAfter", () => inbox.list(whole, { receivedAfter: invalid })],
      ["receivedBefore", () => inbox.list(whole, { receivedBefore: invalid })],
      ["scheduledAt", () => posts.create(whole, { text: "a", scheduledAt: invalid })],
      ["scheduledAt", () => posts.validate(whole, { text: "a", scheduledAt: invalid })],
      ["scheduledAt", () => posts.change(whole, "post_00000000000000000000000001", { scheduledAt: invalid })],
      ["expiresAt", () => keys.create({ workspaceId, name: "key", expiresAt: invalid })],
      ["credentials.expiresAt", () => accounts.connect(account)],
      ["credentials.expiresAt", () => accounts.renew(workspaceId, "acc_1", credentials)],
      ["snoozedUntil", () => threads.setState(whole, threadId, { threadStatus: "open", snoozedUntil: invalid })]
    ]
    for (const [name, call] of calls) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      assert.instanceOf(error, RangeError, name)
      assert.strictEqual(error.message, `${name} must be a valid date`)
    }
    // As everything that is wrong in an activity: by its path.
    const edited = { type: "edited", source: "ig_comment", networkAccountId: "page", externalId: "a" } as const
    for (const activity of [
      comment("b", { receivedAt: invalid }),
      { ...edited, body: "b", version: 1, editedAt: invalid },
      { ...edited, type: "hidden", at: invalid } as const
    ])
      assert.strictEqual(await rejectedTag(inbox.ingest([activity])), "SchemaError")
  })
})

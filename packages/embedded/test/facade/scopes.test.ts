import { assert, describe, it } from "vitest"
import { comment, connectedInbox } from "./connectedInbox.ts"

/** As plain JavaScript gives it. */
const loose = (scope: object): { readonly workspaceId: string } => JSON.parse(JSON.stringify(scope))

const nextOf = (events: AsyncIterable<unknown>) => events[Symbol.asyncIterator]().next()

describe("a scope", () => {
  it("that names its user by another name opens no inbox, least of all the workspace's", async () => {
    const { loopbox, workspaceId } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    const { inbox, posts, threads } = loopbox
    const wrong: ReadonlyArray<readonly [scope: object, message: string]> = [
      [
        { workspaceId, external_user_id: "c1" },
        "A scope has workspaceId and externalUserId; it has no external_user_id"
      ],
      [{ workspaceId, externalUserID: "c1" }, "A scope has workspaceId and externalUserId; it has no externalUserID"],
      [{ workspaceId, externalUserId: 7 }, "A scope's externalUserId must be a text, or null"],
      [{ id: workspaceId }, "A scope has workspaceId and externalUserId; it has no id"],
      [{}, "A scope's workspaceId must be a text"],
      [[], "A scope must be { workspaceId } or { workspaceId, externalUserId }"]
    ]
    for (const [scope, message] of wrong) {
      const calls = [
        () => inbox.list(loose(scope)),
        () => nextOf(inbox.events(loose(scope))),
        () => threads.list(loose(scope)),
        () => posts.list(loose(scope))
      ]
      for (const call of calls) {
        const error: unknown = await call().catch((reason: unknown) => reason)
        assert.instanceOf(error, TypeError)
        assert.strictEqual(error.message, message)
      }
    }
  })
})

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
        "scope.external_user_id is not known: there are workspaceId, externalUserId"
      ],
      [
        { workspaceId, externalUserID: "c1" },
        "scope.externalUserID is not known: there are workspaceId, externalUserId"
      ],
      [{ workspaceId, externalUserId: 7 }, "scope.externalUserId must be a text"],
      [
        { id: workspaceId },
        "scope.workspaceId is missing; scope.id is not known: there are workspaceId, externalUserId"
      ],
      [{}, "scope.workspaceId is missing"],
      [[], "scope must be { workspaceId } or { workspaceId, externalUserId }"]
    ]
    for (const [scope, message] of wrong) {
      const calls: ReadonlyArray<readonly [name: string, call: () => Promise<unknown>]> = [
        ["inbox.list", () => inbox.list(loose(scope))],
        ["inbox.events", () => nextOf(inbox.events(loose(scope)))],
        ["threads.list", () => threads.list(loose(scope))],
        ["posts.list", () => posts.list(loose(scope))]
      ]
      for (const [name, call] of calls) {
        const error: unknown = await call().catch((reason: unknown) => reason)
        assert.instanceOf(error, TypeError)
        assert.strictEqual(error.message, `${name}: ${message}`)
      }
    }
  })
})

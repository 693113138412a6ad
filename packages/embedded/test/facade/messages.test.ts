import { assert, describe, it } from "vitest"
import { createLoopbox } from "../../src/createLoopbox.ts"
import { mapBlobs } from "../ports/mapBlobs.ts"
import { connectedInbox } from "./connectedInbox.ts"

const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason
  )
  return error instanceof Error ? error : assert.fail(String(error))
}

const nextOf = async (iterable: AsyncIterable<unknown>) => iterable[Symbol.asyncIterator]().next()

describe("the message of an error", () => {
  it("says what a refusal is of, which its data says besides", async () => {
    const { loopbox, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    const error = await errorOf(loopbox.accounts.find(workspaceId, "acc_1"))
    assert.strictEqual(error.message, `account not found (workspaceId: "${workspaceId}", accountId: "acc_1")`)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), {
      _tag: "AccountNotFound",
      workspaceId,
      accountId: "acc_1"
    })
    const noWorkspace = await errorOf(loopbox.inbox.count({ workspaceId: "ws_1" }))
    assert.strictEqual(noWorkspace.message, 'workspace not found (workspaceId: "ws_1")')
    const post = await errorOf(loopbox.posts.create(whole, { text: "a" }))
    assert.match(post.message, /^post invalid \(issues: \[\{/)
    const events = await errorOf(nextOf(loopbox.inbox.events({ workspaceId: "ws_1" })))
    assert.strictEqual(events.message, noWorkspace.message)
    const lines = await errorOf(nextOf(loopbox.accounts.exportManagedUser(workspaceId, "nobody")))
    assert.strictEqual(lines.message, 'managed user not found (externalUserId: "nobody")')
    assert.strictEqual((await errorOf(loopbox.members.issueToken(workspaceId, "ann"))).message, "no local issuer")
  })

  it("says which store can't answer, and why", async () => {
    const blobs = {
      ...mapBlobs(),
      get: async () => Promise.reject(new Error("the disk is gone")),
      put: async () => Promise.reject(new Error("the disk is full"))
    }
    await using loopbox = await createLoopbox({ blobs, workers: false })
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
    const bytes = new TextEncoder().encode("GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;")
    const error = await errorOf(loopbox.media.upload({ workspaceId, bytes }))
    assert.strictEqual(
      error.message,
      'store unavailable (operation: "blobs.write", committed: "unknown"): the disk is full'
    )
    assert.strictEqual(String(error), `StoreUnavailable: ${error.message}`)
  })
})

import { assert, describe, it } from "vitest"
import { comment, connectedInbox } from "./connectedInbox.ts"

/** Whatever plain JavaScript gives, of a type that the compiler takes for right. */
const loose = <Right>(given: unknown): Right => JSON.parse(JSON.stringify(given))

describe("an argument that the compiler would refuse", () => {
  it("is refused by its name before anything runs", async () => {
    const { loopbox, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    const { accounts, inbox, keys, media, members, posts, threads, webhookEndpoints, workspaces } = loopbox
    const itemId = (await inbox.list(whole)).items[0]?.id ?? assert.fail("no item")
    const threadId = (await threads.list(whole)).threads[0]?.id ?? assert.fail("no thread")
    const account = { workspaceId, network: "instagram", networkAccountId: "1", name: "Acme" }
    const wrong: ReadonlyArray<readonly [message: string, call: () => Promise<unknown>]> = [
      [
        "workspaces.create: workspace.plan must be one of free,",
        () => workspaces.create(loose({ name: "A", plan: "x" }))
      ],
      ["workspaces.create: workspace must be an object of name,", () => workspaces.create(loose(null))],
      ["workspaces.create: workspace.name must be", () => workspaces.create({ name: " ", plan: "free" })],
      ["workspaces.update: change.plann is not known", () => workspaces.update(workspaceId, loose({ plann: "free" }))],
      ["members.set: role must be one of viewer, editor,", () => members.set(workspaceId, "bob", loose("king"))],
      [
        "members.issueToken: options.external_user_id is not known",
        () => members.issueToken(workspaceId, "ann", loose({ external_user_id: "c1" }))
      ],
      [
        "members.issueToken: options.externalUserId must be a text where it is given",
        () => members.issueToken(workspaceId, "ann", { externalUserId: undefined })
      ],
      ["keys.create: key.name must be a text", () => keys.create(loose({ workspaceId, name: 7 }))],
      ["media.upload: file.bytes must be a Uint8Array,", () => media.upload(loose({ workspaceId, bytes: "GIF89a" }))],
      ["media.upload: file.bytes is missing", () => media.upload(loose({ workspaceId }))],
      ["accounts.connect: account.credentials is missing", () => accounts.connect(loose(account))],
      [
        "accounts.connect: account.credentials must be { accessToken,",
        () => accounts.connect(loose({ ...account, credentials: "token" }))
      ],
      [
        "inbox.list: request.is_read is not known: there are limit,",
        () => inbox.list(whole, loose({ is_read: false }))
      ],
      ["inbox.list: request.isRead must be true or false", () => inbox.list(whole, loose({ isRead: "false" }))],
      [
        "inbox.setThreadState: state.threadStatus must be one of open, assigned, resolved",
        () => inbox.setThreadState(whole, itemId, loose({ threadStatus: "closed" }))
      ],
      ["inbox.setThreadState: state.threadStatus is missing", () => inbox.setThreadState(whole, itemId, loose({}))],
      ["inbox.reply: reply.text must be a text", () => inbox.reply(whole, itemId, loose({ text: 7 }))],
      ["threads.list: request.threadStatus must be", () => threads.list(whole, loose({ threadStatus: "x" }))],
      ["threads.setLabels: labels must be a list of texts", () => threads.setLabels(whole, threadId, loose("vip"))],
      [
        "webhookEndpoints.create: endpoint.external_user_id is not known",
        () => webhookEndpoints.create(workspaceId, loose({ url: "https://e.example", external_user_id: "c1" }))
      ],
      ["posts.create: post.is_draft is not known", () => posts.create(whole, loose({ text: "a", is_draft: true }))],
      ["posts.create: post.targets[0].accountId is missing", () => posts.create(whole, loose({ targets: [{}] }))]
    ]
    for (const [message, call] of wrong) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      assert.instanceOf(error, TypeError, message)
      assert.isTrue(error.message.startsWith(message), `${error.message}, not ${message}`)
    }
    assert.strictEqual((await inbox.find(whole, itemId)).threadStatus, "open")
  })
})

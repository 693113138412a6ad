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
      [
        "inbox.ingest: activities[0].author_name is not known",
        () => inbox.ingest(loose([{ ...comment("b"), author_name: "Ann" }]))
      ],
      ["inbox.reply: reply.text must be a text", () => inbox.reply(whole, itemId, loose({ text: 7 }))],
      ["threads.list: request.threadStatus must be", () => threads.list(whole, loose({ threadStatus: "x" }))],
      ["threads.setLabels: labels must be a list of texts", () => threads.setLabels(whole, threadId, loose("vip"))],
      [
        "webhookEndpoints.create: endpoint.external_user_id is not known",
        () => webhookEndpoints.create(workspaceId, loose({ url: "https://e.example", external_user_id: "c1" }))
      ],
      ["posts.create: post.is_draft is not known", () => posts.create(whole, loose({ text: "a", is_draft: true }))],
      [
        "accounts.connect: account.network must be one of instagram,",
        () => accounts.connect(loose({ ...account, network: "instgram", credentials: { accessToken: "token" } }))
      ],
      [
        "accounts.connect: account.externalUserID is not known",
        () =>
          accounts.connect(loose({ ...account, id: "acc_1", externalUserID: "c1", credentials: { accessToken: "t" } }))
      ],
      ["accounts.move: externalUserId must be a text, or null", () => accounts.move(workspaceId, "a", loose(7))],
      ["inbox.list: request.id is not known", () => inbox.list(whole, loose({ id: "x", is_read: false }))],
      ["inbox.list: request.source must be one of ig_", () => inbox.list(whole, { source: "ig_coment" })],
      ["inbox.list: request.after.receivedAt is missing", () => inbox.list(whole, loose({ after: { id: "x" } }))],
      [
        "savedReplies.update: change.txt is not known",
        () => loopbox.savedReplies.update(whole, "x", loose({ id: "x", workspaceId, name: "a", txt: "b" }))
      ],
      [
        "conversions.submit: conversion.gif_media_id is not known",
        () => loopbox.conversions.submit(loose({ workspaceId, gifMediaId: "m", gif_media_id: "m" }))
      ],
      [
        "audio.submit: overlay.videoVolume must be a whole number from 0 to 100",
        () => loopbox.audio.submit({ workspaceId, videoMediaId: "m", audioMediaId: "m", videoVolume: 101 })
      ],
      [
        "connecting.create: request.features[0] must be one of inbox,",
        () => loopbox.connecting.create(loose({ workspaceId, network: "instagram", features: ["inbx"] }))
      ],
      [
        "connected.list: request.status must be one of connected,",
        () => loopbox.connected.list(whole, loose({ status: "dead" }))
      ],
      ["moderation.batch: action must be one of read,", () => loopbox.moderation.batch(whole, [itemId], loose("like"))],
      ["notes.create: note.text is missing", () => loopbox.notes.create(whole, threadId, loose({ body: "a" }))],
      [
        "media.read: options.range.length is missing",
        () => media.read(workspaceId, "m", loose({ range: { offset: 0 } }))
      ],
      ["posts.create: post.targets[0].accountId is missing", () => posts.create(whole, loose({ targets: [{}] }))]
    ]
    for (const [message, call] of wrong) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      assert.instanceOf(error, TypeError, message)
      assert.isTrue(error.message.startsWith(message), `${error.message}, not ${message}`)
    }
    assert.strictEqual((await inbox.find(whole, itemId)).threadStatus, "open")
  })

  it("may be a record that is given back", async () => {
    const { account, loopbox, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    const [item = assert.fail("no item")] = (await loopbox.inbox.list(whole)).items
    const [thread = assert.fail("no thread")] = (await loopbox.threads.list(whole)).threads
    const workspace = await loopbox.workspaces.find(workspaceId)
    await loopbox.workspaces.update(workspaceId, { ...workspace, name: "Other" })
    await loopbox.accounts.disconnect(workspaceId, account.id)
    await loopbox.accounts.connect({ ...account, credentials: { accessToken: "token" }, check: false })
    await loopbox.inbox.setThreadState(whole, item.id, { ...item, threadStatus: "resolved" })
    await loopbox.threads.setState(whole, thread.id, { ...thread, threadStatus: "open" })
    const saved = await loopbox.savedReplies.create(whole, { name: "a", text: "b" })
    await loopbox.savedReplies.update(whole, saved.id, { ...saved, text: "c" })
    const post = await loopbox.posts.create(whole, { text: "a", isDraft: true, targets: [{ accountId: account.id }] })
    await loopbox.posts.change(whole, post.id, { ...post, text: "b" })
    const { endpoint } = await loopbox.webhookEndpoints.create(workspaceId, { url: "https://e.example" })
    await loopbox.webhookEndpoints.update(workspaceId, endpoint.id, loose({ ...endpoint, description: "b" }))
  })

  it("of events is refused with the first of them", async () => {
    const { loopbox, whole } = await connectedInbox()
    await using _ = loopbox
    for (const after of [-1, 1.5, Number.NaN, "7", {}]) {
      const given = loopbox.inbox.events(whole, loose({ after: Number.isNaN(after) ? "NaN" : after }))
      const error: unknown = await given[Symbol.asyncIterator]()
        .next()
        .catch((reason: unknown) => reason)
      assert.instanceOf(error, TypeError)
      assert.strictEqual(error.message, "inbox.events: request.after must be the number of an event, or 0")
    }
  })
})

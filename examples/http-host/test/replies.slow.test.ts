import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { customer, request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { findOperation, itemOf, openSocket, sendReply } from "./support/inboxClient.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
const { folder } = places
const json = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await runCli([...args, "--json"], folder)
  assert.strictEqual(code, 0, output)
  return JSON.parse(output)
}

let host: HostProcess
let key: string
let socket: Awaited<ReturnType<typeof openSocket>>
beforeAll(async () => {
  host = await startHost(folder)
  key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
  socket = await openSocket(host.url, key)
}, 300_000)
afterAll(async () => {
  socket.close()
  await host.stop("SIGKILL")
  places.remove()
})

/** Somebody asks on the simulated network; answers the item that its webhook makes. */
const ask = async (text: string, network = "facebook") => {
  const said: { readonly id: string } = await json("sandbox", "comment", text, "--network", network)
  const frame = await until(
    "the item",
    () => socket.frames.find(({ item, type }) => type === "inbox.new_item" && item?.external_id === said.id),
    60_000,
    5
  )
  return { commentId: said.id, itemId: frame.item?.id ?? "" }
}

/** What Loopbox has posted below a comment. */
const answersTo = async (commentId: string): Promise<ReadonlyArray<string>> => {
  const sent: ReadonlyArray<{ readonly text: string; readonly in_reply_to: { readonly id: string } | null }> =
    await json("sandbox", "sent")
  return sent.filter(({ in_reply_to }) => in_reply_to?.id === commentId).map(({ text }) => text)
}

/**
 * Asks for a reply until it is known what became of it: on a busy machine that may be after the 20 seconds that a request
 * waits. The same key asks for nothing new.
 */
const reply = (itemId: string, text: string, idempotencyKey: string, kind?: "reply" | "private-reply") =>
  until("the outcome", async () => {
    const answer = await sendReply(host.url, key, itemId, text, idempotencyKey, undefined, kind)
    return /X_WRITE_OUTCOME_PENDING|X_REMOTE_ACCEPTED_RECONCILING/.test(answer.text) ? undefined : answer
  })

const statusesOf = (operationId: string) =>
  socket.frames.flatMap(({ operation, type }) =>
    type === "inbox.reply_updated" && operation?.id === operationId ? [operation.status] : []
  )

describe("loopbox serve, with nothing configured: replies", () => {
  it("answers a comment once, tells its sockets, and gives the same answer again", async () => {
    const { commentId, itemId } = await ask("Do you deliver on Sundays?")
    const first = await reply(itemId, "Yes, until six.", "sundays")
    assert.strictEqual(first.status, 200, first.text)
    assert.strictEqual(first.item?.is_own, true)
    assert.strictEqual(first.item?.body, "Yes, until six.")
    const again = await reply(itemId, "Yes, until six.", "sundays")
    assert.deepStrictEqual([again.status, again.item?.id, again.operationId], [200, first.item?.id, first.operationId])
    const other = await reply(itemId, "No.", "sundays")
    assert.strictEqual(other.status, 409, other.text)
    assert.deepStrictEqual(await answersTo(commentId), ["Yes, until six."])
    assert.strictEqual((await findOperation(host.url, key, first.operationId)).status, "completed")
    await until("the events", () => statusesOf(first.operationId).includes("completed") || undefined)
    assert.deepStrictEqual(statusesOf(first.operationId), ["pending", "sending", "remote_succeeded", "completed"])
    assert.include((await request(`${host.url}/metrics`)).text, 'loopbox_replies_open{status="outcome_unknown"}')
  })

  it("posts once what is asked for twenty times at once with one key", async () => {
    const { commentId, itemId } = await ask("How large is it?", "instagram")
    const all = await Promise.all(Array.from({ length: 20 }, () => reply(itemId, "Two metres.", "size")))
    assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [200])
    assert.strictEqual(new Set(all.map(({ item }) => item?.id)).size, 1)
    assert.strictEqual(new Set(all.map(({ operationId }) => operationId)).size, 1)
    assert.deepStrictEqual(await answersTo(commentId), ["Two metres."])
  })

  it("posts once what clients ask for who hang up, whenever they do", async () => {
    const { commentId, itemId } = await ask("Which colours are there?")
    const texts = Array.from({ length: 8 }, (_, n) => `Colour-${n}`)
    await Promise.all(
      texts.map((text, n) =>
        sendReply(host.url, key, itemId, text, text, AbortSignal.timeout(10 * n)).catch(() => undefined)
      )
    )
    const again = await Promise.all(texts.map((text) => reply(itemId, text, text)))
    assert.deepStrictEqual(
      again.map(({ item }) => item?.body),
      texts
    )
    assert.sameMembers([...(await answersTo(commentId))], texts)
  })

  it("finds what the network has posted and answered with 500, and does not send it again", async () => {
    const { commentId, itemId } = await ask("Is it waterproof?")
    await json(
      "sandbox",
      "fault",
      "set",
      "server_error_after",
      "--network",
      "facebook",
      "--endpoint",
      "reply",
      "--times",
      "1"
    )
    const { item, operationId, status, text } = await reply(itemId, "It is.", "water")
    assert.strictEqual(status, 200, text)
    assert.strictEqual(item?.body, "It is.")
    assert.deepStrictEqual(await answersTo(commentId), ["It is."])
    await until("the events", () => statusesOf(operationId).includes("completed") || undefined)
    assert.include(statusesOf(operationId), "outcome_unknown")
  })

  for (const network of ["instagram", "facebook"]) {
    it(`answers a comment on ${network} privately once, and knows that it did though the answer was lost`, async () => {
      const { itemId } = await ask(`What does it cost on ${network}?`, network)
      await json(
        "sandbox",
        "fault",
        "set",
        "server_error_after",
        "--network",
        network,
        "--endpoint",
        "send",
        "--times",
        "1"
      )
      const text = `Twenty euros on ${network}.`
      const privately = (name: string) => reply(itemId, text, name, "private-reply")
      const first = await privately("price")
      assert.strictEqual(first.status, 200, first.text)
      assert.deepStrictEqual(
        [first.item?.source, first.item?.body, first.item?.is_own],
        [network === "instagram" ? "ig_dm" : "fb_dm", text, true]
      )
      const again = await privately("price")
      assert.deepStrictEqual(
        [again.status, again.item?.id, again.operationId],
        [200, first.item?.id, first.operationId]
      )
      const second = await privately("other")
      assert.strictEqual(second.status, 409, second.text)
      assert.include(second.text, "already_replied")
      const sent: ReadonlyArray<{ readonly text: string }> = await json("sandbox", "sent")
      assert.strictEqual(sent.filter((one) => one.text === text).length, 1)
    })
  }

  for (const network of ["instagram", "facebook"]) {
    it(`sends a picture to a person on ${network}, once though the answer was lost`, async () => {
      const said: { readonly id: string } = await json("sandbox", "message", "Do you have it?", "--network", network)
      const frame = await until(
        "the message",
        () => socket.frames.find(({ item, type }) => type === "inbox.new_item" && item?.external_id === said.id),
        60_000,
        5
      )
      const picture = await customer(host.url, key).upload(new Uint8Array(animatedGif([10, 20])))
      const args = ["--network", network, "--endpoint", "send", "--times", "1"]
      await json("sandbox", "fault", "set", "server_error_after", ...args)
      const ask = () =>
        request(`${host.url}/v1/inbox/${frame.item?.id ?? ""}/reply?inbox_scope=workspace`, {
          method: "POST",
          token: key,
          headers: { "content-type": "application/json", "idempotency-key": "picture" },
          body: JSON.stringify({ media_ids: [picture] })
        })
      const sent = await until(
        "the picture",
        async () => {
          const answer = await ask()
          return answer.status === 200 ? itemOf(answer) : undefined
        },
        60_000,
        500
      )
      assert.deepStrictEqual([sent.body, sent.is_own, ...sent.attachments.map(({ type }) => type)], ["", true, "image"])
      const all: ReadonlyArray<{ readonly network: string; readonly text: string; readonly kind: string }> = await json(
        "sandbox",
        "sent"
      )
      assert.strictEqual(all.filter((one) => one.network === network && one.text === "").length, 1)
    })
  }

  it("answers a comment on Facebook with a picture beside the words", async () => {
    const { commentId, itemId } = await ask("What does it look like?")
    const picture = await customer(host.url, key).upload(new Uint8Array(animatedGif([10, 20, 30])))
    const answer = await request(`${host.url}/v1/inbox/${itemId}/reply?inbox_scope=workspace`, {
      method: "POST",
      token: key,
      headers: { "content-type": "application/json", "idempotency-key": "look" },
      body: JSON.stringify({ text: "Like this.", media_ids: [picture] })
    })
    assert.strictEqual(answer.status, 200, answer.text)
    const item = itemOf(answer)
    assert.deepStrictEqual([item.body, ...item.attachments.map(({ type }) => type)], ["Like this.", "image"])
    assert.deepStrictEqual(await answersTo(commentId), ["Like this."])
  })
})

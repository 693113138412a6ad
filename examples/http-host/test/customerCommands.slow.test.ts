import { assert } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { customer, request } from "./support/apiClient.ts"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { bin, type HostProcess, runCliProcess, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

// One host for all of these: its start is what takes long.
const places = await preparedFolder()
const { folder } = places
let host: HostProcess
beforeAll(async () => {
  host = await startHost(folder)
})
afterAll(async () => {
  await host.stop()
  places.remove()
})

const cli = (...args: ReadonlyArray<string>) => runCli(args, folder)
const sandbox = (...args: ReadonlyArray<string>) => cli("sandbox", ...args)

interface Item {
  readonly id: string
  readonly body: string
  readonly source: string
  readonly thread_id: string
}
const page = (output: string): { readonly data: ReadonlyArray<Item>; readonly next_cursor: string | null } =>
  JSON.parse(output)

const Named = Schema.Struct({ in: Schema.optionalKey(Schema.String), name: Schema.optionalKey(Schema.String) })
const Document = Schema.Struct({
  paths: Schema.Record(
    Schema.String,
    Schema.Struct({ get: Schema.optionalKey(Schema.Struct({ parameters: Schema.Array(Named) })) })
  )
})

/** Names of what a GET takes in its query. */
const queryOf = (document: string, path: string): ReadonlyArray<string> =>
  (Schema.decodeUnknownSync(Schema.fromJsonString(Document))(document).paths[path]?.get?.parameters ?? []).flatMap(
    (one) => (one.in === "query" && one.name !== undefined ? [one.name] : [])
  )

/** Lets somebody write, and gives the item that it becomes. */
const written = async (text: string, network = "facebook", what = "comment"): Promise<Item> => {
  assert.strictEqual((await sandbox(what, text, "--network", network)).code, 0)
  return until(text, async () =>
    page((await cli("inbox", "list", "--json")).output).data.find(({ body }) => body.includes(text))
  )
}

describe("loopbox convert", () => {
  it("makes an MP4 of a GIF, beside it or where it is told", async () => {
    await cli("demo-gif", "cat.gif")
    const beside = await cli("convert", "cat.gif")
    assert.strictEqual(beside.code, 0, beside.output)
    assert.match(beside.output, /^cat\.mp4: 320 x 180, 5\.8 s, \d+ bytes$/m)
    assert.strictEqual(readFileSync(join(folder, "cat.mp4")).subarray(4, 8).toString("latin1"), "ftyp")
    const named = await cli("convert", "cat.gif", "other.mp4", "--background", "ffcc00", "--json")
    assert.strictEqual(named.code, 0, named.output)
    const answer = JSON.parse(named.output.slice(named.output.indexOf("{")))
    assert.deepInclude(answer, { file: "other.mp4" })
    assert.deepInclude(answer.job, { status: "succeeded", background_color: "#FFCC00" })
    assert.strictEqual(answer.media.size_bytes, readFileSync(join(folder, "other.mp4")).length)
  })

  it("says what is wrong with a file, and leaves what is there", async () => {
    writeFileSync(join(folder, "words.gif"), "no picture")
    writeFileSync(join(folder, "broken.gif"), "GIF89a and then nothing of the kind")
    writeFileSync(join(folder, "broken.mp4"), "kept")
    for (const [args, sentence] of [
      [["none.gif"], "none.gif cannot be read: it is not there."],
      [["words.gif"], "words.gif is not a GIF."],
      [["broken.gif", "broken.gif"], "The MP4 would replace its GIF"],
      [["broken.gif", "no/such.mp4"], "There is no folder no."],
      [["broken.gif"], "(gif_probe_failed)."]
    ] as const) {
      const { code, output } = await cli("convert", ...args)
      assert.strictEqual(code, 1, output)
      assert.include(output, sentence)
    }
    assert.strictEqual(readFileSync(join(folder, "broken.mp4"), "utf8"), "kept")
    // What stands for a device, which the MP4 must not replace either.
    spawnSync("mkfifo", [join(folder, "pipe")])
    mkdirSync(join(folder, "folder.mp4"))
    for (const [args, sentence] of [
      [["folder.mp4", "x.mp4"], "folder.mp4 is no file."],
      [["pipe", "x.mp4"], "pipe is no file."],
      [["cat.gif", "folder.mp4"], "folder.mp4 is a folder. Name a file in it."],
      [["cat.gif", "pipe"], "pipe is no file that could be replaced."],
      [["cat.gif", "-"], "Standard input and output are not taken."],
      [["-", "x.mp4"], "Standard input and output are not taken."]
    ] as const) {
      const { code, output } = await cli("convert", ...args)
      assert.notStrictEqual(code, 0, output)
      assert.include(output, sentence)
      assert.notInclude(output, "Uploading")
    }
    assert.isTrue(statSync(join(folder, "pipe")).isFIFO())
  })

  it("converts in its own process where there is no host, and leaves nothing but the MP4", async () => {
    const nowhere = temporaryFolder()
    const there = join(nowhere.folder, "cat.gif")
    writeFileSync(there, animatedGif([10, 20]))
    const converted = await runCli(["convert", "cat.gif", "--background", "ffcc00", "--json"], nowhere.folder)
    assert.strictEqual(converted.code, 0, converted.output)
    assert.match(converted.output, /^No host is running: converting here$/m)
    const answer = JSON.parse(converted.output.slice(converted.output.indexOf("{")))
    assert.deepInclude(answer.job, { status: "succeeded", background_color: "#FFCC00" })
    assert.strictEqual(answer.media.size_bytes, readFileSync(join(nowhere.folder, "cat.mp4")).length)
    assert.sameMembers(readdirSync(nowhere.folder), ["cat.gif", "cat.mp4"])
    writeFileSync(there, "GIF89a and then nothing of the kind")
    const broken = await runCli(["convert", "cat.gif", "other.mp4"], nowhere.folder)
    assert.strictEqual(broken.code, 1)
    assert.include(broken.output, "(gif_probe_failed).")
    const named = await runCli(["convert", "cat.gif", "--url", "http://127.0.0.1:1"], nowhere.folder)
    assert.include(named.output, "There is no API key for http://127.0.0.1:1")
    assert.sameMembers(readdirSync(nowhere.folder), ["cat.gif", "cat.mp4"])
    nowhere.remove()
  })

  it("says where it looked for a host and a key, and hands the Demo's key to no other host", async () => {
    const nowhere = temporaryFolder()
    const lost = await runCli(["inbox", "list"], nowhere.folder)
    assert.strictEqual(lost.code, 1)
    assert.match(lost.output, /No host serves .*--url or LOOPBOX_URL/)
    const elsewhere = await cli("inbox", "list", "--url", "http://127.0.0.1:1")
    assert.include(elsewhere.output, "There is no API key for http://127.0.0.1:1. Set LOOPBOX_API_KEY")
    const variables = {
      LOOPBOX_URL: host.url,
      LOOPBOX_API_KEY: readFileSync(join(folder, ".loopbox/demo-key"), "utf8")
    }
    assert.strictEqual((await runCli(["inbox", "list"], nowhere.folder, variables)).code, 0)
    nowhere.remove()
  })
})

describe("loopbox inbox", () => {
  it("lists items with the filters of the API, as a table and as JSON", async () => {
    const item = await written("Is the large one back?")
    const table = await cli("inbox", "list", "--source", "fb_comment", "--is-own", "false")
    assert.match(table.output, /^ID +RECEIVED +SOURCE +STATE +FROM +TEXT$/m)
    assert.match(table.output, new RegExp(`^${item.id} .* fb_comment +unread .* Is the large one back\\?$`, "m"))
    assert.notInclude(table.output, "fb_dm")
    await written("And the small one?")
    const first = await cli("inbox", "list", "--limit", "1", "--source", "fb_comment")
    const cursor = /--cursor (\S+)/.exec(first.output)?.[1] ?? ""
    const second = page((await cli("inbox", "list", "--source", "fb_comment", "--cursor", cursor, "--json")).output)
    assert.include(
      second.data.map(({ id }) => id),
      item.id
    )
    const wrong = await cli("inbox", "list", "--source", "telex")
    assert.strictEqual(wrong.code, 1)
    assert.match(wrong.output, /source must be one of .*VALIDATION_ERROR/)
    const theirs = await cli("inbox", "list", "--external-user-id", "nobody")
    assert.include(theirs.output, "MANAGED_USER_NOT_FOUND")
  })

  it("has a flag for each parameter of the API's list", async () => {
    const help = await cli("inbox", "list", "--help")
    const flags = [...help.output.matchAll(/^ {2}--([a-z-]+) /gm)].map(([, flag = ""]) => flag.replaceAll("-", "_"))
    const document = JSON.stringify((await request(`${host.url}/openapi.json`)).json)
    const names = queryOf(document, "/v1/inbox").filter((name) => name !== "inbox_scope")
    assert.isAbove(names.length, 10)
    assert.includeMembers(flags, names)
  })

  it("finds items by words, and a thread's by its id", async () => {
    const item = await written("Où est la crème brûlée ?")
    await written("Nothing about dessert")
    const found = page((await cli("inbox", "list", "--q", "creme BRUL", "--json")).output)
    assert.deepStrictEqual(
      found.data.map(({ id }) => id),
      [item.id]
    )
    const thread = await cli("inbox", "list", "--thread-id", item.thread_id, "--json")
    assert.deepStrictEqual(
      page(thread.output).data.map(({ id }) => id),
      [item.id]
    )
    const none = await cli("inbox", "list", "--q", "v")
    assert.strictEqual(none.code, 1)
    assert.match(none.output, /^loopbox: The request is not valid: q must have 2 to 200 characters/m)
  })

  it("lets no stranger's text reach the terminal as more than text", async () => {
    const { id } = await written("\u001B[31mred\u0007\nnext line \u202Etxet")
    const { output } = await cli("inbox", "list")
    assert.match(output, new RegExp(`^${id} .* \\[31mred next line txet$`, "m"))
    // eslint-disable-next-line no-control-regex
    assert.notMatch(output, /[\u0007\u001B\u202E]/)
  })

  it("replies once to a key, and to X without one", async () => {
    const { id } = await written("Do you deliver?")
    const answers = await Promise.all([
      runCliProcess(["inbox", "reply", id, "Yes, until six.", "--key", "k1"], folder),
      runCliProcess(["inbox", "reply", id, "Yes, until six.", "--key", "k1"], folder)
    ])
    for (const { code, output } of answers) assert.strictEqual(code, 0, output)
    assert.strictEqual(answers[0]?.output, answers[1]?.output)
    assert.match(answers[0]?.output ?? "", /^itm_\w+ {2}sent: Yes, until six\.$/m)
    const other = await cli("inbox", "reply", id, "No.", "--key", "k1")
    assert.strictEqual(other.code, 1)
    assert.include(other.output, "IDEMPOTENCY_KEY_CONFLICT")
    const mention = await written("hello there @demoshop", "x", "mention")
    const onX = await cli("inbox", "reply", mention.id, "Good morning!", "--json")
    assert.strictEqual(onX.code, 0, onX.output)
    assert.deepInclude(JSON.parse(onX.output), { body: "Good morning!", is_own: true })
    const none = await cli("inbox", "reply", "itm_none", "Hello?")
    assert.strictEqual(none.code, 1)
    assert.include(none.output, "NOT_FOUND")
  })

  it("replies with a file, and as a person", async () => {
    const { id } = await written("What does it look like?", "facebook", "message")
    const key = readFileSync(join(folder, ".loopbox/demo-key"), "utf8").trim()
    const picture = await customer(host.url, key).upload(new Uint8Array(animatedGif([10, 20])))
    const shown = await cli("inbox", "reply", id, "--media", picture)
    assert.strictEqual(shown.code, 0, shown.output)
    assert.match(shown.output, /^itm_\w+ {2}sent: \[image\]$/m)
    const both = await cli("inbox", "reply", id, "Like this", "--media", picture)
    assert.strictEqual(both.code, 1)
    assert.include(both.output, "VALIDATION_ERROR")
    const person = await cli("inbox", "reply", id, "It is me.", "--tag", "human_agent")
    assert.strictEqual(person.code, 1)
    assert.include(person.output, "ACTION_NOT_AVAILABLE")
    assert.strictEqual((await cli("inbox", "reply", id, "Hello", "--tag", "robot")).code, 2)
  })

  it("calls a thread done", async () => {
    const { id } = await written("Thank you!")
    const done = await cli("inbox", "resolve", id)
    assert.strictEqual(done.code, 0, done.output)
    assert.match(done.output, new RegExp(`^${id}  thread \\S+: resolved$`, "m"))
    assert.deepInclude(JSON.parse((await cli("inbox", "resolve", id, "--json")).output), { thread_status: "resolved" })
    const other = await cli("inbox", "resolve", "itm_none")
    assert.strictEqual(other.code, 1)
    assert.include(other.output, "NOT_FOUND")
  })

  it("watches what comes in, and misses nothing of a connection that broke", async () => {
    // Between the two: what can be cut without an end of the host.
    const open = new Set<Socket>()
    let isCut = false
    const between = createServer((client) => {
      if (isCut) return void client.destroy()
      const there = connect(Number(new URL(host.url).port), "127.0.0.1")
      for (const [one, other] of [
        [client, there],
        [there, client]
      ] as const) {
        open.add(one)
        one.pipe(other)
        one.on("error", () => other.destroy()).on("close", () => other.destroy())
      }
    })
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve))
    const address = between.address()
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    const watcher = spawn(
      process.execPath,
      [bin, "inbox", "watch", "--url", url, "--api-key-file", ".loopbox/demo-key"],
      { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }
    )
    let output = ""
    watcher.stdout.on("data", (text) => (output += text))
    watcher.stderr.on("data", (text) => (output += text))
    const says = (text: string) => until(text, () => (output.includes(text) ? true : undefined))
    try {
      await says(`Watching ${url}`)
      const seen = await written("While it is connected")
      await says(`new      ${seen.id}  fb_comment`)
      isCut = true
      for (const socket of open) socket.destroy()
      await says("The connection broke")
      const missed = await written("While it is not")
      assert.notInclude(output, missed.id)
      isCut = false
      await says("Connected again.")
      await says(missed.id)
      for (const { id } of [seen, missed]) assert.strictEqual(output.split(`new      ${id}`).length, 2, output)
    } finally {
      watcher.kill()
      between.close()
      for (const socket of open) socket.destroy()
    }
  })

  it("does not watch for whoever may not", async () => {
    writeFileSync(join(folder, "bad-key"), "lbx_test_bad")
    const stranger = await cli("inbox", "watch", "--api-key-file", "bad-key")
    assert.strictEqual(stranger.code, 1)
    assert.include(stranger.output, "UNAUTHORIZED")
    const nobody = await cli("inbox", "watch", "--external-user-id", "nobody", "--json")
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.output, "MANAGED_USER_NOT_FOUND")
  })
})

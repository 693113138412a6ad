import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { type AlarmHouse, openAlarmHouse } from "../support/alarmHouse.ts"
import { hasPromtool, judgeAlarm, valueOf } from "../support/alarms.ts"
import { customer } from "../support/apiClient.ts"
import { sleep, until } from "../support/hostProcess.ts"
import { findOperation, listItems, openSocket, sendReply } from "../support/inboxClient.ts"
import { serverPrograms } from "../support/ownServer.ts"
import { describeUnmoved } from "../support/unmoved.ts"
import { runCli } from "../support/runCli.ts"

describeUnmoved("it stops a server of its own", serverPrograms !== undefined && hasPromtool)(
  "alarms about work, ended as their pages say",
  () => {
    let house: AlarmHouse
    beforeAll(async () => {
      house = await openAlarmHouse("alarms-of-work", { LOOPBOX_LEASE: "3 seconds" })
      // It has the simulated networks, which commands find by its data folder.
      await house.start("worker", "all")
    })
    afterAll(() => house.close())

    const is = (wanted: number) => (value: number) => value === wanted
    const cli = async (...args: ReadonlyArray<string>): Promise<string> => {
      const variables = { ...house.variablesOf("worker"), LOOPBOX_URL: house.api.url, LOOPBOX_API_KEY: house.key }
      const { code, output } = await runCli(args, house.folder, variables)
      assert.strictEqual(code, 0, output)
      return output
    }
    const fault = (...args: ReadonlyArray<string>) => cli("sandbox", "fault", "set", ...args, "--network", "instagram")
    const idIn = (output: string, prefix: string): string =>
      new RegExp(`\\b${prefix}_[0-9a-z]{26}\\b`).exec(output)?.[0] ?? assert.fail(output)
    const textOf = (looked: ReadonlyMap<string, { readonly output: string }>): string =>
      Array.from(looked.values(), ({ output }) => output).join("\n")

    it("LoopboxRepliesToReconcile: the network takes a reply, breaks off, and cannot be asked for half an hour", async () => {
      const outcome = 'outcome="needs_reconciliation"'
      await cli("sandbox", "settings", "--own-webhooks", "off")
      await cli("sandbox", "comment", "When do you open?", "--network", "instagram")
      const item = await until("the item", async () => (await listItems(house.api.url, house.key))[0])
      const before = await house.look()
      await fault("reset_after", "--endpoint", "reply", "--times", "1")
      await fault("server_error")
      const { operationId } = await sendReply(house.api.url, house.key, item.id, "At ten.", "opening")
      const statusOf = async () => (await findOperation(house.api.url, house.key, operationId)).status
      assert.strictEqual(await statusOf(), "outcome_unknown")
      await house.advance("31 minutes")
      const during = await house.until("loopbox_replies_total", is(1), outcome)
      const page = house.pageOf("LoopboxRepliesToReconcile", "worker")
      const found = textOf(page.look())
      assert.include(found, item.id)
      assert.include(found, "At ten.")
      // At the network it is there, so nothing is to be done.
      await cli("sandbox", "fault", "clear")
      assert.include(await cli("sandbox", "sent"), "At ten.")
      const after = await house.look()
      judgeAlarm(house.folder, "LoopboxRepliesToReconcile", { before, during, after, endsWithin: 35 })
      const reply = page.run("loopbox inbox reply ITEM TEXT", { ITEM: item.id, TEXT: "Until.six." })
      assert.strictEqual(reply.code, 0, reply.output)
    })

    it("LoopboxPostsWait, LoopboxPostsTooLate: no worker runs when a post is due", async () => {
      const due = "loopbox_posts_oldest_due_seconds"
      const before = await house.until(due, is(0))
      const account = idIn(await cli("account", "list", "--network", "facebook", "--json"), "acc")
      const at = new Date(house.now() + 3 * 60_000).toISOString()
      const post = idIn(await cli("post", "publish", "Late", "--accounts", account, "--at", at), "pst")
      await house.stop("worker")
      await house.advance("20 minutes")
      const waiting = await house.until(due, (value) => value > 120)
      house.pageOf("LoopboxPostsWait").look()
      await house.start("worker", "all")
      const begun = await house.until(due, is(0))
      judgeAlarm(house.folder, "LoopboxPostsWait", { before, during: waiting, after: begun, endsWithin: 1 })
      const during = await house.until("loopbox_post_targets_total", is(1), 'outcome="too_late"')
      const page = house.pageOf("LoopboxPostsTooLate", "worker")
      const found = textOf(page.look())
      assert.strictEqual(idIn(found, "pst"), post)
      const retried = page.run("loopbox post retry POST TARGET", { POST: post, TARGET: idIn(found, "ptg") })
      assert.strictEqual(retried.code, 0, retried.output)
      await until("the post", async () => (/ published /.test(await cli("post", "get", post)) ? true : undefined))
      const after = await house.look()
      judgeAlarm(house.folder, "LoopboxPostsTooLate", { before, during, after, endsWithin: 35 })
    })

    it("LoopboxLoopDefects: somebody has renamed a table", async () => {
      const faults = "loopbox_loop_faults_total"
      const defects = 'kind="defect"'
      const before = await house.look()
      house.sql("ALTER TABLE sync_runs RENAME TO sync_runs_of_old")
      const first = await house.until(faults, (value) => value > 0, defects)
      const second = await house.until(faults, (value) => value > valueOf(first, faults, defects) + 1, defects)
      house.pageOf("LoopboxLoopDefects", "worker").look()
      assert.match(house.processOf("worker").output(), /"loop":"inbox.sweep".*sync_runs.*does not exist/)
      house.sql("ALTER TABLE sync_runs_of_old RENAME TO sync_runs")
      const swept = valueOf(second, "loopbox_swept_timestamp_seconds", 'sweep="inbox"')
      const after = await house.until("loopbox_swept_timestamp_seconds", (at) => at > swept, 'sweep="inbox"')
      const during = [first, second] as const
      judgeAlarm(house.folder, "LoopboxLoopDefects", { before, during, after, minutes: 40, endsWithin: 32 })
    })

    it("LoopboxFeedBehind: somebody locks a table for long, and much happens", async () => {
      const socket = await openSocket(house.api.url, house.key)
      const before = await house.until("loopbox_feed_workspaces", (value) => value > 0)
      const blocker = house.lockTable("social_accounts")
      await blocker.locked
      // As many events as a busy minute brings, each like the last one.
      const columns = house
        .sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'events' ORDER BY ordinal_position")
        .split("\n")
      const copied = columns.map((name) => (name === "seq" ? "s.last + n" : `e.${name}`)).join(", ")
      house.sql(
        `INSERT INTO events (${columns.join(", ")}) SELECT ${copied} FROM workspace_seq s
        JOIN LATERAL (SELECT * FROM events WHERE workspace_id = s.workspace_id ORDER BY seq DESC LIMIT 1) e ON true,
        generate_series(1, 3000) n`,
        "UPDATE workspace_seq SET last = last + 3000"
      )
      const during = await house.until("loopbox_feed_events_behind", (value) => value > 1000)
      const words = { "HOST:OPS_PORT": house.api.url.replace("http://", "") }
      assert.match(textOf(house.pageOf("LoopboxFeedBehind").look(words)), new RegExp(`\\{${blocker.pid()}\\}`))
      blocker.end()
      const after = await house.until("loopbox_feed_events_behind", is(0))
      // Each of them, or word that there was too much, after which a client fetches or goes on by `after`.
      await until(
        "word of the events",
        () =>
          socket.frames.length > 3000 ||
          socket.frames.some(({ type }) => type === "resync_required") ||
          socket.closedWith() === 4008 ||
          undefined
      )
      socket.close()
      judgeAlarm(house.folder, "LoopboxFeedBehind", { before, during, after, endsWithin: 1 })
    })

    it("LoopboxLeasesLost: a worker takes on too much, and stands still for seconds", async () => {
      await house.stop("worker")
      const slow = join(house.folder, "slow-ffmpeg")
      const real = house.variables["LOOPBOX_FFMPEG"] ?? "ffmpeg"
      writeFileSync(slow, `#!/bin/sh\ncase "$*" in *"-i "*) sleep 8;; esac\nexec "${real}" "$@"\n`)
      chmodSync(slow, 0o755)
      const crowded = { LOOPBOX_FFMPEG: slow, LOOPBOX_CONVERSIONS_AT_ONCE: "8" }
      const starved = await house.start("starved", "worker", crowded)
      const before = await house.look()
      for (const kind of ["conversion", "overlay", "reply", "post"]) {
        // What comes later is seen to rise only from a 0.
        assert.isTrue(
          [...before.series.keys()].some((key) => key.startsWith(`loopbox_${kind}_leases_lost_total`)),
          kind
        )
      }
      const calls = customer(house.api.url, house.key)
      const gifs = Array.from({ length: 8 }, (_, n) => Uint8Array.from(animatedGif([10 + n])))
      const jobs = await Promise.all(gifs.map(async (gif) => calls.submit(await calls.upload(gif))))
      await house.until("loopbox_conversion_claims_total", is(8))
      process.kill(starved.pid, "SIGSTOP")
      await house.start("worker", "worker")
      await Promise.all(jobs.map(({ id }) => calls.settled(id)))
      process.kill(starved.pid, "SIGCONT")
      const during = await house.until("loopbox_conversion_leases_lost_total", (value) => value > 5)
      const page = house.pageOf("LoopboxLeasesLost", "starved")
      assert.match(textOf(page.look()), /^LOOPBOX_LEASE: 3 seconds/m)
      // As the page says: what the machine has processors for.
      await house.stop("starved")
      await house.start("starved", "worker", { LOOPBOX_CONVERSIONS_AT_ONCE: "1" })
      await sleep(3_000)
      const after = await house.look()
      judgeAlarm(house.folder, "LoopboxLeasesLost", { before, during, after, minutes: 12, endsWithin: 16 })
    })
  }
)

import { assert } from "@effect/vitest"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type AlarmHouse, appSecret, instagramAccount, openAlarmHouse } from "../support/alarmHouse.ts"
import { hasPromtool, judgeAlarm, type Scrape, valueOf } from "../support/alarms.ts"
import { request } from "../support/apiClient.ts"
import { until } from "../support/hostProcess.ts"
import { metaDelivery } from "../support/metaDelivery.ts"
import { serverPrograms } from "../support/ownServer.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const outputOf = (looked: ReadonlyMap<string, { readonly output: string }>, command: string): string =>
  looked.get(command)?.output ?? assert.fail(`The page does not say: ${command}`)

describeUnmoved("it stops a server of its own", serverPrograms !== undefined && hasPromtool)(
  "alarms about rows, ended as their pages say",
  () => {
    let house: AlarmHouse
    beforeAll(async () => {
      house = await openAlarmHouse("alarms-of-rows")
      await house.start("worker", "worker")
    })
    afterAll(() => house.close())

    const deliver = async (...changes: ReadonlyArray<unknown>) => {
      const entry = [{ id: instagramAccount, time: 1_771_322_400, changes }]
      const answer = await request(
        `${house.api.url}/v1/webhooks/meta`,
        metaDelivery(appSecret, { object: "instagram", entry })
      )
      assert.strictEqual(answer.status, 200, answer.text)
    }
    const comment = (id: string) => ({
      field: "comments",
      value: { id, text: "Hello", from: { id: "5", username: "reader" }, media: { id: "9" } }
    })
    const is = (wanted: number) => (value: number) => value === wanted

    it("LoopboxWebhooksFailed: a network sends what this version cannot read", async () => {
      const failed = "loopbox_webhook_deliveries_failed"
      const before = await house.until(failed, is(0))
      await deliver("not a change")
      const during = await house.until(failed, is(1))
      const page = house.pageOf("LoopboxWebhooksFailed")
      assert.include(outputOf(page.look(), "loopbox webhooks list"), "entry[0].changes[0]: not an object")
      // By this version, which does not know the payload, a replay fails again; the alarm ends by itself.
      page.run("loopbox webhooks replay")
      // The metric may be that of before.
      await until(
        "a second failure",
        () => house.sql(`SELECT id FROM webhook_deliveries WHERE state = 'failed'`) || undefined
      )
      const again = await house.until(failed, is(1))
      judgeAlarm(house.folder, "LoopboxWebhooksFailed", { before, during, after: again, minutes: 50, endsWithin: 65 })
      // As if a release had come that knows it.
      const entry = [{ id: instagramAccount, time: 1_771_322_400, changes: [comment("18000000000000001")] }]
      const known = Buffer.from(JSON.stringify({ object: "instagram", entry })).toString("hex")
      house.sql(`UPDATE webhook_deliveries SET body = '\\x${known}' WHERE state = 'failed'`)
      assert.include(page.run("loopbox webhooks replay").output, "1 deliveries are ingested again")
      const after = await house.until(failed, is(0))
      judgeAlarm(house.folder, "LoopboxWebhooksFailed", { before, during, after, minutes: 30, endsWithin: 5 })
    })

    it("LoopboxUnreadableRows: rows of a newer version that was taken back", async () => {
      const rows = "loopbox_queue_unreadable_rows_total"
      await house.stop("worker")
      await deliver(comment("18000000000000002"))
      const change = (columns: string) => house.sql(`UPDATE webhook_deliveries SET ${columns} WHERE state = 'pending'`)
      change("endpoint = 'mastodon'")
      const before = await house.look()
      const worker = await house.start("worker", "worker")
      const first = await house.until(rows, is(1), 'queue="webhook_deliveries"')
      // It is tried again after a minute; here at once.
      change("claimable_at = now()")
      const second = await house.until(rows, is(2))
      const doctor = outputOf(house.pageOf("LoopboxUnreadableRows").look(), "loopbox doctor")
      assert.match(doctor, /^ok +migrations +\d{4}_/m)
      assert.match(worker.output(), /a row is of a kind that this version does not know.*webhook_deliveries/)
      // As if the newer version ran again, to which the row means something.
      change("endpoint = 'meta', claimable_at = now()")
      const after = await house.until("loopbox_webhook_deliveries_pending", is(0))
      const during = [first, second] as const
      judgeAlarm(house.folder, "LoopboxUnreadableRows", { before, during, after, minutes: 160, endsWithin: 35 })
    })

    it("LoopboxListsIncomplete: accounts of a newer version that was taken back", async () => {
      const rows = "loopbox_list_unreadable_rows_total"
      const label = 'list="accounts"'
      const list = () =>
        request(`${house.api.url}/v1/admin/workspaces/${house.workspace}/social-accounts`, { token: house.adminToken })
      // As the newer version's migration would.
      house.sql("ALTER TABLE social_accounts DROP CONSTRAINT social_accounts_status_check")
      const change = (status: string) =>
        house.sql(`UPDATE social_accounts SET status = '${status}' WHERE id = '${house.page}'`)
      const before = await house.look()
      change("novel")
      assert.notInclude((await list()).text, house.page)
      const first = await house.until(rows, (value) => value > 0, label)
      assert.notInclude((await list()).text, house.page)
      const second = await house.until(rows, (value) => value > valueOf(first, rows, label), label)
      const doctor = outputOf(house.pageOf("LoopboxListsIncomplete").look(), "loopbox doctor")
      assert.match(doctor, /^ok +migrations +\d{4}_/m)
      assert.match(house.api.output(), /a row is of a kind that this version does not know; a list leaves it out/)
      // As if the newer version ran again, to which the row means something.
      change("connected")
      assert.include((await list()).text, house.page)
      const after = await house.look()
      const during = [first, second] as const
      judgeAlarm(house.folder, "LoopboxListsIncomplete", { before, during, after, minutes: 260, endsWithin: 125 })
    })

    it("LoopboxCounterDrift: somebody has changed a counter", async () => {
      const drift = "loopbox_inbox_counter_drift"
      const before = await house.until(drift, is(0))
      house.sql("UPDATE unread_counters SET unread = unread + 3")
      await house.advance("25 hours")
      const during = await house.until(drift, is(1))
      const page = house.pageOf("LoopboxCounterDrift")
      assert.match(outputOf(page.look(), "loopbox doctor"), /^failed +counters +1 unread counters did not agree/m)
      assert.match(page.run("loopbox doctor --repair").output, /^ok +counters +1 .* were set right/m)
      const after = await house.until(drift, is(0))
      judgeAlarm(house.folder, "LoopboxCounterDrift", { before, during, after, minutes: 10, endsWithin: 2 })
    })

    it("LoopboxErasuresWait: an account was disconnected, and no worker runs", async () => {
      const pending = "loopbox_erasures_pending"
      const oldest = "loopbox_erasures_oldest_pending_seconds"
      const before = await house.until(pending, is(0))
      await house.stop("worker")
      const account = `${house.api.url}/v1/admin/workspaces/${house.workspace}/social-accounts/${house.page}`
      assert.strictEqual((await request(account, { method: "DELETE", token: house.adminToken })).status, 204)
      await house.advance("8 days")
      await house.until(pending, is(1))
      assert.isBelow(valueOf(await house.look(), oldest), 26 * 3600)
      await house.advance("1 days")
      const during = await house.until(oldest, (value) => value > 86_400)
      house.pageOf("LoopboxErasuresWait").look()
      assert.isFalse([...during.series.keys()].some((key) => key.includes('part="erasures"')))
      await house.start("worker", "worker")
      const after = await house.until(oldest, is(0))
      judgeAlarm(house.folder, "LoopboxErasuresWait", { before, during, after, endsWithin: 1 })
    })

    describe("LoopboxSweepStopped", () => {
      const swept = "loopbox_swept_timestamp_seconds"
      /** A sweep each second came to its end, as far as this says. */
      const sweptAfter = (past: Scrape, sweep: string) =>
        house.until(swept, (value) => value > valueOf(past, swept, `sweep="${sweep}"`), `sweep="${sweep}"`)
      const isSame = (one: Scrape, other: Scrape, sweep: string) =>
        valueOf(one, swept, `sweep="${sweep}"`) === valueOf(other, swept, `sweep="${sweep}"`)
      /** Looks of which two in a row, with all figures measured anew between them, find that nothing was swept. */
      const standing = (sweep: string) => {
        let past: { readonly scrape: Scrape; readonly since: number } | undefined
        return until(
          "a sweep that stands still",
          async () => {
            const scrape = await house.look()
            if (past === undefined || !isSame(past.scrape, scrape, sweep)) past = { scrape, since: performance.now() }
            return performance.now() - past.since > 12_000 ? scrape : undefined
          },
          120_000,
          500
        )
      }

      it("where the place of the files is away", async () => {
        const first = await house.look()
        await sweptAfter(first, "media")
        const blobs = join(house.folder, "blobs")
        renameSync(blobs, `${blobs}-away`)
        writeFileSync(blobs, "")
        const during = await standing("media")
        const page = house.pageOf("LoopboxSweepStopped", "worker")
        assert.match(outputOf(page.look(), "loopbox doctor"), /^failed +blobs +no files can be stored/m)
        assert.match(house.processOf("worker").output(), /"loop":"media.sweep"/)
        rmSync(blobs)
        renameSync(`${blobs}-away`, blobs)
        const after = await sweptAfter(during, "media")
        judgeAlarm(house.folder, "LoopboxSweepStopped", { before: during, during, after, minutes: 80, endsWithin: 2 })
      })

      it("where no worker runs", async () => {
        const first = await house.look()
        await sweptAfter(first, "inbox")
        await house.stop("worker")
        const during = await standing("inbox")
        house.pageOf("LoopboxSweepStopped").look()
        await house.start("worker", "worker")
        const after = await sweptAfter(during, "inbox")
        judgeAlarm(house.folder, "LoopboxSweepStopped", { before: during, during, after, minutes: 80, endsWithin: 2 })
      })
    })
  }
)

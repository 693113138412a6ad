import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import { afterAll, beforeAll, it } from "vitest"
import { toneWav } from "../../src/cli/toneWav.ts"
import { type AlarmHouse, appSecret, instagramAccount, openAlarmHouse } from "../support/alarmHouse.ts"
import { hasPromtool, judgeAlarm } from "../support/alarms.ts"
import { customer, request } from "../support/apiClient.ts"
import { sleep, until } from "../support/hostProcess.ts"
import { metaDelivery } from "../support/metaDelivery.ts"
import { serverPrograms } from "../support/ownServer.ts"
import { describeUnmoved } from "../support/unmoved.ts"

describeUnmoved("it stops a server of its own", serverPrograms !== undefined && hasPromtool)(
  "alarms of a host, ended as their pages say",
  () => {
    let house: AlarmHouse
    beforeAll(async () => {
      // Without a worker, so that what is accepted waits.
      house = await openAlarmHouse("alarms", { LOOPBOX_DATABASE_POOL: "2", LOOPBOX_AUTH_RATE_LIMIT: "off" })
    })
    afterAll(() => house.close())

    const is = (wanted: number) => (value: number) => value === wanted
    const above = (least: number) => (value: number) => value > least
    const api = () => house.addresses()["api"] ?? assert.fail("The host is gone.")
    const words = () => {
      const address = api().replace("http://", "")
      return {
        "HOST:OPS_PORT": address,
        "WORKER:OPS_PORT": address,
        "key list WORKSPACE": `key list ${house.workspace}`
      }
    }
    const list = (token = house.key) =>
      request(`${api()}/v1/inbox?inbox_scope=workspace`, { token }).catch(() => undefined)

    it("LoopboxRefusedCredentials: somebody tries keys", async () => {
      const before = await house.look()
      for (let round = 0; round < 20; round++)
        await Promise.all(Array.from({ length: 20 }, () => list("lbx_test_wrong")))
      const during = await house.look()
      const looked = house.pageOf("LoopboxRefusedCredentials").look(words())
      assert.match(looked.get("loopbox key list WORKSPACE")?.output ?? "", /^key_\w+ +test /m)
      const after = await house.look()
      judgeAlarm(house.folder, "LoopboxRefusedCredentials", { before, during: [before, during], after })
    })

    it("LoopboxConversionsWait, LoopboxOverlaysWait, LoopboxWebhooksWait: nobody works", async () => {
      const before = await house.look()
      const calls = customer(api(), house.key)
      await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10]))))
      const video = Uint8Array.from(tinyMp4({ width: 64, height: 64, pictures: 30 }))
      await calls.layOver({
        video_media_id: await calls.upload(video, "video/mp4", "a.mp4"),
        audio_media_id: await calls.upload(Uint8Array.from(toneWav(1)), "audio/wav", "a.wav")
      })
      const value = {
        id: "18000000000000001",
        text: "Hello",
        from: { id: "5", username: "reader" },
        media: { id: "9" }
      }
      const entry = [{ id: instagramAccount, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
      const webhook = metaDelivery(appSecret, { object: "instagram", entry })
      assert.strictEqual((await request(`${api()}/v1/webhooks/meta`, webhook)).status, 200)
      await house.advance("10 minutes")
      await house.until("loopbox_webhook_deliveries_oldest_pending_seconds", above(120))
      await house.until("loopbox_overlays_oldest_queued_seconds", above(300))
      const during = await house.until("loopbox_conversions_oldest_queued_seconds", above(300))
      const alarms = ["LoopboxConversionsWait", "LoopboxOverlaysWait", "LoopboxWebhooksWait"]
      for (const alarm of alarms) house.pageOf(alarm).look(words())
      await house.start("worker", "worker")
      await house.until("loopbox_webhook_deliveries_oldest_pending_seconds", is(0))
      await house.until("loopbox_overlays_oldest_queued_seconds", is(0))
      const after = await house.until("loopbox_conversions_oldest_queued_seconds", is(0))
      for (const alarm of alarms) judgeAlarm(house.folder, alarm, { before, during, after, endsWithin: 1 })
      await house.stop("worker")
    })

    it("LoopboxPoolStarved: statements wait for one that blocks", async () => {
      const waiting = 'state="waiting"'
      const before = await house.until("loopbox_database_pool_connections", is(0), waiting)
      const blocker = house.lockTable("items")
      await blocker.locked
      let isOver = false
      const asking = Promise.all(
        Array.from({ length: 20 }, async () => {
          while (!isOver) await list()
        })
      )
      const during = await house.until("loopbox_database_pool_connections", above(0), waiting)
      const statement = Array.from(house.pageOf("LoopboxPoolStarved").look().values(), ({ output }) => output).join("")
      assert.match(statement, new RegExp(`\\{${blocker.pid()}\\}`), statement)
      blocker.end()
      isOver = true
      await asking
      const after = await house.until("loopbox_database_pool_connections", is(0), waiting)
      judgeAlarm(house.folder, "LoopboxPoolStarved", { before, during, after, endsWithin: 1 })
    })

    it("LoopboxDatabaseUnavailable, LoopboxErrors: the database is gone", async () => {
      const before = await house.look()
      house.server.stop()
      for (let round = 0; round < 20; round++) {
        await list()
        await sleep(200)
      }
      const during = await house.look()
      const looked = house.pageOf("LoopboxDatabaseUnavailable").look(words())
      assert.match(looked.get("loopbox doctor")?.output ?? "", /^failed +database/m)
      assert.match(looked.get('pg_isready -d "$DATABASE_URL"')?.output ?? "", /no response/)
      const ready = house.pageOf("LoopboxErrors").look(words()).get("curl -sS http://HOST:OPS_PORT/readyz")
      assert.include(ready?.output, "database")
      house.server.start()
      await until("an answer", async () => ((await list())?.status === 200 ? true : undefined))
      const after = await house.look()
      for (const alarm of ["LoopboxDatabaseUnavailable", "LoopboxErrors"]) {
        judgeAlarm(house.folder, alarm, { before, during: [before, during], after })
      }
    })

    it("LoopboxEventLoopBlocked, LoopboxDown: the process stands still, and is gone", async () => {
      const lag = "loopbox_event_loop_lag_seconds"
      const before = await house.until(lag, (value) => value < 1)
      const { pid } = house.processOf("api")
      process.kill(pid, "SIGSTOP")
      await sleep(4_000)
      process.kill(pid, "SIGCONT")
      const during = await house.until(lag, above(1))
      house.pageOf("LoopboxEventLoopBlocked").look(words())
      const after = await house.until(lag, (value) => value < 1)
      judgeAlarm(house.folder, "LoopboxEventLoopBlocked", { before, during, after, endsWithin: 1 })

      const gone = house.addresses()
      const lost = words()
      await house.stop("api", "SIGKILL")
      const down = await house.look(gone)
      const looked = house.pageOf("LoopboxDown").look(lost)
      assert.notStrictEqual(looked.get("curl -fsS http://HOST:OPS_PORT/livez")?.code, 0)
      await house.start("api", "api")
      judgeAlarm(house.folder, "LoopboxDown", { before, during: down, after: await house.look(), endsWithin: 1 })
    })
  }
)

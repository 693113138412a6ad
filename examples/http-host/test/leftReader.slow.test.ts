import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { bin, cleanEnvironment, temporaryFolder, until } from "./support/hostProcess.ts"
import { freePort } from "./support/ownServer.ts"
import { makeDatabase } from "./support/testServer.ts"

const { folder, remove } = temporaryFolder()
afterAll(remove)

/** Each request is a line of the log, which is written within 50 ms. */
const line_ms = 200

describe("a program whose reader has left", () => {
  it("goes on without its log where it serves, and ends in order", async () => {
    const port = await freePort()
    const host = spawn(process.execPath, [bin, "serve", "--port", `${port}`], {
      cwd: folder,
      env: {
        ...cleanEnvironment(),
        DATABASE_URL: await makeDatabase(),
        LOOPBOX_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
        LOOPBOX_STOP_PAUSE: "0 seconds"
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ended = once(host, "exit")
    try {
      const isUp = async () => {
        const answer = await request(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
        return answer?.status === 200 ? true : undefined
      }
      host.stdout.resume()
      host.stderr.resume()
      await until("the host is ready", isUp, 60_000)
      host.stdout.destroy()
      host.stderr.destroy()
      for (let n = 0; n < 3; n++) {
        assert.strictEqual((await request(`http://127.0.0.1:${port}/v1/inbox`)).status, 401)
        await new Promise((wake) => setTimeout(wake, line_ms))
      }
      assert.isNull(host.exitCode)
      assert.isTrue(await isUp())
    } finally {
      host.kill()
    }
    assert.deepStrictEqual(await ended, [0, null])
  })

  it("is a command that says nothing of it", async () => {
    const script = '"$1" "$2" config | true; echo "${PIPESTATUS[0]}"'
    const { stderr, stdout } = await promisify(execFile)("bash", ["-c", script, "bash", process.execPath, bin], {
      cwd: folder,
      env: cleanEnvironment()
    })
    assert.deepStrictEqual([stdout, stderr], ["0\n", ""])
  })
  it("is a command that fails where its answer cannot be kept", async () => {
    const script = '"$1" "$2" config --env > /dev/full; echo "$?"'
    const { stderr, stdout } = await promisify(execFile)("bash", ["-c", script, "bash", process.execPath, bin], {
      cwd: folder,
      env: cleanEnvironment()
    })
    assert.strictEqual(stdout, "1\n")
    assert.match(stderr, /^loopbox: The answer could not be written: ENOSPC: [^\n]*\n$/)
  })
})

import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { get } from "node:http"
import { performance } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { bin, cleanEnvironment, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import { freePort } from "../examples/http-host/test/support/ownServer.ts"
import type { Benchmark } from "./Benchmark.ts"
import { quantile } from "./statistics.ts"
import { withServer } from "./withServer.ts"

const starts = 10
/** Milliseconds from the command to the first 200. */
const promised_ms = 400
/** As the image, the unit of systemd and `npm start` start it. */
const nodeFlags = ["--v8-pool-size=1", "--max-semi-space-size=16", "--initial-old-space-size=64", "--expose-gc"]
/** Between two questions whether it answers by now. */
const pause_ms = 4

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on("error", () => resolve(false))
  })

/** Ticks of 10 ms of processor time. */
const processorTime_ms = (pid: number): number => {
  const [user = 0, system = 0] = (/\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "")
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

/** Starts a program that serves a port, until its path answers. */
const timeStart = async (
  args: ReadonlyArray<string>,
  path: string,
  folder: string,
  variables: Readonly<Record<string, string>>
) => {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...cleanEnvironment(), ...variables, LOOPBOX_PORT: `${port}` },
    stdio: ["ignore", "ignore", "inherit"]
  })
  try {
    while (!(await answers(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      await new Promise((wake) => setTimeout(wake, pause_ms))
    }
    return { took_ms: performance.now() - begun, processor_ms: processorTime_ms(child.pid ?? 0) }
  } finally {
    // In peace, for a process writes its compiled code down when it ends.
    child.kill()
    await once(child, "exit")
  }
}

/** How long customers wait where a node is started anew. */
export const start: Benchmark = {
  name: "start",
  description: `from the command to the first 200 of /readyz, for an API host on a running database: median of ${starts} starts against ${promised_ms} ms`,
  better: "lower",
  wanted: 1,
  run: () =>
    withServer({}, async ({ url }) => {
      const { folder, remove } = temporaryFolder()
      const variables = {
        DATABASE_URL: url,
        LOOPBOX_SECRET_KEYS: `bench:${randomBytes(32).toString("base64")}`,
        LOOPBOX_ADMIN_TOKEN: randomBytes(24).toString("hex"),
        LOOPBOX_ROLE: "api",
        LOOPBOX_NETWORKS: "sandbox",
        LOOPBOX_STOP_PAUSE: "0 seconds",
        MALLOC_ARENA_MAX: "2"
      }
      const bareProgram = fileURLToPath(new URL("bareStart.ts", import.meta.url))
      try {
        const ours: Array<Awaited<ReturnType<typeof timeStart>>> = []
        const bare: Array<Awaited<ReturnType<typeof timeStart>>> = []
        for (let n = 0; n < starts + 2; n++) {
          const one = await timeStart([...nodeFlags, bin, "serve"], "/readyz", folder, variables)
          const other = await timeStart([bareProgram], "/", folder, variables)
          // The first ones fill the caches of modules and of compiled code.
          if (n < 2) continue
          ours.push(one)
          bare.push(other)
        }
        const of = (all: typeof ours, read: (one: (typeof ours)[number]) => number) => quantile(all.map(read), 0.5)
        return {
          ours: of(ours, ({ took_ms }) => took_ms),
          baseline: promised_ms,
          unit: "ms",
          notes: [
            `processor time until then: ${of(ours, ({ processor_ms }) => processor_ms)} ms`,
            `node:http and pg, which answer after SELECT 1: ${of(bare, ({ took_ms }) => took_ms).toFixed(0)} ms`
          ]
        }
      } finally {
        remove()
      }
    })
}

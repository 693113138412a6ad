import * as Schema from "effect/Schema"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { CrowdAnswer, type CrowdOrder } from "./crowdMessages.ts"

const decode = Schema.decodeUnknownSync(CrowdAnswer)

/** A program of this folder in a process of its own, with types stripped as here. */
export const forkProgram = (name: string) =>
  fork(fileURLToPath(new URL(name, import.meta.url)), [], {
    execArgv: ["--conditions=@loopbox/source"],
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })

/** Many WebSocket clients in a process of their own. */
export const startCrowd = () => {
  const child = forkProgram("./crowdProcess.ts")
  const waiting = new Map<CrowdAnswer["_tag"], (answer: CrowdAnswer) => void>()
  let fail = (_error: Error): void => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Whoever asks is told; nobody else needs to be.
  failed.catch(() => {})
  child.on("message", (message) => {
    const answer = decode(message)
    if (answer._tag === "Failed") fail(new Error(answer.message))
    waiting.get(answer._tag)?.(answer)
    waiting.delete(answer._tag)
  })
  child.on("exit", () => fail(new Error("the crowd's process ended")))
  const next = <T extends CrowdAnswer["_tag"]>(tag: T) =>
    Promise.race([
      failed,
      new Promise<Extract<CrowdAnswer, { readonly _tag: T }>>((resolve) => {
        const isIt = (answer: CrowdAnswer): answer is Extract<CrowdAnswer, { readonly _tag: T }> => answer._tag === tag
        waiting.set(tag, (answer) => {
          if (isIt(answer)) resolve(answer)
        })
      })
    ])
  const order = (what: CrowdOrder) => child.send(what)

  return {
    /** Opens sockets of one URL. */
    open: async (url: string, authorization: string, count: number, greeting?: string): Promise<void> => {
      order({ _tag: "Open", url, authorization, count, ...(greeting === undefined ? {} : { greeting }) })
      await next("Opened")
    },
    /** Counts what `cause` makes come, until there are so many frames. */
    frames: async (count: number, cause: () => Promise<unknown>) => {
      order({ _tag: "Expect", frames: count })
      await next("Expecting")
      const arrived = next("Arrived")
      await cause()
      return await arrived
    },
    look: async () => {
      order({ _tag: "Look" })
      return await next("Seen")
    },
    stop: (): Promise<void> =>
      new Promise((ended) => {
        child.once("close", () => ended())
        child.kill()
      })
  }
}
export type Crowd = ReturnType<typeof startCrowd>

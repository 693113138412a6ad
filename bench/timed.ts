import { performance } from "node:perf_hooks"
import { openConnection, type Request } from "./load.ts"
import { quantile } from "./statistics.ts"

/** Asked so often before anything is measured: the host's code is compiled by then. */
const warmUp = 3_000

/** Where a request takes a tenth of a second, and little of it in the host. */
const slowWarmUp = 20

/** The answers that were disturbed least: whatever else runs on the machine only adds to a time. */
const undisturbed = 0.25

/**
 * Milliseconds of the answers to two requests that take turns, one at a time: whatever slows the machine down slows both.
 * Which of them is first alternates, too.
 */
const timesInTurn = async (one: Request, other: Request, pairs: number, warmUps: number) => {
  const connections = { one: await openConnection(one.url), other: await openConnection(other.url) }
  const time = async (which: "one" | "other"): Promise<number> => {
    const start = performance.now()
    await connections[which].ask(which === "one" ? one : other)
    return performance.now() - start
  }
  for (let n = 0; n < warmUps; n++) await time(n % 2 === 0 ? "one" : "other")
  const ones: Array<number> = []
  const others: Array<number> = []
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) ones.push(await time("one"))
    others.push(await time("other"))
    if (pair % 2 === 1) ones.push(await time("one"))
  }
  connections.one.close()
  connections.other.close()
  return { ones, others }
}

/** What three of four answers to each of them exceed. */
export const timedInTurn = async (
  one: Request,
  other: Request,
  pairs: number
): Promise<readonly [one: number, other: number]> => {
  const { ones, others } = await timesInTurn(one, other, pairs, warmUp)
  return [quantile(ones, undisturbed), quantile(others, undisturbed)]
}

/** What one of 20 answers to each of them exceeds. */
export const slowInTurn = async (
  one: Request,
  other: Request,
  pairs: number
): Promise<readonly [one: number, other: number]> => {
  const { ones, others } = await timesInTurn(one, other, pairs, slowWarmUp)
  return [quantile(ones, 0.95), quantile(others, 0.95)]
}

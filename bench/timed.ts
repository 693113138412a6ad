import { performance } from "node:perf_hooks"
import { openConnection, type Request } from "./load.ts"
import { quantile } from "./statistics.ts"

/** Asked so often before anything is measured: the host's code is compiled by then. */
const warmUp = 3_000

/** The answers that were disturbed least: whatever else runs on the machine only adds to a time. */
const undisturbed = 0.25

/**
 * Milliseconds that three of four answers exceed, of two requests that take turns, one at a time: whatever slows the
 * machine down slows both. Which of them is first alternates, too.
 */
export const timedInTurn = async (
  one: Request,
  other: Request,
  pairs: number
): Promise<readonly [one: number, other: number]> => {
  const connection = await openConnection(one.url)
  const time = async (request: Request): Promise<number> => {
    const start = performance.now()
    await connection.get(request)
    return performance.now() - start
  }
  for (let n = 0; n < warmUp; n++) await time(n % 2 === 0 ? one : other)
  const ones: Array<number> = []
  const others: Array<number> = []
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) ones.push(await time(one))
    others.push(await time(other))
    if (pair % 2 === 1) ones.push(await time(one))
  }
  connection.close()
  return [quantile(ones, undisturbed), quantile(others, undisturbed)]
}

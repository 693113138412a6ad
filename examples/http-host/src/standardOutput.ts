/** How long a line may wait for others. Whoever follows the log sees them as they come. */
const wait_ms = 50
/** As much as a pipe takes at once. */
const most = 32_768

let waiting = ""
let timer: NodeJS.Timeout | undefined

const flush = (): void => {
  clearTimeout(timer)
  timer = undefined
  const lines = waiting
  waiting = ""
  if (lines !== "") process.stdout.write(lines)
}

/** Writes a line now, behind those that wait. */
export const writeLine = (line: string): void => {
  flush()
  process.stdout.write(`${line}\n`)
}

/**
 * Writes a line with the others of the next 50 ms, for there is one for each request: written by itself, or with those of
 * the same turn of the event loop, it took a twelfth of the processor time of a request for 50 items.
 */
export const writeLineSoon = (line: string): void => {
  waiting += `${line}\n`
  if (waiting.length >= most) flush()
  else timer ??= setTimeout(flush, wait_ms).unref()
}

// Whatever ends the process before they are written.
process.once("exit", flush)

import { isProgram, isShell, type Block } from "./readBlocks.ts"

/** What the runner reads from the script's output to know where it is. */
export const announce = "::docs-check "

const defaultUntilSeconds = 60

/**
 * One bash script of a page's marked blocks, in their order, so that a variable set in one is known in the next.
 *
 * A block with `until` stays in the background to the end of the page; the next one starts when its output holds
 * that text. One with `expect` fails unless its output holds it. A marked program is a step like any other.
 */
export const shellScript = (blocks: ReadonlyArray<Block>, folder: string): string => {
  const steps = blocks.flatMap((given, index) => {
    if (given.mark?._tag !== "Run") return []
    const block = isProgram(given) ? { ...given, code: programScript(given, index) } : given
    if (!isProgram(given) && !isShell(given)) return []
    const { name, options } = given.mark
    const seconds = options.get("timeout") ?? String(defaultUntilSeconds)
    const output = quote(`${folder}/output-${index}`)
    const until = options.get("until")
    const expected = options.get("expect")
    const head = say(`${name} (line ${block.line})`)
    if (until !== undefined) {
      return [
        head,
        // A page before may have left one that holds the text, and the background opens its own only when it runs.
        `: > ${output}`,
        `setsid bash -euo pipefail -c ${quote(block.code)} > ${output} 2>&1 & background+=($!)`,
        `await_text ${quote(until)} ${output} $! ${quote(seconds)}`
      ]
    }
    if (expected === undefined) return [head, block.code]
    // Not in a pipe: the block's variables must outlive it.
    return [
      head,
      `{\n${block.code}} > ${output} 2>&1 || { cat ${output}; exit 1; }`,
      `must_hold ${quote(expected)} ${output}`
    ]
  })
  return steps.length === 0 ? "" : [prelude, ...steps, say("done")].join("\n")
}

/** A program as its reader runs it: from a file, beside what the page started before. */
const programScript = ({ code, language }: Block, index: number): string => {
  const file = `docs-program-${index}.${language === "ts" ? "ts" : "mjs"}`
  return `cat > ${file} << 'END_OF_PROGRAM'\n${code}END_OF_PROGRAM\nnode --conditions=@loopbox/source ${file}\n`
}

/** On a line of its own, whatever stands before it: answers of curl end without one. */
const say = (step: string): string => `printf '\\n%s\\n' ${quote(`${announce}${step}`)}`

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const prelude = `set -euo pipefail
background=()
stop_background() {
  for pid in "\${background[@]}"; do kill -TERM -- "-$pid" 2> /dev/null || true; done
  for pid in "\${background[@]}"; do
    # Not its shell alone, which ends at once: a host that still stops would write into the next page's folder.
    for ((i = 0; i < 600; i++)); do kill -0 -- "-$pid" 2> /dev/null || break; sleep 0.1; done
    kill -KILL -- "-$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
  done
}
trap stop_background EXIT
await_text() {
  for ((i = 0; i < $4 * 10; i++)); do
    if grep -qF -- "$1" "$2"; then return 0; fi
    if ! kill -0 "$3" 2> /dev/null; then cat "$2"; echo "it ended without saying: $1"; return 1; fi
    sleep 0.1
  done
  cat "$2"
  echo "it did not say within $4 s: $1"
  return 1
}
must_hold() {
  cat "$2"
  if ! grep -qF -- "$1" "$2"; then echo "its output does not hold: $1"; return 1; fi
}`

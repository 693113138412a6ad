import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cleanEnvironment, type Variables } from "./hostProcess.ts"
import { commandPath, type PageRun } from "./pageCommands.ts"

const pages = join(import.meta.dirname, "../../../../docs/operations/runbook")

/** An alarm's page, as somebody on call follows it. */
export const runbookPage = (alarm: string, folder: string, variables: Variables) => {
  const text = readFileSync(join(pages, `${alarm}.md`), "utf8")
  const path = commandPath(folder)
  /** Runs a command of the page, which has to stand there, with the words in capitals filled in. */
  const run = (command: string, words: Readonly<Record<string, string>> = {}): PageRun => {
    if (!text.includes(command)) throw new Error(`The page of ${alarm} does not say: ${command}`)
    const filled = Object.entries(words).reduce((line, [word, meant]) => line.replaceAll(word, meant), command)
    const ended = spawnSync("bash", ["-uc", filled], {
      cwd: folder,
      env: { ...cleanEnvironment(), ...variables, PATH: path },
      encoding: "utf8",
      timeout: 120_000
    })
    const output = `${ended.stdout}${ended.stderr}`
    // A usage error, a program that is not there, a statement that the database does not understand; what is away is no fault of
    // the page.
    const code = ended.status ?? 128
    const isMisuse = code >= 126 || /usage:|unknown|syntax error|does not exist/i.test(output)
    if (isMisuse || (command.startsWith("loopbox") && code >= 2)) throw new Error(`${filled}: ${code}\n${output}`)
    return { code, output }
  }
  /** Runs what the page says to look at, line by line; the output of each. */
  const look = (words: Readonly<Record<string, string>> = {}): ReadonlyMap<string, PageRun> => {
    const [, code = ""] = /^## What to look at\n[^]*?^```sh\n([^]*?)^```$/m.exec(text) ?? []
    const lines = code.split("\n").filter((line) => line !== "")
    return new Map(lines.map((line) => [line, run(line, words)]))
  }
  return { look, run }
}

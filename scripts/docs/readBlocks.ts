/** Reads the fenced blocks of a Markdown page, each with the mark that stands above it. Pure; CONTRIBUTING.md says it to writers. */

/** What the page says about one block. */
export type Mark =
  | { readonly _tag: "Run"; readonly name: string; readonly options: ReadonlyMap<string, string> }
  | { readonly _tag: "Types" }
  | { readonly _tag: "Skip"; readonly reason: string }

export interface Block {
  readonly language: string
  readonly code: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly mark: Mark | undefined
}

export interface Page {
  readonly blocks: ReadonlyArray<Block>
  /** What is wrong with the page itself, each with its line. */
  readonly problems: ReadonlyArray<string>
}

const shells = ["sh", "bash", "console", "shell"]
const programs = ["ts", "js"]
const otherNames: ReadonlyMap<string, string> = new Map([
  ["typescript", "ts"],
  ["javascript", "js"],
  ["mjs", "js"]
])

export const isShell = (block: Block): boolean => shells.includes(block.language)
export const isProgram = (block: Block): boolean => programs.includes(block.language)

export const readBlocks = (text: string): Page => {
  const blocks: Array<Block> = []
  const problems: Array<string> = []
  let mark: Mark | undefined
  let open:
    | { readonly fence: string; readonly language: string; readonly line: number; readonly code: Array<string> }
    | undefined
  for (const [index, line] of text.split("\n").entries()) {
    if (open !== undefined) {
      if (line.trim() === open.fence) {
        const block: Block = { language: open.language, code: `${open.code.join("\n")}\n`, line: open.line, mark }
        blocks.push(block)
        problems.push(...judge(block))
        mark = undefined
        open = undefined
      } else open.code.push(line)
      continue
    }
    const fence = /^(`{3,})\s*(\S*)/.exec(line)
    if (fence !== null) {
      const language = fence[2] ?? ""
      open = { fence: fence[1] ?? "", language: otherNames.get(language) ?? language, line: index + 1, code: [] }
      continue
    }
    const comment = /^<!--\s*(run|types|skip)\b:?\s*(.*?)\s*-->$/.exec(line.trim())
    if (comment !== null) mark = readMark(comment[1] ?? "", comment[2] ?? "")
    else if (line.trim() !== "" && mark !== undefined) {
      problems.push(`line ${index + 1}: a mark must stand right above its block`)
      mark = undefined
    }
  }
  if (open !== undefined) problems.push(`line ${open.line}: the block has no end`)
  return { blocks, problems }
}

const judge = ({ language, line, mark }: Block): ReadonlyArray<string> => {
  if (shells.includes(language)) {
    if (mark === undefined || mark._tag === "Types") {
      return [`line ${line}: say <!-- run: name --> or <!-- skip: reason --> above this ${language} block`]
    }
  }
  if (mark?._tag === "Skip" && mark.reason === "") return [`line ${line}: <!-- skip --> needs a reason`]
  if (mark?._tag !== "Run") return []
  if (mark.name === "") return [`line ${line}: <!-- run --> needs a name`]
  const unknown = [...mark.options.keys()].filter((key) => !["until", "expect", "timeout"].includes(key))
  return unknown.map((key) => `line ${line}: unknown option "${key}"`)
}

const readMark = (kind: string, rest: string): Mark => {
  if (kind === "skip") return { _tag: "Skip", reason: rest }
  if (kind === "types") return { _tag: "Types" }
  const [, name = "", options = ""] = /^(\S*)\s*(.*)$/.exec(rest) ?? []
  const pairs = [...options.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g)]
  return { _tag: "Run", name, options: new Map(pairs.map(([, key = "", quoted, bare]) => [key, quoted ?? bare ?? ""])) }
}

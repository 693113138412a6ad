import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { readBlocks } from "../docs/readBlocks.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "loopbox-docs-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

const block = (mark: string, language: string, code: string) => `${mark}\n\`\`\`${language}\n${code}\n\`\`\`\n`

const check = (text: string) => {
  const page = join(folder, "page.md")
  writeFileSync(page, text)
  const args = ["--conditions=@loopbox/source", join(root, "scripts/docsCheck.ts"), page]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  return { status, stdout, all: stdout + stderr }
}

describe("npm run docs:check", () => {
  it("runs the blocks of a page in one shell, in a copy of the repository", () => {
    const { all, status, stdout } = check(
      block("<!-- run: first -->", "sh", "answer=42; test -e package.json; touch made-by-a-page") +
        "\nThen:\n\n" +
        block('<!-- run: second expect="it is 42" -->', "sh", 'later=yes; echo "it is $answer"') +
        block("<!-- run: third -->", "sh", 'test "$later" = yes') +
        block("<!-- skip: needs a network -->", "sh", "exit 1") +
        block(
          "",
          "ts",
          'import { readFileSync } from "node:fs"\nif (readFileSync("demo.gif").length === 0) throw "no"'
        ) +
        block("<!-- types -->", "ts", "const never: () => string = () => { throw 1 }\nnever()") +
        block("", "json", "{}")
    )
    assert.strictEqual(status, 0, all)
    assert.match(stdout, /docs: 5 passed, 0 failed/)
  })

  it("keeps a server running for the blocks that follow, and stops it", () => {
    const pidFile = join(folder, "pid")
    const { all, status } = check(
      block('<!-- run: serve until="listening" -->', "sh", `echo $$ > '${pidFile}'; echo listening; exec sleep 60`) +
        block("<!-- run: use -->", "sh", `kill -0 "$(cat '${pidFile}')"`)
    )
    assert.strictEqual(status, 0, all)
    assert.notStrictEqual(spawnSync("bash", ["-c", `kill -0 "$(cat '${pidFile}')"`]).status, 0)
  })

  const failures: ReadonlyArray<readonly [what: string, text: string, message: RegExp]> = [
    [
      "a command fails",
      block("<!-- run: broken -->", "sh", "echo before; false; echo after"),
      /broken \(line 2\): exit 1/
    ],
    [
      "a command fails behind an output that does not end its line",
      block("<!-- run: curl -->", "sh", "printf '{}'") + block("<!-- run: broken -->", "sh", "false"),
      /ok .*curl \(line 2\)\n.*broken \(line 6\): exit 1/
    ],
    ["the output is another", block('<!-- run: say expect="yes" -->', "sh", "echo no"), /does not hold: yes/],
    [
      "a server ends",
      block('<!-- run: serve until="listening" -->', "sh", "echo sorry"),
      /ended without saying: listening/
    ],
    ["a shell block has no mark", block("", "sh", "true"), /line 2: say <!-- run: name -->/],
    ["a skip has no reason", block("<!-- skip -->", "sh", "true"), /needs a reason/],
    ["an option is misspelt", block("<!-- run: a untill=b -->", "sh", "true"), /unknown option "untill"/],
    [
      "a mark hangs in the air",
      `<!-- run: a -->\ntext\n${block("<!-- skip: b -->", "sh", "")}`,
      /right above its block/
    ],
    ["an example has a type error", block("", "ts", "const a: string = 1"), /types of the examples/],
    ["an example throws", block("", "js", 'throw new Error("example")'), /line 2 \(js\): exit 1/],
    ["an example imports what is not exported", block("", "ts", 'import "@loopbox/core/nothing/Here"'), /FAILED/]
  ]
  for (const [what, text, message] of failures) {
    it(`fails when ${what}`, () => {
      const { all, status, stdout } = check(text)
      assert.match(stdout, message, all)
      assert.strictEqual(status, 1)
    })
  }

  it("fails for a page that is not there", () => {
    const run = spawnSync(process.execPath, [join(root, "scripts/docsCheck.ts"), "no-such-page.md"], {
      encoding: "utf8"
    })
    assert.strictEqual(run.status, 1)
    assert.match(run.stdout, /no such page/)
  })

  it("reads fences inside fences as text", () => {
    const { blocks, problems } = readBlocks("````md\n```sh\nexit 1\n```\n````\n")
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(
      blocks.map(({ language }) => language),
      ["md"]
    )
  })
})

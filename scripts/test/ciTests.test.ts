import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, describe, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "loopbox ci tests "))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Outcome {
  readonly passed: number
  readonly failing: ReadonlyArray<string>
}

/** As vitest reports it. */
const reportOf = ({ failing, passed }: Outcome) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failing.length,
    testResults: failing.map((name) => ({
      name: join(root, name),
      status: "failed",
      message: "",
      assertionResults: [{ status: "failed", fullName: `test of ${name}`, failureMessages: [`${name} is wrong`] }]
    }))
  })

let stands = 0
/** What .ci/run says of a run of tests that ends so, and then, if it runs once more, so. */
const runTests = (...outcomes: ReadonlyArray<Outcome>) => {
  const place = join(folder, String(stands++))
  for (const [n, outcome] of outcomes.entries()) writeFileSync(`${place} report ${n}`, reportOf(outcome))
  writeFileSync(`${place} calls`, "")
  const runner = `${place} runner`
  writeFileSync(
    runner,
    `#!/bin/bash
n=$(wc -l < "${place} calls")
echo "$*" >> "${place} calls"
for last; do :; done
cp "${place} report $n" "\${last#--outputFile.json=}"
grep -q '"numFailedTests":0' "${place} report $n"
`
  )
  chmodSync(runner, 0o755)
  const { stderr, stdout } = spawnSync(
    "bash",
    [
      "-c",
      `set -uo pipefail
work="$1" passed=0 failed=0
limited() { shift; "$@"; }
note() { echo "$1: $2"; }
. .ci/tests.sh
tests "some tests" 60 "$2" run test -- --exclude=some packages/a
printf '%s\\n' "\${failures[@]}"
echo "$passed passed, $failed failed"
sed 's/^/called: /' "$3"`,
      "bash",
      folder,
      runner,
      `${place} calls`
    ],
    { cwd: root, encoding: "utf8" }
  )
  assert.strictEqual(stderr, "")
  return stdout
}

describe("a run of tests in .ci/run", () => {
  it("counts each test", () => {
    const said = runTests({ passed: 7, failing: [] })
    assert.include(said, "ok: some tests: 7 tests")
    assert.include(said, "7 passed, 0 failed")
    assert.strictEqual(said.match(/called:/g)?.length, 1)
  })

  it("runs what failed once more by itself, and names what passed then", () => {
    const said = runTests({ passed: 6, failing: ["packages/a/test/b.test.ts"] }, { passed: 3, failing: [] })
    assert.include(said, "7 passed, 0 failed")
    assert.include(
      said,
      "CHANCE: passed when run once more: packages/a/test/b.test.ts: test of packages/a/test/b.test.ts"
    )
    assert.include(said, "packages/a/test/b.test.ts is wrong")
    assert.include(said, "called: run test -- --exclude=some packages/a/test/b.test.ts --reporter=default")
  })

  it("fails where it fails again", () => {
    const wrong = { passed: 6, failing: ["packages/a/test/b.test.ts"] }
    const said = runTests(wrong, { passed: 2, failing: ["packages/a/test/b.test.ts"] })
    assert.include(said, "FAILED: some tests: 6 passed, 1 failed")
    assert.include(said, "6 passed, 1 failed")
    assert.notInclude(said, "CHANCE")
  })

  it("fails at once where many files fail", () => {
    const said = runTests({ passed: 6, failing: ["a", "b", "c", "d"] })
    assert.include(said, "6 passed, 4 failed")
    assert.strictEqual(said.match(/called:/g)?.length, 1)
  })

  it("fails where no test ran", () => {
    assert.include(runTests({ passed: 0, failing: [] }), "0 passed, 1 failed")
  })
})

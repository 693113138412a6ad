import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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

/** What .ci/run says of a run of tests by a program, which is called as npm is. */
const tests = (place: string, program: string) => {
  chmodSync(program, 0o755)
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
echo "$passed passed, $failed failed"`,
      "bash",
      place,
      program
    ],
    { cwd: root, encoding: "utf8" }
  )
  return { stderr, stdout }
}

let stands = 0
/** The same of a run that ends so, and then, if it runs once more, so. */
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
  const { stderr, stdout } = tests(folder, runner)
  assert.strictEqual(stderr, "")
  return stdout + readFileSync(`${place} calls`, "utf8").replaceAll(/^(?=.)/gm, "called: ")
}

/** The same of a real run of vitest on files of these texts, which know vitest's functions. */
const runVitest = (files: Readonly<Record<string, string>>) => {
  const place = mkdtempSync(join(folder, "vitest "))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const runner = join(place, "runner")
  // All that is given but the options for a reporter names what lies in the repository.
  writeFileSync(
    runner,
    `#!/bin/bash
for word; do
  case $word in
    --reporter=* | --outputFile*) options+=("$word") ;;
    *.test.mjs) options+=("\${word##*/}") ;;
  esac
done
exec "${process.execPath}" "${join(root, "node_modules/vitest/vitest.mjs")}" run --root "${place}" --globals "\${options[@]}"
`
  )
  return tests(place, runner).stdout
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

  it("fails by an error outside of all tests, whatever passes once more", () => {
    // A second run of the file that failed would not see it.
    const said = runVitest({
      "chance.test.mjs": `import { existsSync, writeFileSync } from "node:fs"
const marker = new URL("marker", import.meta.url)
test("passes the second time", () => {
  const isSecond = existsSync(marker)
  writeFileSync(marker, "")
  expect(isSecond).toBe(true)
})`,
      "unhandled.test.mjs": `test("passes", () => {
  void Promise.reject(new Error("nobody handles me"))
})`
    })
    assert.include(said, "1 passed, 2 failed")
    assert.match(said, /unhandled\.test\.mjs\nError: nobody handles me\n/)
    assert.notInclude(said, "CHANCE")
  })

  it("fails where no test ran", () => {
    assert.include(runTests({ passed: 0, failing: [] }), "0 passed, 1 failed")
  })
})

/** What a script says that has the steps of .ci/run. */
const runSteps = (script: string) => {
  const place = mkdtempSync(join(folder, "steps "))
  const { stdout } = spawnSync(
    "bash",
    [
      "-c",
      `set -uo pipefail; work="$1" total_limit=60 passed=0 failed=0 summary=(); . .ci/steps.sh\n${script}`,
      "bash",
      place
    ],
    { cwd: root, encoding: "utf8" }
  )
  return stdout
}

describe("steps beside others in .ci/run", () => {
  it("run one after the other, are shown when they are joined, and are counted as others are", () => {
    const stdout = runSteps(`
beside "one" 10 bash -c 'until [ -e "$1/go" ]; do sleep 0.01; done; echo "of one: $2"; touch "$1/first"' bash "$work" 'a  "b'
beside "two" 10 bash -c '[ -e "$1/first" ] && echo "of two"; exit 3' bash "$work"
beside "three" 1 sleep 60
beside "four" 10 echo "of four"
begin_beside
step "meanwhile" 10 echo "of meanwhile"
touch "$work/go"
joined
printf '%s\n' "\${summary[@]}"
echo "$passed passed, $failed failed"`)
    assert.match(
      stdout,
      /=== meanwhile\nof meanwhile\n\n=== one\nof one: a {2}"b\n\n=== two\nof two\n\n=== three\n\n=== four\nof four\n/
    )
    assert.match(
      stdout,
      /ok .* meanwhile\nok .* one\nFAILED .* two \(exit 3\)\nFAILED .* three \(exit 124\)\nok .* four\n/
    )
    assert.include(stdout, "3 passed, 2 failed")
  })

  it("fail where they could not end, and leave nothing behind", () => {
    const stdout = runSteps(`
beside "one" 60 bash -c 'echo $$ > "$1/made"; mv "$1/made" "$1/pid"; exec sleep 60' bash "$work"
beside "two" 60 true
begin_beside
until [ -e "$work/pid" ]; do sleep 0.01; done
stop_beside
joined
for _ in $(seq 1000); do kill -0 "$(cat "$work/pid")" 2> /dev/null || break; sleep 0.01; done
kill -0 "$(cat "$work/pid")" 2> /dev/null && echo "it runs on"
echo "$passed passed, $failed failed"`)
    assert.notInclude(stdout, "it runs on")
    assert.include(stdout, "0 passed, 2 failed")
  })
})

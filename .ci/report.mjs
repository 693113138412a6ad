// What a run of vitest says of itself in its JSON report, and unhandled.mjs beside it:
//   node report.mjs REPORT counts|files|failures|names|unhandled
import { existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"

const [report = "", what = ""] = process.argv.slice(2)
const { numFailedTests, numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"))
/** Errors outside of all tests. */
const unhandled = existsSync(`${report}.unhandled`) ? JSON.parse(readFileSync(`${report}.unhandled`, "utf8")) : []

// A file that did not load has no failed test, and is failed itself.
const failedFiles = testResults
  .filter((file) => file.status === "failed")
  .map((file) => ({
    path: relative(process.cwd(), file.name),
    message: file.message,
    tests: file.assertionResults.filter((test) => test.status === "failed")
  }))

const names = failedFiles.flatMap(({ path, tests }) =>
  tests.length === 0 ? [path] : tests.map(({ fullName }) => `${path}: ${fullName}`)
)
const failures = failedFiles.flatMap(({ message, path, tests }) =>
  tests.length === 0
    ? [`${path}\n${message}`]
    : tests.map(({ failureMessages, fullName }) => `${path}: ${fullName}\n${failureMessages.join("\n")}`)
)

const lines = {
  counts: [`${numPassedTests} ${numFailedTests + unhandled.length}`],
  files: failedFiles.map(({ path }) => path),
  names,
  unhandled: unhandled.map((text) => text.split("\n")[0]),
  failures: [...failures, ...unhandled].map((text) => text.split("\n").slice(0, 25).join("\n"))
}[what]
if (lines === undefined) throw new Error(`counts, files, names, failures or unhandled, not "${what}"`)
process.stdout.write(lines.map((line) => `${line}\n`).join(""))

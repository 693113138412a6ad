/** `npm run bench` lists the benchmarks; `npm run bench -- NAME` runs one and ends with its ratio. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { benchmarks } from "./benchmarks.ts"
import { listing, report } from "./report.ts"

const names = process.argv.slice(2)
const [name = ""] = names
const load = benchmarks.get(name)

if (names.length === 0) {
  for (const line of await listing(benchmarks)) console.log(line)
} else if (names.length > 1 || load === undefined) {
  console.error(`One of these names, please, and not "${names.join(" ")}":`)
  for (const line of await listing(benchmarks)) console.error(line)
  process.exitCode = 2
} else {
  const benchmark = await load()
  // A host as an image has it, and a clone that ran `npm run build`; without it the sources are run, which takes more time.
  execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/buildHost.mjs", import.meta.url))])
  const measured = await benchmark.run()
  for (const line of report(benchmark, measured)) console.log(line)
}

import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** What must not be in a published package, or is missing from it; one sentence each. */
export const judgeTarball = (folder: string, machinePaths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const files = globSync("**/*", { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile())
  const faults: Array<string> = ["package.json", "README.md"]
    .filter((file) => !existsSync(join(folder, file)))
    .map((file) => `${file} is missing`)
  if (!files.some((file) => file.startsWith("dist/") && file.endsWith(".js"))) faults.push("nothing is built")
  if (!files.some((file) => file.startsWith("dist/") && file.endsWith(".d.ts")))
    faults.push("there are no declarations")
  for (const file of files) {
    if (/(^|\/)(src|test|node_modules)\//.test(file) || /\.(test|spec|bench)\./.test(file)) {
      faults.push(`${file} is not for users`)
    } else if (/\.[cm]?ts$/.test(file) && !/\.d\.[cm]?ts$/.test(file)) faults.push(`${file} is a source`)
    else if (/\.tsbuildinfo$|\.env$|\.log$/.test(file)) faults.push(`${file} is a left-over`)
    const text = readFileSync(join(folder, file), "latin1")
    const path = machinePaths.find((path) => text.includes(`${path}/`))
    if (path !== undefined) faults.push(`${file} names a path of the machine that built it: ${path}`)
  }
  return faults
}

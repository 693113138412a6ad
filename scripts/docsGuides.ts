/**
 * `npm run docs:guides`: writes what is made of and into docs/guides: the tables of limits and errors, and the pages that
 * hosts show. A test compares both with the code.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./copyRepository.ts"
import { guidesModule, limitsFile, moduleFile, readGuides } from "./docs/guidesModule.ts"
import { fillLimitsPage } from "./docs/limitsPage.ts"

const limits = join(root, limitsFile)
writeFileSync(limits, fillLimitsPage(readFileSync(limits, "utf8")))
const { problems, text } = guidesModule(readGuides(root))
for (const problem of problems) console.error(problem)
writeFileSync(join(root, moduleFile), text)
process.exitCode = problems.length === 0 ? 0 : 1

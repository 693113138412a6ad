import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { noteHolder, refusalOf } from "../../src/embedded/folderLock.ts"

const temporaryRoot = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-lock-"))),
  (root) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

describe("a folder that somebody has", () => {
  it.effect("is refused to the process that has it in other words than to others, which may stop that one", () =>
    Effect.gen(function* () {
      const root = yield* temporaryRoot
      assert.isUndefined(refusalOf(root, { mayBeOurs: false }))
      yield* noteHolder({ root, descriptor: 0, isKernels: true })
      assert.isUndefined(refusalOf(root, { mayBeOurs: true }))
      assert.strictEqual(
        refusalOf(root, { mayBeOurs: false })?.message,
        `The database in ${root} is open in this process already. Use what opened it, or choose another data folder.`
      )
      const [, ids] = fs.readFileSync(path.join(root, "holder"), "utf8").split("\n")
      fs.writeFileSync(path.join(root, "holder"), `${process.ppid}\n${ids}\n`)
      assert.include(refusalOf(root, { mayBeOurs: false })?.message, `in use by process ${process.ppid}. Stop that one`)
    })
  )
})

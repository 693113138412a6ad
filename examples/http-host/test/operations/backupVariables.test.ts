import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { temporaryFolder } from "../support/hostProcess.ts"
import { blocksOf } from "../support/pageCommands.ts"

const places = temporaryFolder()
afterAll(places.remove)

const blocks = blocksOf("docs/operations/backup-and-restore.md")

describe("docs/operations/backup-and-restore.md, in a shell without its variables", () => {
  it.each(["backup", "embedded-backup"])("has nothing copied by its commands for a %s", (name) => {
    const folder = join(places.folder, name)
    const programs = join(folder, "programs")
    mkdirSync(programs, { recursive: true })
    const copies = join(folder, "copies")
    // The only program that the shell finds: with an empty name before it, "/." would be the whole machine.
    writeFileSync(join(programs, "cp"), `#!/bin/sh\necho "$@" >> '${copies}'\n`)
    chmodSync(join(programs, "cp"), 0o755)
    const code = blocks.get(name) ?? ""
    assert.include(code, "cp --archive")
    // As typed, each by itself: one that fails does not keep the next from being run.
    for (const line of code.trim().split("\n")) {
      spawnSync("/bin/bash", ["-c", line], { cwd: folder, env: { PATH: programs } })
    }
    assert.strictEqual(existsSync(copies) ? readFileSync(copies, "utf8") : "", "")
  })
})

import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { judgeImport, judgeName } from "../lint/arrows.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const lines = (count: number) => "export const a = 1\n" + "// line\n".repeat(count - 1)

/** A file, and the rule that must refuse it. */
const refused: ReadonlyArray<readonly [rule: string, file: string, text: string]> = [
  ["arrows", "packages/core/src/media/CoreAdapter.ts", 'import "@loopbox/adapters-http"\n'],
  ["arrows", "packages/core/src/media/CoreNode.ts", 'import "node:fs"\n'],
  ["arrows", "packages/core/src/media/CoreRequire.ts", 'export const fs = import("node:fs")\n'],
  ["arrows", "packages/core/src/media/CoreType.ts", 'export type A = import("node:fs").Stats\n'],
  ["arrows", "packages/core/src/media/CoreSql.ts", 'import "effect/sql"\n'],
  ["arrows", "packages/core/src/media/CoreUp.ts", 'export * from "../conversions/Job.ts"\n'],
  ["arrows", "packages/core/src/media/CoreVitest.ts", 'import "vitest"\n'],
  ["arrows", "packages/core/src/media/Barrel.ts", 'import { Effect } from "effect"\nexport const a = Effect.void\n'],
  ["arrows", "packages/core/src/newslice/A.ts", "export const a = 1\n"],
  ["arrows", "packages/core/src/media/utils.ts", "export const a = 1\n"],
  ["arrows", "packages/adapters-http/src/server/Other.ts", 'import "@loopbox/adapters-postgres"\n'],
  ["arrows", "packages/adapters-http/src/server/Reach.ts", 'import "../../../core/src/kernel/Ids.ts"\n'],
  ["arrows", "packages/adapters-http/src/api/Runs.ts", 'import "../server/refuse.ts"\n'],
  ["arrows", "packages/adapters-ffmpeg/src/Host.ts", 'import "loopbox"\n'],
  ["arrows", "packages/elements/src/inbox/Knows.ts", 'import "effect/Effect"\n'],
  [
    "import(no-cycle)",
    "packages/core/src/media/Round.ts",
    'import { b } from "./Trip.ts"\nexport const a = (): unknown => b\n'
  ],
  ["max-lines", "packages/core/src/media/Long.ts", lines(401)],
  ["max-lines", "packages/core/test/media/Long.test.ts", lines(601)],
  [
    "no-floating-promises",
    "packages/core/src/media/Floating.ts",
    "export const a = (b: () => Promise<void>) => {\n  b()\n}\n"
  ],
  ["no-explicit-any", "packages/core/src/media/Any.ts", "export const a = (b: any): unknown => b\n"],
  ["consistent-type-assertions", "packages/core/src/media/Cast.ts", "export const a = (b: unknown) => b as string\n"],
  [
    "consistent-type-assertions",
    "packages/core/test/media/Cast.test.ts",
    "export const a = (b: unknown) => <string>b\n"
  ],
  ["no-non-null-assertion", "packages/core/src/media/Bang.ts", "export const a = (b: string | null) => b!.length\n"],
  ["events-in-core", "packages/adapters-postgres/src/Told.ts", 'export const a = { _tag: "ItemsRead", marked: 1 }\n'],
  ["no-restricted-properties", "packages/core/src/media/Now.ts", "export const a = () => Date.now()\n"],
  ["no-restricted-properties", "packages/adapters-http/src/server/Chance.ts", "export const a = () => Math.random()\n"],
  ["no-restricted-properties", "packages/adapters-postgres/src/Now.ts", "export const a = () => Date.now()\n"],
  ["no-restricted-properties", "packages/core/src/media/Uuid.ts", "export const a = () => crypto.randomUUID()\n"],
  [
    "no-restricted-properties",
    "packages/core/src/media/GlobalUuid.ts",
    "export const a = () => globalThis.crypto.randomUUID()\n"
  ],
  [
    "no-restricted-properties",
    "packages/adapters-postgres/src/Notify.ts",
    'export const a = (sql: { notify: (channel: string) => void }) => sql.notify("c")\n'
  ],
  ["no-console", "packages/adapters-ffmpeg/src/Print.ts", 'export const a = () => console.log("a")\n'],
  [
    "no-try",
    "packages/core/src/media/Try.ts",
    "export const a = () => {\n  try {\n    return 1\n  } finally {\n  }\n}\n"
  ],
  ["no-export-all", "packages/core/src/index.ts", 'export * from "./media/Good.ts"\n'],
  ["filename-case", "packages/core/src/media/kebab-case.ts", "export const a = 1\n"],
  [
    "no-focused-tests",
    "packages/core/test/media/Only.test.ts",
    'import { it } from "vitest"\nit.only("is the one that runs", () => {})\n'
  ],
  ["no-unused-vars", "packages/core/src/media/Unused.ts", "const a = 1\nexport const b = 2\n"]
]

const accepted: ReadonlyArray<readonly [file: string, text: string]> = [
  ["packages/core/src/media/Trip.ts", 'import { a } from "./Round.ts"\nexport const b = (): unknown => a\n'],
  [
    "packages/core/src/media/Good.ts",
    'import { ids } from "../kernel/Ids.ts"\nexport const a = { ids, b: "b" } as const\n'
  ],
  ["packages/core/src/kernel/Ids.ts", "export const ids = 1\n"],
  ["packages/core/src/media/Wall.ts", lines(400)],
  ["packages/core/src/conversions/Job.ts", 'import { a } from "../media/Good.ts"\nexport const b = a\n'],
  ["packages/testing/src/conformance/Contract.ts", 'import { it } from "vitest"\nexport const b = it\n'],
  [
    "packages/core/test/media/Good.test.ts",
    'import { Effect } from "effect"\nexport const a = [Effect.void, Date.now()]\n'
  ],
  [
    "packages/adapters-http/src/server/refuse.ts",
    'import { ids } from "@loopbox/core/kernel/Ids"\nexport const a = ids\n'
  ],
  ["packages/adapters-ffmpeg/src/index.ts", 'export * as Good from "./Good.ts"\n'],
  ["packages/adapters-ffmpeg/src/Good.ts", "export const a = 1\n"],
  ["packages/elements/src/inbox/Good.ts", 'import { html } from "lit"\nexport const a = html\n'],
  ["packages/adapters-postgres/src/migrations/0001_jobs.ts", "export const a = 1\n"],
  ["packages/adapters-postgres/src/Good.ts", 'import { join } from "node:path"\nexport const a = join("a", "b")\n']
]

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

const lint = (folder: string): ReadonlyArray<Diagnostic> => {
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint")
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") }
  const run = spawnSync(process.execPath, [oxlint, "--format=json"], { cwd: folder, encoding: "utf8", env })
  assert.strictEqual(run.status, 1, run.stderr + run.stdout)
  return JSON.parse(run.stdout).diagnostics
}

describe("npm run lint", () => {
  const folder = mkdtempSync(join(tmpdir(), "loopbox-lint-"))
  let diagnostics: ReadonlyArray<Diagnostic> = []
  const codesOf = (file: string) => diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code)

  beforeAll(() => {
    cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
    cpSync(join(root, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true })
    for (const [file, text] of [...refused.map(([, file, text]) => [file, text] as const), ...accepted]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    diagnostics = lint(folder)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  for (const [rule, file] of refused) {
    it(`refuses ${file} by ${rule}`, () => {
      assert.isTrue(
        codesOf(file).some((code) => code.includes(rule)),
        `found: ${codesOf(file).join(", ") || "nothing"}`
      )
    })
  }

  for (const [file] of accepted) {
    it(`accepts ${file}`, () => {
      // A circle is told at both of its ends; its other file is clean but for that.
      assert.deepStrictEqual(
        codesOf(file).filter((code) => !code.includes("no-cycle")),
        []
      )
    })
  }
})

describe("the floors of core", () => {
  const slice = (name: string) => `packages/core/src/${name}/A.ts`

  it("lets a slice import from each lower floor, and from none beside or above it", () => {
    assert.isUndefined(judgeImport(slice("outbound"), "../inbox/Inbox.ts"))
    assert.isUndefined(judgeImport(slice("replies"), "../conversions/ConversionStore.ts"))
    assert.isUndefined(judgeImport("packages/testing/src/fakes/A.ts", "@loopbox/adapters-memory"))
    assert.match(judgeImport("packages/adapters-http/src/server/A.ts", "@loopbox/testing") ?? "", /tests only/)
    assert.isUndefined(judgeImport("packages/adapters-http/test/A.ts", "@loopbox/testing"))
    assert.isUndefined(judgeImport("packages/embedded/src/A.ts", "@loopbox/adapters-postgres"))
    assert.isUndefined(judgeImport(slice("media"), "../workspaces/Plan.ts"))
    assert.match(judgeImport(slice("workspaces"), "../media/Media.ts") ?? "", /above/)
    assert.match(judgeImport(slice("inbox"), "../conversions/ConversionJob.ts") ?? "", /beside/)
    assert.match(judgeImport(slice("quota"), "../conversions/ConversionJob.ts") ?? "", /above/)
    assert.match(judgeImport(slice("sync"), "../polling/SyncWorker.ts") ?? "", /above/)
    assert.match(judgeImport(slice("conversions"), "../index.ts") ?? "", /index/)
  })

  it("follows a folder inside a slice", () => {
    assert.isUndefined(judgeImport("packages/core/src/media/gif/scanGif.ts", "../GifLimits.ts"))
    assert.match(judgeImport("packages/core/src/media/probe/a.ts", "../../conversions/GifLimits.ts") ?? "", /above/)
  })

  it("asks for a floor before a new slice is built", () => {
    assert.isUndefined(judgeName("packages/core/src/inbox/Inbox.ts"))
    assert.match(judgeName("packages/core/src/billing/Invoice.ts") ?? "", /no floor/)
  })
})

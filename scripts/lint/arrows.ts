/**
 * The arrows of the house: which file may import what. One table for packages, one for the floors inside of them.
 *
 * Pure text in, a sentence or nothing out, so that the linter, its test and CONTRIBUTING.md speak of one thing.
 */

/** The floors inside core, lowest first: a slice imports only from lower lines, never from its own. */
const coreFloors: ReadonlyArray<ReadonlyArray<string>> = [
  ["kernel"],
  // What is audited, and who makes a change: every store of what may be changed needs it.
  ["workspaces", "audit", "search"],
  ["networks"],
  ["accounts", "media"],
  ["access", "retention", "quota", "encoding"],
  ["items", "usage"],
  // Threads as records, and what they keep of their items.
  ["threads"],
  // The life of a media job, whatever it makes.
  ["jobs"],
  // Events: whoever waits for an outcome, a sync or a reply, follows them.
  ["feed"],
  // Polls: what they are and how they are kept. Their workers feed the inbox, so they stand above it.
  ["sync"],
  // How well an account is: what its polls and webhooks told, and what its network says when it is asked.
  ["health"],
  ["inbox", "conversions", "overlays", "savedReplies"],
  // A person connects accounts in a browser; what a network says of a person who withdraws.
  ["connecting"],
  ["polling", "webhooks", "outgoing"],
  ["outbound"],
  ["replies", "moderation", "sweeping", "posts"],
  // The worker that brings posts to the networks; everything that is kept of a managed user.
  ["publishing", "exporting"]
]

/** `api` says what the wire looks like, and a client may import it; nothing runs there. */
const httpFloors: ReadonlyArray<ReadonlyArray<string>> = [["api"], ["client", "server"], ["node", "web"]]

const floorsOf: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "packages/core": coreFloors,
  "packages/adapters-http": httpFloors
}

/** Names that say nothing: a thing lives beside what it serves, or in kernel. */
const emptyNames = /(^|\/)(utils?|common|helpers?|types|misc|shared)(\.[cm]?[jt]s|\/)/

const testLibraries = ["vitest", "@effect/vitest", "fast-check"]

interface Place {
  /** `packages/core`, `examples/http-host`, `bench` … */
  readonly home: string
  /** `src`, `test` or whatever else comes next. */
  readonly part: string
  /** The folder below that; empty for a file that lies at the top. */
  readonly slice: string
}

const placeOf = (file: string): Place => {
  const [top = "", second = "", third = "", ...rest] = file.split("/")
  if (top !== "packages" && top !== "examples") return { home: top, part: "", slice: "" }
  return { home: `${top}/${second}`, part: third, slice: rest.length > 1 ? (rest[0] ?? "") : "" }
}

/** What is wrong with a file's name, or undefined. Paths are relative to the repository and written with `/`. */
export const judgeName = (file: string): string | undefined => {
  if (emptyNames.test(file)) return "This name says nothing: name the file after its main export (style guide §2)."
  const { home, part, slice } = placeOf(file)
  const floors = floorsOf[home]
  if (part === "src" && slice !== "" && floors !== undefined && floorOf(floors, slice) === undefined) {
    return `"${slice}" stands on no floor: give it a line in scripts/lint/arrows.ts and in CONTRIBUTING.md.`
  }
  return undefined
}

/** Why `file` may not import `specifier`, or undefined. */
export const judgeImport = (file: string, specifier: string): string | undefined =>
  specifier.startsWith(".") ? judgeRelative(file, specifier) : judgePackage(file, specifier)

const judgeRelative = (file: string, specifier: string): string | undefined => {
  const target = resolvePath(file, specifier)
  const from = placeOf(file)
  const to = placeOf(target)
  if (/\.[cm]?js$/.test(specifier) && file.endsWith(".ts") && !target.endsWith(".mjs")) {
    return "Inside a package an import path ends in .ts."
  }
  if (from.home.includes("/") && to.home !== from.home) {
    return "A relative import stays in its package: import another package by its name."
  }
  if (from.part === "src" && to.part !== "src") return "src imports nothing that lies outside of src."
  if (from.part !== "src" || from.slice === to.slice) return undefined
  if (/\/src\/(index|main)\.ts$/.test(target)) return "Nothing inside a package imports its index or main."
  const floors = floorsOf[from.home]
  if (floors === undefined) return undefined
  if (from.slice === "") return undefined
  const own = floorOf(floors, from.slice)
  const other = floorOf(floors, to.slice)
  if (own === undefined || other === undefined || other < own) return undefined
  return `${from.slice} may import only from lower floors, and ${to.slice} is ${other === own ? "beside" : "above"} it.`
}

const judgePackage = (file: string, specifier: string): string | undefined => {
  const { home, part, slice } = placeOf(file)
  const source = part === "src"
  const isTesting = home === "packages/testing"
  if (source && !isTesting && testLibraries.some((library) => isFrom(library, specifier))) {
    return "No test library is reachable from src, but for that of packages/testing."
  }
  if (source && specifier === "effect")
    return 'In src import the module, as in `import * as Effect from "effect/Effect"`.'
  if (/^@loopbox\/.*\.[cm]?[jt]s$/.test(specifier)) return "Across packages an import path has no ending."
  if (home === "packages/core" && source) return judgeCore(specifier)
  if (!home.startsWith("packages/")) return undefined
  const own = home.slice("packages/".length)
  if (isFrom("loopbox", specifier)) return "A package does not know the host."
  if (source && isFrom(`@loopbox/${own}`, specifier)) return "Inside a package imports are relative."
  const other = /^@loopbox\/([a-z-]+)/.exec(specifier)?.[1]
  if (own === "client" && source) return "The client runs anywhere and knows the wire only: it imports nothing."
  if (own === "elements" && source) {
    return ["lit", "uplot", "@loopbox/client"].some((name) => isFrom(name, specifier))
      ? undefined
      : "Elements run in a browser and know the client only: they import lit, uplot and @loopbox/client."
  }
  if (other !== undefined && other !== own && !(knows(own, source) ?? [other]).includes(other)) {
    if (source && other === "testing") return "The conformance suites are for tests only."
    return own === "core" ? "core knows no adapter." : "An adapter knows core and no other adapter."
  }
  if (home === "packages/adapters-http" && source && (slice === "api" || slice === "client")) {
    return isFrom("effect", specifier) || isFrom("@loopbox/core", specifier)
      ? undefined
      : `${slice} runs anywhere: it imports effect and core only.`
  }
  return undefined
}

/** The packages that a package may import; undefined where all may be: the one library that may load any adapter. */
const knows = (own: string, isSource: boolean): ReadonlyArray<string> | undefined => {
  if (own === "embedded") return undefined
  const below =
    own === "testing" ? ["core", "adapters-memory"] : own === "client" ? ["core", "adapters-http"] : ["core"]
  // What runs on memory adapters is how the tests of every package set up the domain.
  const inTests = [...below, "testing", "adapters-memory"]
  if (own === "elements") return [...inTests, "client", "adapters-http", "adapters-social", "embedded"]
  // The client is tried against the server that it is for.
  return isSource ? below : own === "adapters-http" ? [...inTests, "client"] : inTests
}

const judgeCore = (specifier: string): string | undefined => {
  if (/^effect\/(http|http-api|sql|cli|unstable)(\/|$)/.test(specifier)) {
    return "effect's unstable modules stay in the adapters (docs/decisions/0005)."
  }
  return isFrom("effect", specifier) ? undefined : "core knows `effect` and nothing else."
}

const floorOf = (floors: ReadonlyArray<ReadonlyArray<string>>, slice: string): number | undefined => {
  const floor = floors.findIndex((names) => names.includes(slice))
  return floor < 0 ? undefined : floor
}

const isFrom = (name: string, specifier: string): boolean => specifier === name || specifier.startsWith(`${name}/`)

const resolvePath = (file: string, specifier: string): string => {
  const path = file.split("/").slice(0, -1)
  for (const step of specifier.split("/")) {
    if (step === "..") path.pop()
    else if (step !== ".") path.push(step)
  }
  return path.join("/")
}

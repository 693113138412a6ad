#!/usr/bin/env node
// Plain JavaScript of any Node, so that one too old gets a sentence instead of a syntax error.

// Not by `import`, for which Node reads every export of a module of its own, and loads half a dozen others for those of node:fs.
const builtin = async (name) => process.getBuiltinModule?.(name) ?? (await import(name))
const { existsSync } = await builtin("node:fs")
const nodeModule = await builtin("node:module")
const { fileURLToPath } = await builtin("node:url")

// A published package has no sources; a checkout runs them, or a bundle that was made of them as they are, so that nobody runs
// yesterday's build. An image has a bundle and no sources.
const source = new URL("../src/main.ts", import.meta.url)
const isCheckout = existsSync(source)
const bundle = new URL("../bundle/", import.meta.url)

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  const rest = process.argv.slice(2).join(" ")
  const wayOut = isCheckout
    ? `In the checkout this runs by the Node that npm has installed there: npx loopbox ${rest}`
    : `This brings a newer one along: npx --package=node@24 --package=loopbox loopbox ${rest}`
  console.error(`loopbox needs Node 22.19 or newer; this is ${process.versions.node}.\n${wayOut}`)
  process.exit(1)
}

/**
 * What a host's memory is bounded by, which Node takes at its start only. Who starts Node without them has the process begin
 * again, in its own place, where Node can (process.execve: not on Windows, where a host simply uses more).
 *
 * A body of 50 MB comes in a thousand buffers outside of V8's heap, which are given back when the young generation is
 * swept: `sweepBuffers` has it swept while media pass, which takes --expose-gc. It may grow to three times 16 MiB: with 8 a
 * list takes a tenth more processor time, and with 2, where all that eight requests have in their hands is moved to the old
 * generation, half as much again.
 * What outlives two sweeps is given back by the next full collection, which V8 puts off until the heap has doubled, counted
 * without buffers; and a start loads a thousand modules, whose waste would stay for good. And glibc would keep an arena of
 * freed memory for each thread.
 *
 * A start fills 30 MiB of the old generation. V8 begins with a small one and collects it twice meanwhile, a twentieth of
 * the start's processor time, unless it may be filled before; after the first collection that says nothing any more.
 *
 * One thread sweeps and compiles beside the main one. With Node's four, all of them look for the same rest of a young
 * generation that a hundred microseconds would have swept, and take the processor from the database beside them: on two cores
 * a host answers a tenth fewer lists a second.
 *
 * MiB after a start, and at the peak with 4 uploads of 50 MB and 2 conversions: 175 and 187, and 212 and 227 where sources
 * are run. A heap that may grow by 30 per cent instead of 100 has a quarter less, and a list takes an eighth more processor
 * time.
 */
const flags = ["--v8-pool-size=1", "--max-semi-space-size=16", "--initial-old-space-size=64", "--expose-gc"]
/** V8's own, not Node's, whose next version may not know them. A start with them collects for 40 ms more: they are set after it. */
const laterFlags = ["--heap-growing-percent=100", "--external-memory-accounted-in-global-limit"]
const startTakes_ms = 3_000
const isOurs = process.execArgv.some((one) => one.startsWith("--max-semi-space-size"))
if (process.argv[2] === "serve" && !isOurs && typeof process.execve === "function" && process.platform !== "win32") {
  const variables = { MALLOC_ARENA_MAX: "2", ...process.env }
  process.execve(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    variables
  )
}

/** Writes down what was compiled, where a bundle is run. */
let keepCompiled = () => {}
/** A busy machine takes longer; a worker may never listen. */
const mostPauses = 10
const isListening = () => process.getActiveResourcesInfo().includes("TCPServerWrap")
const settle = (pauses) => {
  if (!isListening() && pauses < mostPauses) {
    setTimeout(settle, startTakes_ms, pauses + 1).unref()
    return
  }
  // Before the flags below, for V8 takes compiled code of the same flags only.
  if (isListening()) keepCompiled()
  if (major !== 24) return
  for (const flag of laterFlags) process.getBuiltinModule("node:v8").setFlagsFromString(flag)
  // What the start has left behind, which would stay until the heap has doubled.
  void globalThis.gc?.({ type: "major", execution: "async" })
}
if (isOurs) setTimeout(settle, startTakes_ms, 1).unref()

const root = new URL("../../../", import.meta.url)

const hasBundle = async () => {
  if (!isCheckout) return existsSync(new URL("main.cjs", bundle))
  const { isFresh } = await import("./freshBundle.mjs")
  return isFresh(fileURLToPath(bundle), fileURLToPath(root))
}

// What V8 has compiled is kept: from sources, whose types are stripped too, that takes 25 MB and a third of a second.
if (await hasBundle()) {
  const { nameSources } = await import("./bundleStacks.js")
  nameSources(bundle)
  const { runBundle } = await import("./runBundle.mjs")
  const { keep } = runBundle(bundle, "main.cjs")
  keepCompiled = () => keep({ isUp: true })
} else if (isCheckout) {
  nodeModule.enableCompileCache(fileURLToPath(new URL("node_modules/.cache/loopbox-modules", root)))
  const { makeResolve } = await import("./resolveOnce.js")
  nodeModule.registerHooks({ resolve: makeResolve(new URL("node_modules/", root)) })
  await import(source.href)
} else {
  await import("../dist/main.js")
}

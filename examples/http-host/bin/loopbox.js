#!/usr/bin/env node
// Plain JavaScript of any Node, so that one too old gets a sentence instead of a syntax error.
import { existsSync } from "node:fs"
import * as nodeModule from "node:module"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`loopbox needs Node 22.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

// Loading modules would make the young generation large for good; src/memory.ts says what that costs.
setFlagsFromString("--semi-space-growth-factor=1")

// A published package has no sources; a checkout runs them, so that nobody runs yesterday's build.
const source = new URL("../src/main.ts", import.meta.url)
if (existsSync(source)) {
  // Types are stripped once, not at every start: that takes 25 MB and a third of a second.
  nodeModule.enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/loopbox-modules", import.meta.url)))
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "@loopbox/source"] })
  })
  await import(source.href)
} else {
  await import("../dist/main.js")
}

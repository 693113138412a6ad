// Plain JavaScript of Node 18, as dropUnread is.
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { cutSymbols } from "./cutSymbols.mjs"

/** Folders and files of packages: the package's name, what goes, and the folder in it where that lies. */
const unread = [
  // C headers that addons are compiled with, and the manual.
  [/^node-(linux|darwin)-/, /^(include|share)$/],
  // Their own tests and manuals.
  [/^/, /^(tests?|benchmarks?|examples?|\.github)$/],
  // vite's compiler of CSS.
  [/^lightningcss-/, /\.node$/],
  // Builds for browsers; twitter-text takes its modules singly.
  [/^core-js$/, /^(client|library|fn|es6|es7)$/],
  [/^yaml$/, /^browser$/],
  // What bundlers and CommonJS take; our programs take the other build.
  [/^hono$/, /^cjs$/, "dist"],
  [/^fast-check$/, /^cjs$/, "lib"],
  [/^zod$/, /^v3$/],
  // A driver that effect brings along: only a barrel loads it, and nothing here imports that.
  [/^(redis|@redis\/.*)$/, /^(dist|lib)$/],
  // A page of another kind than ours, the largest file of effect.
  [/^effect$/, /^httpApiScalar\.js$/, "dist/http-api/internal"],
  // Rooms of effect that this house does not enter.
  [/^effect$/, /^(ai|cluster|eventlog|graphql|workflow)$/, "dist"],
  // Types of a worker in a browser.
  [/^@typescript\//, /^lib\.webworker\.d\.ts$/, "lib"],
  // For machines without a native build, which npm would have installed.
  [/^oxc-parser$/, /\.wasm$/],
  // Languages that we don't write, and a loader of settings in TypeScript (ours are JSON).
  [/^oxfmt$/, /^(jiti|flow|glimmer|angular|acorn|meriyah)-.*\.js$/, "dist"],
  // Beside what is built of them; `npm ci --ignore-scripts` leaves them to whoever wants to read them.
  [/^(effect|@effect\/.*|zod)$/, /^src$/],
  [/^ajv$/, /^lib$/],
  // Samples and manuals.
  [/^(effect|@effect\/.*)$/, /^ai-docs$/],
  [/^undici$/, /^docs$/],
  // The AWS SDK for bundlers (Node takes dist-cjs).
  [/^@(aws-sdk|aws-crypto|smithy|aws)\//, /^dist-es$/],
  [/^@(aws-sdk|smithy)\//, /^ts3\.4$/, "dist-types"],
  // Playwright's viewer of recordings.
  [/^playwright-core$/, /^vite$/, "lib"],
  // Builds of Lit that explain themselves in a browser's console; its types lie beside them.
  [/^(lit|lit-html|@lit\/reactive-element)$/, /\.js$/, "development"],
  [/^(lit|lit-html|@lit\/reactive-element)$/, /\.js$/, "development/directives"],
  [/^(lit|lit-html|@lit\/reactive-element)$/, /\.js$/, "development/decorators"],
  // Translations of axe's findings.
  [/^axe-core$/, /^(locales|axe\.js)$/]
]

const list = (folder) => readdirSync(folder, { withFileTypes: true })
// Not the links to our own packages.
const folders = (folder) => list(folder).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))

/** Maps of sources, libraries to link with, and what packages say of themselves, but for licences. */
const isUnread = (name) => /\.(map|a)$/.test(name) || (/\.md$/i.test(name) && !/licen[cs]e|notice|copying/i.test(name))

/** Programs and what only they use: our code has nothing to do with their types. */
const isUntyped = (name) => /^(knip|oxlint|zod)$/.test(name)

const removeFiles = (folder, isDropped) => {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeFiles(path, isDropped)
    else if (isDropped(entry.name)) rmSync(path)
  }
}

/** Removes it from the packages of a folder `node_modules`. */
export const dropUnread = (modules) => {
  const names = folders(modules).flatMap(({ name }) =>
    name.startsWith("@") ? folders(join(modules, name)).map((one) => `${name}/${one.name}`) : [name]
  )
  for (const name of names) {
    const folder = join(modules, name)
    for (const [packages, files, within = "."] of unread) {
      const where = join(folder, within)
      if (!packages.test(name) || !existsSync(where)) continue
      for (const entry of list(where)) if (files.test(entry.name)) rmSync(join(where, entry.name), { recursive: true })
    }
    const isUnwanted = (file) => isUnread(file) || (isUntyped(name) && /\.(d\.[cm]?ts|cjs)$/.test(file))
    removeFiles(folder, isUnwanted)
    if (name.startsWith("node-linux-")) cutSymbols(join(folder, "bin/node"))
  }
}

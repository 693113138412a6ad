// Not by `import`: see loopbox.js.
const fs = process.getBuiltinModule("node:fs")
const { createRequire } = process.getBuiltinModule("node:module")
const path = process.getBuiltinModule("node:path")
const { fileURLToPath } = process.getBuiltinModule("node:url")
const v8 = process.getBuiltinModule("node:v8")
const vm = process.getBuiltinModule("node:vm")
const { crc32 } = process.getBuiltinModule("node:zlib")

/** A file that says that the compiled code beside it was kept by a process that was up. */
export const wholeName = "whole"

const crcBytes = 4

/** Compiled code that was kept as a whole: V8 would run what a machine has lost half of when its power went. */
const readCompiled = (file) => {
  let bytes
  try {
    bytes = fs.readFileSync(file)
  } catch {
    return undefined
  }
  const code = bytes.subarray(0, Math.max(0, bytes.length - crcBytes))
  return bytes.length > crcBytes && bytes.readUInt32LE(code.length) === crc32(code) ? code : undefined
}

/** In one piece, for another process may read it meanwhile. */
const writeCompiled = (file, code) => {
  const crc = Buffer.alloc(crcBytes)
  crc.writeUInt32LE(crc32(code))
  fs.writeFileSync(`${file}.${process.pid}`, Buffer.concat([code, crc]))
  fs.renameSync(`${file}.${process.pid}`, file)
}

/**
 * Node warns once of the loader that imports what stays outside of the bundle, such as the client of a bucket. Whoever runs a
 * command can do nothing about it. A function in the loader's place is refused without a flag; all other warnings stay.
 */
const keepQuietOfLoader = () => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("vm.USE_MAIN_CONTEXT_DEFAULT_LOADER ")) emitWarning(warning, ...rest)
  }
}

const isWritable = (folder) => {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Runs a file of the bundle, by what V8 compiled when it was run before. Node's cache takes modules before they run, and V8
 * compiles most functions when they are called: without them each start compiled for a quarter of its time. V8 takes no
 * compiled code of another version, of other flags or of another length of source; the rest of a source is in the name.
 *
 * `keep` writes down what was compiled until then, at the latest when the process ends; a process that is up says so by
 * `isUp`, and also replaces what was kept by one that did not get so far, such as a host that met no database. `loaded` are
 * the files that were run so far, `accepted` those of them that were not compiled anew.
 */
export const runBundle = (bundle, entry) => {
  const folder = fileURLToPath(bundle)
  // An account may not run what another one has written.
  const compiled = path.join(folder, "compiled", `${v8.cachedDataVersionTag()}-${process.getuid?.() ?? 0}`)
  const modules = new Map()
  const accepted = []
  let scripts = []
  let isKept = false

  const load = (name) => {
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const file = path.join(folder, name)
    const bytes = fs.readFileSync(file)
    const kept = path.join(compiled, `${name}-${crc32(bytes).toString(16)}`)
    const cachedData = readCompiled(kept)
    const script = new vm.Script(bytes.latin1Slice(), {
      filename: new URL(name, bundle).href,
      cachedData,
      // What stays outside of the bundle is imported.
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    })
    const isNew = cachedData === undefined || script.cachedDataRejected
    if (!isKept) scripts.push({ kept, script, isNew })
    if (!isNew) accepted.push(name)
    const require = (id) =>
      id.startsWith("./") ? load(id.slice(2)) : (process.getBuiltinModule(id) ?? createRequire(file)(id))
    script.runInThisContext()(module.exports, require, module, file)
    return module.exports
  }

  const keep = ({ isUp = false } = {}) => {
    if (isKept) return
    const whole = path.join(compiled, wholeName)
    const all = isUp && !fs.existsSync(whole)
    const written = scripts.filter(({ isNew }) => isNew || all)
    // Once: V8 forgets what is not run for long, and a host that is up goes on with other flags.
    scripts = []
    isKept = true
    if ((written.length === 0 && !all) || !isWritable(compiled)) return
    try {
      for (const { kept, script } of written) writeCompiled(kept, script.createCachedData())
      if (all) fs.writeFileSync(whole, "")
    } catch {
      // A full disk: the next start compiles.
    }
  }

  keepQuietOfLoader()
  process.once("exit", () => keep())
  load(entry)
  return { keep, accepted: () => accepted, loaded: () => [...modules.keys()] }
}

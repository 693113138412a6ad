// Not by `import`: see loopbox.js.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule("node:fs")
const path = process.getBuiltinModule("node:path")

/** What a bundle is made of, and in which state; the last file that a build writes. */
export const listName = "inputs.json"

const orAbsent = { throwIfNoEntry: false }

/**
 * A file's state: when its node was last changed, which no program can set. So a copy of a checkout is another state, and so is
 * a file that was given its old time and length back. 0 where it is absent.
 */
export const stateOf = (file) => statSync(file, orAbsent)?.ctimeMs ?? 0

/** Whether the bundle in a folder was made of a checkout's files as they are now. `root` ends with a slash. */
export const isFresh = (folder, root) => {
  const list = path.join(folder, listName)
  if (!existsSync(list)) return false
  const { inputs } = JSON.parse(readFileSync(list, "utf8"))
  // Some 1,800, at every start: nothing is made for one of them but its name.
  for (const file in inputs) if (stateOf(root + file) !== inputs[file]) return false
  return true
}

// Plain JavaScript of Node 18, as dropUnread is.
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"

/** Where the last part of a Linux program ends that is loaded to run it; undefined of other files. */
const endOfLoaded = (file) => {
  const read = (length, at) => {
    const bytes = Buffer.alloc(length)
    const descriptor = fs.openSync(file, "r")
    fs.readSync(descriptor, bytes, 0, length, at)
    fs.closeSync(descriptor)
    return bytes
  }
  const header = read(64, 0)
  // ELF of 64 bits, little end first.
  if (header.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") return undefined
  const [at, size, count] = [Number(header.readBigUInt64LE(32)), header.readUInt16LE(54), header.readUInt16LE(56)]
  const parts = read(size * count, at)
  const ends = Array.from({ length: count }, (_, part) => {
    const [start, length] = [8, 32].map((member) => Number(parts.readBigUInt64LE(part * size + member)))
    return start + length
  })
  return Math.max(at + size * count, ...ends)
}

/**
 * Cuts off a Linux program what stands behind the last part that is loaded: names for debuggers, a seventh of node. What
 * is left is tried before it takes the place of the whole.
 */
export const cutSymbols = (file) => {
  const end = endOfLoaded(file)
  if (end === undefined || end >= fs.statSync(file).size) return
  const cut = `${file}.cut`
  try {
    fs.copyFileSync(file, cut)
    fs.truncateSync(cut, end)
    const descriptor = fs.openSync(cut, "r+")
    // Where the table of sections stood, and how many it had.
    fs.writeSync(descriptor, Buffer.alloc(8), 0, 8, 40)
    fs.writeSync(descriptor, Buffer.alloc(4), 0, 4, 60)
    fs.closeSync(descriptor)
    execFileSync(cut, ["--version"], { stdio: "ignore" })
    fs.renameSync(cut, file)
  } catch {
    fs.rmSync(cut, { force: true })
  }
}

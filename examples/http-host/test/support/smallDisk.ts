import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const shell = (command: string): boolean => spawnSync("sh", ["-c", command]).status === 0

/** A folder that is a file system of its own with so much room, where this account may make one; otherwise a folder. */
export const makeSmallDisk = (folder: string, size: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const isSmall = shell(`mount -t tmpfs -o size=${size},mode=0755 tmpfs '${folder}'`)
  const filler = join(folder, "filler")
  return {
    isSmall,
    /** Takes all that is left, until it is told to give it back. */
    fill: () => shell(`cat /dev/zero > '${filler}'`),
    giveBack: () => rmSync(filler),
    remove: () => {
      if (isSmall) shell(`umount --lazy '${folder}'`)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

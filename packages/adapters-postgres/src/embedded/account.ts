import * as Result from "effect/Result"
import * as fs from "node:fs"
import * as path from "node:path"

/** As whom the server runs: nothing to switch to, or the ids of another account. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root: then it runs as `postgres`, else as `nobody`. Otherwise as ourselves. */
export const serverAccount = (): Account => {
  if (process.getuid?.() !== 0) return {}
  const lines = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const entry = lines.find(([name]) => name === "postgres") ?? lines.find(([name]) => name === "nobody")
  return entry === undefined ? {} : { uid: Number(entry[2]), gid: Number(entry[3]) }
}

/** The user id that owns what the server writes. */
export const ownerOf = (account: Account): number => account.uid ?? process.getuid?.() ?? 0

/** Makes a file or folder the account's own. */
export const giveTo = (file: string, account: Account): void => {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

/** Makes a folder, where it is missing, that only the account may enter. */
export const makePrivateFolder = (folder: string, account: Account): void => {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveTo(folder, account)
}

/** May the account enter this folder and all that it lies in? What does not exist yet is made enterable. */
export const canEnter = (folder: string, account: Account): boolean => {
  if (account.uid === undefined) return true
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const stat = fs.statSync(at, { throwIfNoEntry: false })
    if (stat !== undefined) {
      const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001
      if ((stat.mode & bit) === 0) return false
    }
    if (at === path.dirname(at)) return true
  }
}

/** Is there a process of this id? */
export const isAlive = (pid: number): boolean => {
  const found = Result.try(() => process.kill(pid, 0))
  // Somebody else's process is one, too.
  return Result.isSuccess(found) || isCode(found.failure, "EPERM")
}

/** Is this a failed system call's error, of this code? */
export const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

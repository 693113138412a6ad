// Has a host write down what V8 compiles while it starts, so that the first start of an image need not compile it again:
//   node scripts/warmImage.mjs FOLDER [UID]
// FOLDER was filled by productionFolder.mjs: compiled code is kept by account and by V8's flags. Those come from the host's
// program, which begins again with them.
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { wholeName } from "../examples/http-host/bin/runBundle.mjs"

const [folder, account] = process.argv.slice(2)
if (folder === undefined) {
  console.error("Usage: node scripts/warmImage.mjs FOLDER [UID]")
  process.exit(2)
}
const uid = account === undefined ? undefined : Number(account)
const host = join(folder, "examples/http-host")
const compiled = join(host, "bundle/compiled")
const data = mkdtempSync(join(tmpdir(), "loopbox-warm-"))
try {
  rmSync(compiled, { recursive: true, force: true })
  mkdirSync(compiled)
  if (uid !== undefined) for (const path of [compiled, data]) chownSync(path, uid, uid)
  // A database that refuses: by then all is loaded that every host loads. Nothing listens at port 1.
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [join(host, "bin/loopbox.js"), "serve", "--role", "api", "--port", "0"],
    {
      cwd: data,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        LOOPBOX_DATA: data,
        LOOPBOX_NETWORKS: "live",
        LOOPBOX_SECRET_KEYS: `warm:${Buffer.alloc(32).toString("base64")}`,
        DATABASE_URL: "postgresql://warm@127.0.0.1:1/warm"
      },
      encoding: "utf8",
      timeout: 60_000,
      ...(uid === undefined ? {} : { uid, gid: uid })
    }
  )
  const files = globSync("**", { cwd: compiled }).map((name) => join(compiled, name))
  const written = files.filter((file) => statSync(file).isFile())
  if (!stderr.includes("ECONNREFUSED") || written.length < 20) {
    console.error(
      `The host did not start as far as its database, or wrote ${written.length} files.\n${stdout}${stderr}`
    )
    process.exit(1)
  }
  // No host is to do it better: it may not write there.
  writeFileSync(join(dirname(written[0]), wholeName), "")
  // Read by the account of the host, and written by nobody there.
  for (const file of globSync("**", { cwd: compiled }).map((name) => join(compiled, name))) {
    chmodSync(file, statSync(file).isFile() ? 0o644 : 0o755)
    if (uid !== undefined) chownSync(file, 0, 0)
  }
} finally {
  rmSync(data, { recursive: true, force: true })
}

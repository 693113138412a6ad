import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Where the cluster of a data folder lies: in it, or, as root in a folder of root's, in one of its own. */
export const clusterFolder = (data: string): string => {
  const within = join(data, "postgres")
  return existsSync(join(within, "data")) ? within : readFileSync(join(within, "cluster-folder"), "utf8").trim()
}

/** The lines of `postmaster.pid`: the server's pid first, its socket's folder fifth. */
export const postmaster = (cluster: string): ReadonlyArray<string> =>
  readFileSync(join(cluster, "data", "postmaster.pid"), "utf8").split("\n")

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { serverAccount } from "../embedded/account.ts"
import { findBinaries } from "../embedded/binaries.ts"
import { attempt, findRoot, majorOfData } from "../embedded/cluster.ts"
import { runServer, targetOf } from "../embedded/EmbeddedPostgres.ts"
import { failed } from "../embedded/EmbeddedPostgresError.ts"
import { type FolderLock, lockFolder } from "../embedded/folderLock.ts"
import { upgradePlaces } from "../embedded/places.ts"
import * as Migrations from "../Migrations.ts"
import { withLongRunningClient } from "../PgAdapters.ts"
import { exportToFile, importFromFile } from "./transferFiles.ts"

/** What became of an embedded database. */
export interface Upgraded {
  readonly from: string
  readonly to: string
  /** How many rows were moved; none where there was nothing to do. */
  readonly rows: number
  /** Where the old cluster stays until somebody deletes it; absent where there was nothing to do. */
  readonly kept: string | undefined
}

export interface UpgradeOptions {
  /** Folder of the old server's programs (with `bin/postgres`), where they are neither beside the data nor the system's. */
  readonly oldPrograms?: string | undefined
}

/** Exports with the old programs and imports into a new cluster beside; nothing of the old one is changed but its schema. */
const move = (lock: FolderLock, folder: string, options: UpgradeOptions) =>
  Effect.gen(function* () {
    const places = upgradePlaces(lock.root)
    const programs = options.oldPrograms === undefined ? "npm" : { folder: options.oldPrograms }
    const old = targetOf(yield* runServer(lock, { folder, programs }))
    // An export is taken by the version that knows the schema.
    yield* withLongRunningClient(old, {}, Migrations.run)
    yield* exportToFile(old, places.file)
    const counts = yield* Effect.scoped(
      Effect.gen(function* () {
        const newLock = yield* Effect.flatMap(findRoot(places.folder), lockFolder)
        const target = targetOf(yield* runServer(newLock, { folder: places.folder }))
        return yield* importFromFile(target, places.file)
      })
    )
    return Object.values(counts).reduce((sum, count) => sum + count, 0)
  }).pipe(Effect.scoped)

/**
 * Brings an embedded database to the PostgreSQL that this release has: exports it with the programs of its own major
 * version, imports it into a new cluster and puts that one in its place. The old one stays beside.
 *
 * No host may run on it meanwhile. A process that is killed in the middle leaves either the old cluster in its place or
 * the new one, whole.
 */
export const upgradeEmbedded = Effect.fn("upgradeEmbedded")(
  function* (folder: string, options: UpgradeOptions = {}) {
    const root = yield* findRoot(folder)
    const data = path.join(root, "data")
    const account = serverAccount()
    const [from, to] = yield* attempt(
      () => [majorOfData(data), findBinaries(root, undefined, account, "npm").major] as const,
      `The folder ${root} can't be used`
    )
    if (from === undefined) return yield* failed("Failed", `There is no database in ${root} yet: nothing to upgrade.`)
    const nothing: Upgraded = { from, to: from, rows: 0, kept: undefined }
    if (Number(from) >= Number(to)) return nothing
    const places = upgradePlaces(root)
    const kept = `${data}-${from}`
    if (fs.existsSync(kept)) {
      return yield* failed("Failed", `${kept} is there already: an earlier upgrade left it. Move or delete it first.`)
    }
    const clean = attempt(
      () => [places.folder, places.file].forEach((place) => fs.rmSync(place, { recursive: true, force: true })),
      `${places.folder} can't be removed`
    )
    const lock = yield* lockFolder(root)
    yield* clean
    const rows = yield* Effect.onError(move(lock, folder, options), () => Effect.ignore(clean))
    // The next start finishes this when it is cut short between the two.
    yield* attempt(() => {
      fs.writeFileSync(places.complete, `${to}\n`)
      fs.renameSync(data, kept)
      fs.renameSync(places.data, data)
    }, `${data} can't be replaced`)
    yield* clean
    const upgraded: Upgraded = { from, to, rows, kept }
    return upgraded
  },
  Effect.scoped,
  // Waiting for processes takes real time.
  Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
)

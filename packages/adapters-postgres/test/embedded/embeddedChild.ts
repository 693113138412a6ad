import { EmbeddedPostgres } from "@loopbox/adapters-postgres"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"

/** A process that holds a database until it is killed; says on its output what it came to. */
const folder = process.argv[2] ?? ""
const say = (what: object) => fs.writeSync(1, `${JSON.stringify(what)}\n`)

const hold = Effect.gen(function* () {
  const { clusterFolder } = yield* EmbeddedPostgres
  const [pid] = fs.readFileSync(path.join(clusterFolder, "data", "postmaster.pid"), "utf8").split("\n")
  say({ pid: Number(pid) })
  return yield* Effect.never
})

void Effect.runPromise(
  hold.pipe(
    Effect.provide(EmbeddedPostgres.layer({ folder, settings: { fsync: "off" } })),
    Effect.catchTag("EmbeddedPostgresError", ({ holderPid, message, reason }) =>
      Effect.sync(() => say({ reason, message, holderPid }))
    ),
    Effect.provide(Layer.empty)
  )
)

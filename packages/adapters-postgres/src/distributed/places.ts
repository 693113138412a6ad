import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { all, one } from "../rows/rows.ts"
import { type Place, tables } from "../tables.ts"

/** A table and where it belongs. */
export interface Placed {
  readonly name: string
  readonly place: Place
}

/** Where the applied migrations are recorded; not in the list of tables, for no import fills it. */
export const migrationsTable = "loopbox_migrations"

/** All tables in the order in which they are placed; those of the first owner that all others lie beside come first. */
export const placedTables: ReadonlyArray<Placed> = [{ name: migrationsTable, place: "coordinator" }, ...tables]

/** The table beside whose shards those of all other tables by workspace lie. */
export const anchor = "items"

const FoundRow = Schema.Struct({ found: Schema.Boolean })

const PlaceRow = Schema.Struct({
  name: Schema.String,
  kind: Schema.Literals(["distributed", "reference", "coordinator"]),
  column: Schema.NullOr(Schema.String),
  colocation: Schema.Int
})
type PlaceRow = (typeof PlaceRow)["Type"]

const hasExtension = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    one(FoundRow)(sql`SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`),
    ({ found }) => found
  )
)

/** What Citus knows of this schema's tables; nothing where the extension isn't there. */
const readPlaces = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (!(yield* hasExtension)) return new Map<string, PlaceRow>()
  const rows = yield* all(PlaceRow)(sql`SELECT c.relname AS name, p.colocationid::int AS colocation,
      CASE WHEN p.partmethod = 'h' THEN 'distributed' WHEN p.repmodel = 't' THEN 'reference' ELSE 'coordinator' END AS kind,
      CASE WHEN p.partmethod = 'h' THEN column_to_column_name(p.logicalrelid, p.partkey) END AS column
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace`)
  return new Map(rows.map((row) => [row.name, row]))
})

/** Whether this database is distributed over several nodes, and be it in part. */
export const isDistributed = Effect.map(readPlaces, (places) => places.get(anchor)?.kind === "distributed")

/** Whether the server could distribute this database: the extension is in it. */
export const hasCitus = hasExtension

/** How tables stand to where they belong. */
export interface Standing {
  readonly inPlace: ReadonlyArray<Placed>
  /** They lie on the coordinator alone, and no other node knows them. */
  readonly unplaced: ReadonlyArray<Placed>
  /** They belong to the coordinator, and are copied to every node, as earlier versions had them. All works, but needs every node. */
  readonly copied: ReadonlyArray<Placed>
  /** Placed, but elsewhere; what is wrong, in words. */
  readonly misplaced: ReadonlyArray<string>
}

const wrongPlace = (place: Place, found: PlaceRow, colocation: number | undefined): string | undefined => {
  if (typeof place === "string") return found.kind === place ? undefined : `is ${found.kind}, not ${place}`
  if (found.kind !== "distributed") return `is ${found.kind}, not by ${place.by}`
  if (found.column !== place.by) return `is by ${found.column}, not by ${place.by}`
  return found.colocation === colocation ? undefined : `does not lie beside ${anchor}`
}

/** Compares where tables lie with where they belong. */
export const readStanding = Effect.fnUntraced(function* (wanted: ReadonlyArray<Placed>) {
  const places = yield* readPlaces
  const colocation = places.get(anchor)?.colocation
  const inPlace: Array<Placed> = []
  const unplaced: Array<Placed> = []
  const copied: Array<Placed> = []
  const misplaced: Array<string> = []
  for (const table of wanted) {
    const found = places.get(table.name)
    const wrong = found === undefined ? undefined : wrongPlace(table.place, found, colocation)
    if (found === undefined) unplaced.push(table)
    else if (wrong === undefined) inPlace.push(table)
    else if (found.kind === "reference" && table.place === "coordinator") copied.push(table)
    else misplaced.push(`${table.name} ${wrong}`)
  }
  const standing: Standing = { inPlace, unplaced, copied, misplaced }
  return standing
})

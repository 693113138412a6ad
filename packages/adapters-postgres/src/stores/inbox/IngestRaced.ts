import * as Data from "effect/Data"

/** Another unit inserted the same row concurrently; the whole unit is repeated. */
export class IngestRaced extends Data.TaggedError("IngestRaced")<{}> {}

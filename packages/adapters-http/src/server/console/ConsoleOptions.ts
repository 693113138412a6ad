import type { ConsoleSessions } from "@loopbox/core/access/ConsoleSessions"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** A file of the console's, as it is sent. */
export interface ConsoleFile {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The same, compressed. */
  readonly encodings: ReadonlyArray<{ readonly name: "br" | "gzip"; readonly bytes: Uint8Array }>
}

/** One curve: a value for each point of time, or none where nothing is known. */
export interface ActivitySeries {
  readonly name: string
  /** What distinguishes it from others of its name: an outcome, a queue, a network. */
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

/** What the host did and had to do, in points of equal distance. */
export interface ActivityReport {
  /** Seconds since 1970, the oldest first. */
  readonly times: ReadonlyArray<number>
  readonly step_seconds: number
  readonly series: ReadonlyArray<ActivitySeries>
}

export type ActivityRange = "hour" | "day"

/** An answer of the simulated networks' controls. */
export interface SandboxReply {
  readonly status: number
  readonly body: Schema.Json
}

/** What a host gives that serves the console. */
export interface ConsoleOptions {
  readonly sessions: ConsoleSessions["Service"]
  /** The id of the installation whose sessions these are: consoles of two on one machine have cookies of their own. */
  readonly installation?: string | undefined
  /** By the path below `/console`: `index.html`, `assets/…`. Asked for each: keep them. */
  readonly files: Effect.Effect<ReadonlyMap<string, ConsoleFile>>
  readonly activity: (range: ActivityRange) => Effect.Effect<ActivityReport>
  /** Controls of the simulated networks, `path` as in `people?network=x`; without it there are none. */
  readonly sandbox?:
    | ((
        method: "GET" | "POST" | "PUT" | "DELETE",
        path: string,
        body: Schema.Json | undefined
      ) => Effect.Effect<SandboxReply>)
    | undefined
  /** Where programs on this machine reach them, for "as curl". */
  readonly sandboxUrl?: string | undefined
}

import type { EventFrame } from "@loopbox/adapters-http/api/endpoints/webhookBody"
import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { hostOf, unreadable, withQuery } from "./hostAnswers.ts"
import { callHost, type HostAccess, segment } from "./hostCalls.ts"
import { note } from "./output.ts"

/** Where jobs are asked for, by the type that their ends have in deliveries. */
export const jobPaths: ReadonlyMap<string, string> = new Map([
  [typeOfJobEnd.gif_to_mp4, "/v1/media/gif-conversions"],
  [typeOfJobEnd.audio_overlay, "/v1/media/audio-overlays"]
])

const Job = Schema.StructWithRest(
  Schema.Struct({ id: Schema.String, status: Schema.String, completed_at: Schema.NullOr(Schema.String) }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
type Job = typeof Job.Type

const decodeJobs = Schema.decodeUnknownOption(Schema.Array(Job))
const decodeItems = Schema.decodeUnknownOption(Schema.Array(Schema.Struct({ workspace_id: Schema.String })))

/** A job's end as a frame, though no socket has it. It has no number: the log gives one only where an endpoint names it. */
export interface JobEndFrame extends EventFrame {
  readonly seq: null
  readonly workspace_id: string | null
  readonly external_user_id: null
  readonly job: Job
}

/** Jobs of one look at the newest, by pages. */
const pageSize = 100
const pagesAtMost = 20

const lookEvery = "1 second"

const hasEnded = ({ status }: Job): boolean => status === "succeeded" || status === "failed"

const pageOf = Effect.fnUntraced(function* (host: HostAccess, path: string, query: Readonly<Record<string, string>>) {
  const answer = yield* callHost(host, {
    method: "GET",
    path: withQuery(path, { limit: String(pageSize), ...query })
  })
  const jobs = decodeJobs(answer.data)
  if (Option.isNone(jobs)) return yield* unreadable(host.url)
  return { jobs: jobs.value, next: answer.next_cursor ?? undefined }
})

const findJob = Effect.fnUntraced(function* (host: HostAccess, path: string, id: string) {
  const { data } = yield* callHost(host, { method: "GET", path: `${path}/${segment(id)}` })
  const jobs = decodeJobs([data])
  return Option.isNone(jobs) ? yield* unreadable(host.url) : jobs.value
})

/** The jobs of one kind, from look to look. */
const makeLook = (type: string, path: string) => {
  /** The newest of the last look, behind which none is new; and those that had not ended. */
  let newest: ReadonlySet<string> = new Set()
  let open: ReadonlySet<string> = new Set()

  const remember = (jobs: ReadonlyArray<Job>, seen: ReadonlyArray<Job>): void => {
    newest = new Set(jobs.map(({ id }) => id))
    open = new Set(seen.filter((job) => !hasEnded(job)).map(({ id }) => id))
  }

  /** Finds out what there is. What has not ended may be older than many that have. */
  const begin = Effect.fnUntraced(function* (host: HostAccess) {
    const { jobs } = yield* pageOf(host, path, {})
    const queued = yield* pageOf(host, path, { status: "queued" })
    const processing = yield* pageOf(host, path, { status: "processing" })
    remember(jobs, [...jobs, ...queued.jobs, ...processing.jobs])
  })

  /** Those that have ended since the last look. */
  const ended = Effect.fnUntraced(function* (host: HostAccess) {
    const listed: Array<Job> = []
    let cursor: string | undefined = ""
    for (let pages = 0; cursor !== undefined && pages < pagesAtMost; pages++) {
      const page: Effect.Success<ReturnType<typeof pageOf>> = yield* pageOf(host, path, cursor === "" ? {} : { cursor })
      listed.push(...page.jobs)
      cursor = page.jobs.some(({ id }) => newest.has(id)) ? undefined : page.next
    }
    const ids = new Set(listed.map(({ id }) => id))
    const older = yield* Effect.forEach(
      [...open].filter((id) => !ids.has(id)),
      (id) => findJob(host, path, id)
    )
    const seen = [...listed, ...older.flat()]
    const news = seen.filter((job) => hasEnded(job) && (open.has(job.id) || !newest.has(job.id)))
    remember(listed, seen)
    return news.map((job) => ({ type, job, at: job.completed_at ?? "" }))
  })

  return { begin, ended }
}

/** The workspace's id, which nothing but its items tells; none while there is none, or where the key may not see them. */
const workspaceOf = (host: HostAccess) =>
  callHost(host, { method: "GET", path: withQuery("/v1/inbox", { inbox_scope: "workspace", limit: "1" }) }).pipe(
    Effect.map(({ data }) =>
      Option.getOrNull(Option.flatMapNullishOr(decodeItems(data), ([item]) => item?.workspace_id))
    ),
    Effect.orElseSucceed(() => null)
  )

/**
 * Follows ends of media jobs of these types until Ctrl-C. The socket has none, so the lists of jobs are looked at every
 * second. `begun` is told once the first look is done: what ended before is not told of.
 */
export const followJobEnds = Effect.fnUntraced(function* <R>(
  connection: Connection,
  types: ReadonlyArray<string>,
  onEnd: (frame: JobEndFrame) => Effect.Effect<void, never, R>,
  begun: (url: string) => Effect.Effect<void>
) {
  let host = yield* hostOf(connection)
  const looks = [...jobPaths].filter(([type]) => types.includes(type)).map(([type, path]) => makeLook(type, path))
  yield* Effect.forEach(looks, (look) => look.begin(host), { discard: true })
  yield* begun(host.url)
  let isAway = false
  const away = ({ message }: CommandFailed) =>
    Effect.gen(function* () {
      if (!isAway) yield* note(`Media jobs can't be looked at; trying again … ${message}`)
      isAway = true
      // A host that was started again may listen elsewhere.
      host = yield* Effect.orElseSucceed(hostOf(connection), () => host)
    })
  const lookAt = Effect.fnUntraced(function* (look: ReturnType<typeof makeLook>) {
    const ended = yield* look.ended(host)
    isAway = false
    if (ended.length === 0) return
    const workspace_id = yield* workspaceOf(host)
    const inOrder = ended.toSorted((a, b) => (a.at < b.at ? -1 : 1))
    yield* Effect.forEach(inOrder, (one) => onEnd({ ...one, seq: null, workspace_id, external_user_id: null }), {
      discard: true
    })
  })
  const turn = Effect.forEach(looks, (look) => Effect.catchTag(lookAt(look), "CommandFailed", away), { discard: true })
  while (true) yield* Effect.delay(turn, lookEvery)
})

import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { request } from "./apiClient.ts"
import { until } from "./hostProcess.ts"

const rules = join(import.meta.dirname, "../../../../deploy/prometheus/alerts.yaml")
/** Debian's, where it is installed or named. */
const promtool = process.env["LOOPBOX_PROMTOOL"] ?? "promtool"
export const hasPromtool = spawnSync(promtool, ["--version"]).status === 0

export interface Scrape {
  readonly at: number
  /** What stands before the value, with the labels that Prometheus adds. */
  readonly series: ReadonlyMap<string, number>
  readonly counters: ReadonlySet<string>
}

const scrapeOne = async (instance: string, url: string): Promise<Scrape> => {
  const answer = await request(`${url}/metrics`).catch(() => undefined)
  const text = answer?.text ?? ""
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = "", type]) => [name, type]))
  const added = `instance="${instance}",job="loopbox"`
  const rows = Array.from(
    text.matchAll(/^(\w+)(?:\{(.*)\})? ([-+\deE.]+)$/gm),
    ([, name = "", labels = "", value = ""]) => {
      const all = [...(labels === "" ? [] : [labels]), added].join(",")
      return { name, key: `${name}{${all}}`, value: Number(value) }
    }
  )
  const up: readonly [string, number] = [`up{${added}}`, answer?.status === 200 ? 1 : 0]
  return {
    at: performance.now(),
    series: new Map([...rows.map(({ key, value }) => [key, value] as const), up]),
    counters: new Set(rows.flatMap(({ key, name }) => (types.get(name) === "counter" ? [key] : [])))
  }
}

/** What Prometheus sees of some processes, by their names and addresses. */
export const scrape = async (processes: Readonly<Record<string, string>>): Promise<Scrape> => {
  const all = await Promise.all(Object.entries(processes).map(([instance, url]) => scrapeOne(instance, url)))
  return {
    at: performance.now(),
    series: new Map(all.flatMap(({ series }) => [...series])),
    counters: new Set(all.flatMap(({ counters }) => [...counters]))
  }
}

/** The highest value of the series whose name begins so and that have a label. */
export const valueOf = ({ series }: Scrape, name: string, part = ""): number =>
  Math.max(0, ...Array.from(series, ([one, value]) => (one.startsWith(name) && one.includes(part) ? value : 0)))

/** Scrapes until a metric says what is waited for. */
export const scrapeUntil = (
  processes: Readonly<Record<string, string>>,
  name: string,
  isMeant: (value: number) => boolean,
  part = ""
): Promise<Scrape> =>
  until(
    `${name} as it is waited for`,
    async () => {
      const found = await scrape(processes)
      return isMeant(valueOf(found, name, part)) ? found : undefined
    },
    90_000,
    200
  )

export interface AlarmStory {
  readonly before: Scrape
  /** The fault, as it was seen; where it goes on counting, from the first of the two to the second. */
  readonly during: Scrape | readonly [Scrape, Scrape]
  /** What was seen when the page was followed. Left out: the fault's end is seen elsewhere. */
  readonly after?: Scrape
  /** How long the fault lasts. Default: half an hour. */
  readonly minutes?: number
  /** In how many minutes after the page was followed the alarm has to have ended. Default: 10. */
  readonly endsWithin?: number
}

/** Minutes before the fault, long enough for every `for` that a healthy state could outlast. */
const calm = 30

/** A value for each minute; nothing where the series is not there, and Prometheus is told when it went. */
const valuesOf = (key: string, { after, before, during, ...story }: AlarmStory): string => {
  const { endsWithin = 10, minutes = 30 } = story
  const [from, to] = "series" in during ? [during, during] : during
  const perMinute =
    from === to ? 0 : (60_000 * valueAt(to, key, 0) - 60_000 * valueAt(from, key, 0)) / (to.at - from.at)
  // Timestamps: as old as they are where they go on, and as they were where nothing happens any more.
  const isTime = /^\w+_timestamp_seconds\{/.test(key)
  const stands = isTime && before.series.get(key) === from.series.get(key)
  const told: Array<string> = []
  const tell = (one: Scrape, count: number, at: (minute: number, value: number) => number) => {
    const value = one.series.get(key)
    for (let minute = 0; minute < count; minute++) {
      const isLost = value === undefined && minute === 0 && told.length > 0 && told[told.length - 1] !== "_"
      told.push(value === undefined ? (isLost ? "stale" : "_") : at(told.length, value).toFixed(6))
    }
  }
  const plain = (_minute: number, value: number) => value
  const now = (minute: number) => minute * 60
  tell(before, calm, isTime ? now : plain)
  const isCounter = to.counters.has(key)
  // A counter that begins with the fault has counted for a minute when it is seen first.
  const counted = (minute: number) => valueAt(from, key, 0) + perMinute * (minute - calm + 1)
  tell(to, minutes, (minute, value) => {
    if (isTime) return stands ? (calm - 1) * 60 : now(minute)
    return isCounter && from !== to ? counted(minute) : value
  })
  if (after === undefined) return told.join(" ")
  const grown = isCounter ? Math.max(0, perMinute * minutes) : 0
  // What a process has counted it has counted; where it started anew it counts from zero.
  const isSame = (after.series.get(key) ?? 0) >= (to.series.get(key) ?? 0)
  tell(after, endsWithin + 1, (minute, value) => (isTime ? now(minute) : isCounter && isSame ? value + grown : value))
  return told.join(" ")
}

const valueAt = ({ series }: Scrape, key: string, otherwise: number): number => series.get(key) ?? otherwise

/**
 * Whether the alarm of the rules' file fires by what was scraped, was silent before, and has ended in the time that its page says.
 * Prometheus' own program judges it, so that nobody waits for hours.
 */
export const judgeAlarm = (folder: string, alarm: string, story: AlarmStory): void => {
  const { after, before, during, endsWithin = 10, minutes = 30 } = story
  const [, expression = ""] =
    new RegExp(`alert: ${alarm}\\n *expr: ['"](.*)['"]\\n`).exec(readFileSync(rules, "utf8")) ?? []
  const scrapes = [before, ...("series" in during ? [during] : during), ...(after === undefined ? [] : [after])]
  const keys = [...new Set(scrapes.flatMap(({ series }) => [...series.keys()]))].filter((key) =>
    expression.includes(key.slice(0, key.indexOf("{")))
  )
  assert.isNotEmpty(keys, alarm)
  const isFiring = (minute: number, fires: boolean) => ({
    expr: `count(ALERTS{alertname="${alarm}",alertstate="firing"}) > bool 0`,
    eval_time: `${minute}m`,
    exp_samples: fires ? [{ labels: "{}", value: 1 }] : []
  })
  const test = {
    interval: "1m",
    input_series: keys.map((series) => ({ series, values: valuesOf(series, story) })),
    promql_expr_test: [
      isFiring(calm - 1, false),
      isFiring(calm + minutes - 1, true),
      ...(after === undefined ? [] : [isFiring(calm + minutes + endsWithin, false)])
    ]
  }
  const file = join(folder, `${alarm}.json`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests: [test] }))
  const run = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" })
  assert.strictEqual(
    run.status,
    0,
    `${alarm}: ${run.stdout}${run.stderr}\n${JSON.stringify(test.input_series).slice(0, 4_000)}`
  )
}

/** A curve as the host tells it. */
export interface ActivitySeries {
  readonly name: string
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

export interface ActivityReport {
  readonly step_seconds: number
  /** Ends of the steps in seconds since 1970, the oldest first. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<ActivitySeries>
}

/** Curves of one thing, drawn together. */
export interface Chart {
  readonly name: string
  readonly unit: "count" | "seconds" | "percent"
  readonly curves: ReadonlyArray<{ readonly label: string; readonly values: ReadonlyArray<number | null> }>
  /** Whether anything was other than nothing. */
  readonly hasAny: boolean
}

const unitOf = (name: string): Chart["unit"] => {
  if (name === "network_budget") return "percent"
  return /_(?:seconds|lag)$/.test(name) ? "seconds" : "count"
}

/** A report in charts, in the order of their names here; what is not named comes last. */
export const chartsOf = ({ series }: ActivityReport, order: ReadonlyArray<string>): ReadonlyArray<Chart> => {
  const byName = new Map<string, Array<ActivitySeries>>()
  for (const one of series) byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return Array.from(byName, ([name, curves]) => ({
    name,
    unit: unitOf(name),
    curves: curves.map(({ label, values }) => ({ label, values })).sort((a, b) => (a.label < b.label ? -1 : 1)),
    hasAny: curves.some(({ values }) => values.some((value) => value !== null && value !== 0))
  })).sort((a, b) => place(a.name) - place(b.name))
}

/** A curve's name in the reader's language: of a state, or of the replies and posts that have one ("Replies: Waiting"). */
export const curveName = (label: string, labels: Readonly<Record<string, string>>): string => {
  const [, whose = "", state = ""] = /^(replies|posts)_(.+)$/.exec(label) ?? []
  const [owner, named] = [labels[whose], labels[state]]
  const inQueue = owner === undefined || named === undefined ? undefined : `${owner}: ${named}`
  return labels[label] ?? inQueue ?? label.replaceAll("_", " ")
}

/** What a legend says of a curve: how many there were; of a time, a share or a queue where it stands. */
export const summaryOf = (
  { name, unit }: Pick<Chart, "name" | "unit">,
  values: ReadonlyArray<number | null>
): number | null => {
  const known = values.filter((value) => value !== null)
  if (unit !== "count" || name === "queue_depth") return known.at(-1) ?? null
  return known.reduce((sum, value) => sum + value, 0)
}

/** The last rows that say something, newest first: what a table of a chart holds. */
export const rowsOf = (
  { curves }: Chart,
  times: ReadonlyArray<number>,
  most = 30
): ReadonlyArray<{ readonly time: number; readonly values: ReadonlyArray<number | null> }> =>
  times
    .map((time, at) => ({ time, values: curves.map(({ values }) => values[at] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .slice(-most)
    .reverse()

import type { Benchmark } from "./Benchmark.ts"

/** One line for each benchmark: `name: description`. */
export const listing = async (
  benchmarks: ReadonlyMap<string, () => Promise<Benchmark>>
): Promise<ReadonlyArray<string>> => {
  const loaded = await Promise.all([...benchmarks.values()].map((load) => load()))
  return loaded.map(({ description, name }) => `${name}: ${description}`)
}

/** What was measured; the last line is the one that machines read, and has this form always. */
export const report = (
  benchmark: Benchmark,
  measured: Awaited<ReturnType<Benchmark["run"]>>
): ReadonlyArray<string> => {
  const ratio = measured.ratio ?? measured.ours / measured.baseline
  const reached = (value: number, wanted: number): string =>
    (benchmark.better === "higher" ? value >= wanted : value <= wanted) ? "reached" : "NOT reached"
  const figures = `ours ${figure(measured.ours)}, baseline ${figure(measured.baseline)}, wanted ${figure(benchmark.wanted)}`
  return [
    ...(measured.notes ?? []),
    ...(measured.beside ?? []).map(
      (one) =>
        `beside ${one.what}: ratio ${figure(one.ratio)} (wanted ${figure(one.wanted)}): ${reached(one.ratio, one.wanted)}`
    ),
    `in ${measured.unit}; a ${benchmark.better} ratio is better: ${reached(ratio, benchmark.wanted)}`,
    `${benchmark.name}: ratio ${figure(ratio)} (${figures})`
  ]
}

/** Four digits that count, never an exponent. */
const figure = (value: number): string => {
  const decimals = value === 0 ? 0 : Math.min(Math.max(3 - Math.floor(Math.log10(Math.abs(value))), 0), 9)
  const text = value.toFixed(decimals)
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text
}

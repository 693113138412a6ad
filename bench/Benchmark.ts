/** One measured claim: ours against a named baseline, both taken in the same run. */
export interface Benchmark {
  readonly name: string
  readonly description: string
  /** Whether a greater ratio is the better one. */
  readonly better: "higher" | "lower"
  /** The ratio that we promise. */
  readonly wanted: number
  /** `ratio` is ours / baseline unless given. */
  readonly run: () => Promise<{
    readonly ours: number
    readonly baseline: number
    readonly unit: string
    readonly ratio?: number
    /** Further baselines of the same run, each with a ratio that is wanted, too; the same side is the better one. */
    readonly beside?: ReadonlyArray<{ readonly what: string; readonly ratio: number; readonly wanted: number }>
    /** What else was measured, a line each. */
    readonly notes?: ReadonlyArray<string>
  }>
}

/** How much a database of this benchmark has. Everything is spread evenly over the workspaces. */
export interface Sizes {
  readonly workspaces: number
  readonly items: number
  readonly accounts: number
  /** Entries of each queue that are due. */
  readonly jobs: number
}

/** What issue 13 names. */
export const full: Sizes = { workspaces: 10_000, items: 10_000_000, accounts: 100_000, jobs: 100_000 }

export const divided = ({ accounts, items, jobs, workspaces }: Sizes, by: number): Sizes => ({
  workspaces: Math.ceil(workspaces / by),
  items: Math.ceil(items / by),
  accounts: Math.ceil(accounts / by),
  jobs: Math.ceil(jobs / by)
})

/** A share of each for one workspace. */
export const ofOne = (sizes: Sizes): Omit<Sizes, "workspaces"> => ({
  items: Math.round(sizes.items / sizes.workspaces),
  accounts: Math.round(sizes.accounts / sizes.workspaces),
  jobs: Math.round(sizes.jobs / sizes.workspaces)
})

/** Works on a queue, one job at a time. */
export interface Contestant {
  readonly name: string
  /** Queues so many jobs. */
  readonly queue: (jobs: number) => Promise<unknown>
  /** Claims and settles as many, and calls `begun` whenever it has a job in its hands. */
  readonly work: (jobs: number, begun: () => void) => Promise<unknown>
  readonly stop: () => Promise<unknown>
}

/** One command for a process that runs many (`commandServer`). */
export interface CommandAsked {
  readonly id: number
  readonly args: ReadonlyArray<string>
  readonly folder: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

export interface CommandDone {
  readonly id: number
  readonly code: number
  /** Standard output and standard error, in the order of their writing. */
  readonly output: string
}

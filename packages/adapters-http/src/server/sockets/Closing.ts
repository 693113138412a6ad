/** How a socket is told that it ends (api.md §4). */
export interface Closing {
  readonly code: 1011 | 1012 | 4008 | 4401 | 4402 | 4403 | 4404
  readonly reason: string
}

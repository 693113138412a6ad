import type { NodeListener } from "@loopbox/adapters-http"

/** The routes as handlers, each built when the first mount wants it; without the prefix of a mount. */
export interface MountedApi {
  readonly node: () => Promise<NodeListener>
  readonly web: () => Promise<(request: Request) => Promise<Response>>
}

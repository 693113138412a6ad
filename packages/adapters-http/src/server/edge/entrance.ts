import * as Context from "effect/Context"

/**
 * Requests that came in by the port of operations (`LOOPBOX_OPS_PORT`); none where everything is on one port. Whoever
 * opens that port notes them.
 */
export const OperationsRequests = Context.Reference<{ readonly has: (source: object) => boolean }>(
  "@loopbox/adapters-http/server/OperationsRequests",
  { defaultValue: () => ({ has: () => false }) }
)

/** What operators ask, and nobody else should. */
export const isForOperators = (pattern: string): boolean =>
  pattern === "/metrics" || pattern === "/readyz" || pattern.startsWith("/v1/admin/") || isOfConsole(pattern)

/** Whether a path or a pattern is the console's, its pages included. */
export const isOfConsole = (path: string): boolean => path === "/console" || path.startsWith("/console/")

/** What both ports answer. */
export const isForBoth = (pattern: string): boolean => pattern === "/livez"

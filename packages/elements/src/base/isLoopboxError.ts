import { LoopboxError } from "@loopbox/client"

/** Whether a host refused it or the client gave up; also where a page's own client comes out of another bundle. */
export const isLoopboxError = (error: unknown): error is LoopboxError =>
  error instanceof LoopboxError ||
  (error instanceof Error && error.name === "LoopboxError" && "code" in error && "status" in error)

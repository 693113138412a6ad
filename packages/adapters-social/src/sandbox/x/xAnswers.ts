import type { SandboxAnswer } from "../Operation.ts"

/** Anything of X's that says no. */
export const problem = (
  status: number,
  title: string,
  detail: string,
  type = "about:blank",
  more: Readonly<Record<string, unknown>> = {}
): SandboxAnswer => ({ status, body: { ...more, title, detail, type, status } })

export const unauthorized = problem(401, "Unauthorized", "Unauthorized")

export const forbidden = (detail: string): SandboxAnswer => problem(403, "Forbidden", detail)

/** A parameter that is wrong. */
export const invalidRequest = (parameter: string, value: string, message: string): SandboxAnswer =>
  problem(
    400,
    "Invalid Request",
    "One or more parameters to your request was invalid.",
    "https://api.x.com/2/problems/invalid-request",
    {
      errors: [{ parameters: { [parameter]: [value] }, message }]
    }
  )

/** What X says of something that is not there, beside the data of the rest or instead of any. */
export const notFound = (resource_type: "user" | "tweet", resource_id: string, parameter = "id") => ({
  value: resource_id,
  detail: `Could not find ${resource_type} with ${parameter}: [${resource_id}].`,
  title: "Not Found Error",
  type: "https://api.x.com/2/problems/resource-not-found",
  resource_type,
  resource_id,
  parameter
})

import { loadTool } from "../installTools.ts"

const tools = {
  folder: new URL("tools/", import.meta.url),
  name: "loopbox-openapi",
  what: "the linters and the generator of types"
}

/** Loads a linter of the OpenAPI document, or the generator of types: with what they bring they weigh 120 MB. */
export const loadOpenApiTool = (tool: string) => loadTool(tools, tool)

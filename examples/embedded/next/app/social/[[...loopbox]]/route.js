// Loopbox under /social of a Next app.
import { loopbox } from "../../../loopbox.js"

export const runtime = "nodejs"
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = loopbox.next()

// Loopbox under /social of a Next app.
import { loopbox } from "../../../loopbox.js"

export const runtime = "nodejs"
/** The same for all methods. */
export const GET = async (request, context) => (await loopbox()).next().GET(request, context)
export { GET as HEAD, GET as POST, GET as PUT, GET as PATCH, GET as DELETE, GET as OPTIONS }

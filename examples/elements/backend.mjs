// The part of a backend that the examples need: it tells a page's element who is looking, by a dashboard token. It serves the
// page, too. Settings: LOOPBOX_URL, LOOPBOX_ADMIN_TOKEN, LOOPBOX_WORKSPACE, and PORT.
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"

const { LOOPBOX_ADMIN_TOKEN, LOOPBOX_URL = "http://127.0.0.1:8080", LOOPBOX_WORKSPACE, PORT = "4011" } = process.env
const page = fileURLToPath(new URL(process.argv[2] ?? "html", import.meta.url))
const elements = fileURLToPath(new URL("../../packages/elements/dist/browser", import.meta.url))
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" }
const policy = [
  "default-src 'self'",
  "img-src 'self' https: data:",
  "media-src 'self' https: blob:",
  `connect-src 'self' ${LOOPBOX_URL} ${LOOPBOX_URL.replace(/^http/, "ws")}`
].join("; ")

/** A token of ten minutes for whoever is signed in at your backend: look that up in your own session. */
const makeToken = async (user) => {
  const answer = await fetch(`${LOOPBOX_URL}/v1/admin/workspaces/${LOOPBOX_WORKSPACE}/dashboard-tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${LOOPBOX_ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ user_id: user, ttl_seconds: 600 })
  })
  if (!answer.ok) throw new Error(`no token: ${await answer.text()}`)
  return (await answer.json()).data.token
}

const serve = async (path, response) => {
  const [folder, name] = path.startsWith("/elements/") ? [elements, path.slice("/elements".length)] : [page, path]
  const file = join(folder, normalize(name === "/" ? "/index.html" : name))
  const body = await readFile(file)
  response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream")
  response.setHeader("content-security-policy", policy)
  response.end(body)
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost")
  const work =
    pathname === "/my/loopbox-token" ? makeToken("ada").then((token) => response.end(token)) : serve(pathname, response)
  work.catch((error) => {
    response.statusCode = error.code === "ENOENT" ? 404 : 502
    response.end(error.code === "ENOENT" ? "not found" : error.message)
  })
})
server.listen(Number(PORT), "127.0.0.1", () => console.log(`open http://127.0.0.1:${server.address().port}`))

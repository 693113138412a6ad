/** The least that answers out of a database: `node:http` and `pg`. */
import { createServer } from "node:http"
import { Pool } from "pg"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
await pool.query("SELECT 1")
createServer((_request, response) => response.end("ok")).listen(Number(process.env["LOOPBOX_PORT"]), "127.0.0.1")

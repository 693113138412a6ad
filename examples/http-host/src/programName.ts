import { fileURLToPath } from "node:url"

/** A word of a shell's command line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command line by the Node that runs this: the one in the reader's PATH may be too old, or absent. */
export const program = `${quoted(process.execPath)} ${quoted(fileURLToPath(new URL("../bin/loopbox.js", import.meta.url)))}`

// `npm run build:elements`: the elements and the console for browsers, from source, into packages/elements/dist/browser. It
// does nothing where what it made is newer than what it is made of. Plain JavaScript, since `npm start` runs it in a fresh
// clone, where nothing is built.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const elements = join(root, "packages/elements")
const made = join(elements, "dist/browser")
/** The last file that a whole build writes. */
const last = join(made, "console/index.html")

const newest = (path) =>
  statSync(path).isDirectory()
    ? Math.max(...readdirSync(path).map((name) => newest(join(path, name))), 0)
    : statSync(path).mtimeMs

const sources = ["packages/elements/src", "packages/elements/package.json", "packages/client/src", "package-lock.json"]

/** What is for readers of the source; not behind a brace that closes, which may be that of a value. */
const shortStyle = (text) =>
  text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{;]) ?/g, "$1")
    .replaceAll(/;? ?}/g, "}")
    .replaceAll(/([:,(]) /g, "$1")
    .replaceAll(/ \)/g, ")")
    .replaceAll(/\b0\.(?=\d)/g, ".")
    .replaceAll(/#(\w)\1(\w)\2(\w)\3\b/g, "#$1$2$3")

/** Styles only. (Markup may have code in it, where a new line has a meaning.) */
const shortTemplates = {
  name: "loopbox-short-templates",
  transform: (code, id) =>
    id.startsWith(join(elements, "src")) ? { code: code.replaceAll(/\bcss`[^`]*`/g, shortStyle), map: null } : undefined
}

/** Loaded where something has to be built: it takes a third of a second, and every start of a host asks. */
const vite = () => import("vite")

const settings = async (folder) => ({
  configFile: false,
  logLevel: "warn",
  resolve: { conditions: ["@loopbox/source", ...(await vite()).defaultClientConditions] },
  plugins: [shortTemplates],
  build: {
    outDir: join(folder),
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    // All styles are strings of Lit; vite's own compiler of CSS is not installed.
    cssMinify: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  }
})

/** One file an element, with all that it needs. */
const buildElement = async (name, entry, folder) => {
  const { build: options, ...rest } = await settings(folder)
  const { build } = await vite()
  return build({
    ...rest,
    root: elements,
    publicDir: false,
    build: {
      ...options,
      lib: { entry: join(elements, "src", entry), formats: ["es"], fileName: () => `${name}.js` },
      rolldownOptions: { output: { codeSplitting: false } }
    }
  })
}

const buildConsole = async (folder) => {
  const { build: options, ...rest } = await settings(join(folder, "console"))
  const { build } = await vite()
  return build({
    ...rest,
    root: join(elements, "src/console/document"),
    publicDir: false,
    base: "/console/",
    build: options
  })
}

/**
 * Into a folder of its own and then into place, so that no host reads half of it; `into` instead of the package, for tests.
 * For a process that does nothing else: it changes the process' folder and NODE_ENV.
 */
export const buildElements = async (into = made) => {
  // Modules are named in comments by their paths from here, and elsewhere by those of the machine.
  process.chdir(root)
  // Otherwise Lit's build for developers is taken, which tells the console of a browser what to do better.
  process.env.NODE_ENV = "production"
  const folder = `${into}.${process.pid}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    await Promise.all([
      buildElement("loopbox-inbox", "inbox.ts", folder),
      buildElement("loopbox-unread", "unread.ts", folder),
      buildElement("loopbox-accounts", "accounts.ts", folder),
      buildConsole(folder)
    ])
    rmSync(into, { recursive: true, force: true })
    mkdirSync(dirname(into), { recursive: true })
    renameSync(folder, into)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isFresh = () =>
  existsSync(last) && statSync(last).mtimeMs >= Math.max(...sources.map((path) => newest(join(root, path))))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (isFresh()) process.stdout.write("packages/elements/dist/browser is up to date\n")
  else {
    await buildElements()
    process.stdout.write("built packages/elements/dist/browser\n")
  }
}

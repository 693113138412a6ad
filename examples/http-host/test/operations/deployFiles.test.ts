import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { parseAllDocuments } from "yaml"

const root = join(import.meta.dirname, "../../../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

/** The settings of the host, as its README tells them; a test holds that table against the code. */
const known = new Set(
  Array.from(read("examples/http-host/README.md").matchAll(/^\| `([A-Z0-9_]+)` \|/gm), ([, name]) => name)
)
const written = (text: string) =>
  Array.from(text.matchAll(/\b(?:LOOPBOX_[A-Z0-9_]+|DATABASE_URL|OTEL_[A-Z0-9_]+)\b/g), ([name]) => name)

const files = ["deploy/Dockerfile", "deploy/compose.yaml", "deploy/compose.s3.yaml", "deploy/loopbox.service"].concat(
  readdirSync(join(root, "deploy/kubernetes")).map((name) => `deploy/kubernetes/${name}`)
)

/** What is wrong with a container file; one sentence each. */
const judgeContainerFile = (text: string): ReadonlyArray<string> => {
  const steps = text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  const faults: Array<string> = []
  const stages = new Set(Array.from(text.matchAll(/^FROM \S+ AS (\S+)/gm), ([, name]) => name))
  const last = (word: string) => steps.findLast((line) => line.startsWith(`${word} `)) ?? ""
  for (const step of steps) {
    if (step.startsWith("ADD ")) faults.push("ADD instead of COPY")
    const [, from = ""] = /^FROM (\S+)/.exec(step) ?? []
    if (step.startsWith("FROM ") && !stages.has(from) && !/:(?!latest$)/.test(from)) faults.push(`no version: ${step}`)
    if (/\b(?:curl|wget)\b|\bsudo\b|\|\s*(?:ba)?sh\b/.test(step)) faults.push(`a trick of the shell: ${step}`)
    if (/^(?:ENV|ARG) .*(?:SECRET|TOKEN|PASSWORD|DATABASE_URL)/.test(step)) faults.push(`a secret: ${step}`)
    if (/apt-get install/.test(step) && !/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/.test(step)) {
      faults.push("apt-get leaves what nobody needs")
    }
    if (/^(?:CMD|ENTRYPOINT) [^[]/.test(step)) faults.push(`not a list: ${step}`)
  }
  if (!/^USER [1-9]\d*/.test(last("USER"))) faults.push("no USER by a number other than 0")
  if (!/ CMD \[/.test(last("HEALTHCHECK"))) faults.push("no HEALTHCHECK")
  return faults
}

/** Every map in a document. */
const mapsIn = (value: unknown): ReadonlyArray<object> => {
  if (typeof value !== "object" || value === null) return []
  return [value, ...Object.values(value).flatMap(mapsIn)]
}
/** What stands under a name, wherever that is. */
const under = (documents: unknown, name: string): ReadonlyArray<unknown> =>
  mapsIn(documents).flatMap((map) => Object.entries(map).flatMap(([key, value]) => (key === name ? [value] : [])))

/** What is wrong with the manifests of a role. */
const judgeManifests = (text: string): ReadonlyArray<string> => {
  const parsed = parseAllDocuments(text)
  const faults: Array<string> = []
  const all: ReadonlyArray<unknown> = Array.from(parsed, (one) => {
    if ("errors" in one) faults.push(...one.errors.map(({ message }) => message))
    const value: unknown = "toJS" in one ? one.toJS() : undefined
    return value
  })
  const has = (name: string, wanted: unknown) =>
    under(all, name).some((value) => JSON.stringify(value) === JSON.stringify(wanted))
  for (const [name, wanted] of [
    ["runAsNonRoot", true],
    ["readOnlyRootFilesystem", true],
    ["allowPrivilegeEscalation", false],
    ["drop", ["ALL"]],
    ["automountServiceAccountToken", false],
    // What Kubernetes tells of a Service `loopbox` has the names of settings: LOOPBOX_PORT.
    ["enableServiceLinks", false]
  ] as const) {
    if (!has(name, wanted)) faults.push(`${name} is not ${JSON.stringify(wanted)}`)
  }
  for (const name of ["startupProbe", "livenessProbe", "readinessProbe", "limits", "requests"]) {
    if (under(all, name).length === 0) faults.push(`no ${name}`)
  }
  const ports = new Set(under(all, "ports").flatMap((value) => under(value, "name")))
  for (const probe of under(all, "httpGet")) {
    for (const path of under(probe, "path"))
      if (path !== "/livez" && path !== "/readyz") faults.push(`no such path: ${path}`)
    for (const port of under(probe, "port")) if (!ports.has(port)) faults.push(`no such port: ${port}`)
  }
  for (const port of under(all, "targetPort")) if (!ports.has(port)) faults.push(`no such port: ${port}`)
  return faults
}

describe("what is deployed", () => {
  it("names settings that the host has", () => {
    assert.isAbove(known.size, 40)
    for (const file of files)
      assert.deepStrictEqual(
        written(read(file)).filter((name) => !known.has(name)),
        [],
        file
      )
  })

  it("runs as nobody in particular, without tricks, and is asked how it is", () => {
    assert.deepStrictEqual(judgeContainerFile(read("deploy/Dockerfile")), [])
    for (const role of ["api", "worker"]) {
      assert.deepStrictEqual(judgeManifests(read(`deploy/kubernetes/${role}.yaml`)), [], role)
    }
  })
})

/** The names in pages that are no settings of a host: an app of somebody else reads them. */
const othersNames = new Set(["LOOPBOX_WORKSPACE"])
/** `LOOPBOX_CONNECT_SCOPES_…` means those that begin so. */
const isSetting = (name: string) =>
  known.has(name) || (name.endsWith("_") && Array.from(known).some((one) => one?.startsWith(name) === true))

describe("what operators read", () => {
  it("names settings that the host has", () => {
    const pages = ["docs/operations", "docs/guides"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .map((name) => join(folder, name))
    )
    assert.isAbove(pages.length, 10)
    for (const page of ["README.md", ...pages])
      assert.deepStrictEqual(
        written(read(page)).filter(
          (name) => !isSetting(name) && !othersNames.has(name) && !name.startsWith("LOOPBOX_TEST_")
        ),
        [],
        page
      )
  })
})

describe("a volume of the compose files", () => {
  it("is mounted where the image has a folder of the host's account, whose owner it takes", () => {
    const [, list = ""] =
      /install --directory --owner=loopbox --group=loopbox --mode=0700 (.+)$/m.exec(read("deploy/Dockerfile")) ?? []
    const made = list.split(" ")
    const mounted = files
      .filter((file) => file.includes("compose"))
      .flatMap((file) =>
        Array.from(read(file).matchAll(/["\s]\w+:(\/var\/lib\/loopbox[^":\s]*)/g), ([, path]) => path ?? "")
      )
    assert.isNotEmpty(mounted)
    assert.deepStrictEqual(
      mounted.filter((path) => !made.includes(path)),
      []
    )
  })
})

describe("what starts a host", () => {
  it("gives Node the flags that the host wants, so that it does not begin again", () => {
    const [, list = ""] = /^const flags = \[(.+)\]$/m.exec(read("examples/http-host/bin/loopbox.js")) ?? []
    const flags = list.split(", ").map((flag) => flag.replaceAll('"', ""))
    assert.isAbove(flags.length, 1)
    for (const file of ["deploy/Dockerfile", "deploy/loopbox.service", "package.json"]) {
      const command = /^.*examples\/http-host\/bin\/loopbox\.js.*$/m.exec(read(file))?.[0] ?? ""
      assert.include(command.replaceAll(/[",]/g, ""), `${flags.join(" ")} `, file)
      assert.include(read(file), "MALLOC_ARENA_MAX=2", file)
    }
  })
})

describe("faults that are put into the files on purpose", () => {
  const file = read("deploy/Dockerfile")
  const manifest = read("deploy/kubernetes/api.yaml")

  it("are found in a container file", () => {
    for (const [good, bad] of [
      ["USER 10001:10001", "USER root"],
      ["COPY . .", "ADD . ."],
      ["debian:bookworm-slim", "debian"],
      [" --no-install-recommends", ""],
      ["HEALTHCHECK", "# HEALTHCHECK"],
      ['CMD ["serve"]', "CMD serve"],
      ["ENV NODE_ENV=production", "ENV LOOPBOX_ADMIN_TOKEN=x"]
    ] as const) {
      assert.include(file, good)
      assert.isNotEmpty(judgeContainerFile(file.replaceAll(good, bad)), bad)
    }
  })

  it("are found in a manifest", () => {
    for (const [good, bad] of [
      ["readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"],
      ["runAsNonRoot: true", "runAsNonRoot: false"],
      ["enableServiceLinks: false", "enableServiceLinks: true"],
      ["/readyz", "/ready"],
      ["port: ops", "port: metrics"],
      ["targetPort: http", "targetPort: web"],
      ["livenessProbe", "liveness"],
      ["limits", "limit"]
    ] as const) {
      assert.include(manifest, good)
      assert.isNotEmpty(judgeManifests(manifest.replaceAll(good, bad)), bad)
    }
  })
})

import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { commandsIn, unknownCommands } from "./commandNames.ts"

const root = join(import.meta.dirname, "../../../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

const Rules = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          labels: Schema.Struct({ severity: Schema.Literals(["page", "ticket"]) }),
          annotations: Schema.Struct({ summary: Schema.String, runbook: Schema.String })
        })
      )
    })
  )
})
const RuleTests = Schema.Struct({
  tests: Schema.Array(
    Schema.Struct({
      alert_rule_test: Schema.Array(
        Schema.Struct({ alertname: Schema.String, exp_alerts: Schema.Array(Schema.Unknown) })
      )
    })
  )
})
const Dashboard = Schema.fromJsonString(
  Schema.Struct({
    panels: Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        title: Schema.String,
        targets: Schema.Array(Schema.Struct({ expr: Schema.String }))
      })
    )
  })
)

const alarms = Schema.decodeUnknownSync(Rules)(parse(read("deploy/prometheus/alerts.yaml"))).groups.flatMap(
  ({ rules }) => rules
)
const { panels } = Schema.decodeUnknownSync(Dashboard)(read("deploy/grafana/loopbox.json"))
const runbook = "docs/operations/runbook"
const pages = readdirSync(join(root, runbook)).filter((name) => name.endsWith(".md") && name !== "README.md")

/** The labels of each metric that the host has, as the page of metrics tells them; a test holds that page against the code. */
const metrics = new Map(
  Array.from(
    read("docs/operations/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \|/gm),
    ([, name, kind, labels]) => [name ?? "", { kind, labels: (labels ?? "").split(",").map((label) => label.trim()) }]
  )
)
/** What Prometheus adds by itself. */
const added = ["instance", "job", "le"]

/** What is wrong with the names in an expression: metrics that nobody has, labels that they do not carry. */
const wrongNames = (expr: string): ReadonlyArray<string> => {
  const named = Array.from(expr.matchAll(/\b(?:loopbox|http|websockets)_\w+/g), ([name]) => {
    const [, base = name] = /^(\w+)_(?:bucket|sum|count)$/.exec(name) ?? []
    return metrics.get(base)?.kind === "histogram" ? { name, base } : { name, base: name }
  })
  const known = new Set([...added, ...named.flatMap(({ base }) => metrics.get(base)?.labels ?? [])])
  const labels = [
    ...Array.from(expr.matchAll(/by \(([^)]*)\)/g), ([, list = ""]) => list.split(",")).flat(),
    ...Array.from(expr.matchAll(/\{([^}]*)\}/g), ([, list = ""]) =>
      list.split(",").map((part) => part.split(/[=!]/)[0] ?? "")
    ).flat()
  ].map((label) => label.trim())
  return [
    ...named.filter(({ base }) => !metrics.has(base)).map(({ name }) => name),
    ...labels.filter((label) => !known.has(label))
  ]
}

describe("names in an expression", () => {
  it("are found to be wrong", () => {
    assert.deepStrictEqual(wrongNames('sum by (le, loop) (rate(loopbox_loop_faults_total{kind="defect"}[5m]))'), [])
    assert.deepStrictEqual(wrongNames("max(loopbox_queue_of_nothing)"), ["loopbox_queue_of_nothing"])
    assert.deepStrictEqual(wrongNames('loopbox_replies_total{network="x"}'), ["network"])
    assert.deepStrictEqual(wrongNames("sum by (queue) (loopbox_replies_total)"), ["queue"])
    assert.deepStrictEqual(wrongNames("loopbox_replies_total_bucket"), ["loopbox_replies_total_bucket"])
  })
})

describe("commands in a text", () => {
  it("are found, and those that the program does not have", () => {
    const commands = commandsIn("loopbox doctor --repair\nnpx loopbox inbox lst\nloopbox secrets reseal")
    assert.deepStrictEqual(unknownCommands(commands), ["inbox lst"])
    assert.lengthOf(commands, 3)
  })
})

describe("deploy/prometheus/alerts.yaml", () => {
  it("asks for metrics and labels that the host has", () => {
    assert.isAbove(alarms.length, 15)
    for (const { alert, expr } of alarms) assert.deepStrictEqual(wrongNames(expr), [], alert)
  })

  it("has a series in alerts.test.yaml by which each alarm fires", () => {
    const { tests } = Schema.decodeUnknownSync(RuleTests)(parse(read("deploy/prometheus/alerts.test.yaml")))
    const fired = tests
      .flatMap((one) => one.alert_rule_test)
      .filter((one) => one.exp_alerts.length > 0)
      .map(({ alertname }) => alertname)
    assert.deepStrictEqual([...new Set(fired)].toSorted(), alarms.map(({ alert }) => alert).toSorted())
  })
})

describe("deploy/grafana/loopbox.json", () => {
  it("shows metrics and labels that the host has", () => {
    assert.isAbove(panels.length, 10)
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { targets, title } of panels)
      for (const { expr } of targets) assert.deepStrictEqual(wrongNames(expr), [], title)
  })
})

describe("docs/operations/runbook", () => {
  it("has a page for each alarm, and no other", () => {
    assert.deepStrictEqual(pages.toSorted(), alarms.map(({ alert }) => `${alert}.md`).toSorted())
    const index = read(`${runbook}/README.md`)
    for (const { alert, annotations, labels } of alarms) {
      assert.strictEqual(annotations.runbook, `${runbook}/${alert}.md`)
      assert.include(index, `| [${alert}](${alert}.md) | ${labels.severity} | ${annotations.summary} |`)
    }
  })

  it("says on each page what the alarm means, what to look at and how it ends, by commands that exist", () => {
    for (const page of pages) {
      const text = read(`${runbook}/${page}`)
      for (const heading of ["## What it means", "## What to look at", "## How it ends"]) assert.include(text, heading)
      const blocks = Array.from(text.matchAll(/^```sh\n([^]*?)^```/gm), ([, code = ""]) => code)
      const commands = commandsIn([...blocks, ...inlineCode(text)].join("\n"))
      assert.isNotEmpty(commands, page)
      assert.deepStrictEqual(unknownCommands(commands), [], page)
    }
  })

  it("names metrics that the host has", () => {
    for (const page of pages)
      for (const code of inlineCode(read(`${runbook}/${page}`))) assert.deepStrictEqual(wrongNames(code), [], page)
  })
})

/** What a page writes as code within its sentences. */
function inlineCode(text: string): ReadonlyArray<string> {
  return Array.from(text.replaceAll(/```[^]*?```/g, "").matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code)
}

import { assert } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv, promisify } from "node:util"
import { afterAll, describe, it } from "vitest"
import { bin, cleanEnvironment, runCliProcess, startHost, temporaryFolder } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const places = temporaryFolder()
afterAll(places.remove)
const { folder } = places
const cli = (args: string, variables = {}) => runCli(args.split(" "), folder, variables)

describe("loopbox", () => {
  it("says its version and its commands without touching the data folder", async () => {
    const version = await runCliProcess(["--version"], folder)
    assert.strictEqual(version.code, 0)
    assert.match(version.output, /\d+\.\d+\.\d+/)
    const help = await cli("--help")
    const commands = ["serve", "migrate", "config", "doctor", "db", "workspace", "member", "key"]
    for (const command of [
      ...commands,
      "managed-user",
      "account",
      "token",
      "webhooks",
      "secrets",
      "sandbox",
      "convert",
      "inbox"
    ]) {
      assert.include(help.output, command)
    }
    assert.isFalse(existsSync(join(folder, ".loopbox")))
  })

  it("has the core jobs: converting a GIF, and the inbox", async () => {
    const help = await cli("--help")
    assert.match(help.output, /^ +convert +Convert a GIF to an MP4/m)
    assert.match(help.output, /^ +inbox +List what people wrote/m)
  })

  it("completes its commands in each shell, whole through a pipe", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, output } = await runCliProcess(["--completions", shell], folder)
      assert.strictEqual(code, 0)
      assert.match(output.trimEnd(), /###-end-loopbox-completions-###$/, shell)
      for (const word of ["inbox", "resolve", "external-user-id", "human_agent"]) assert.include(output, word, shell)
    }
  })

  it("completes names of files in bash, where a command takes one", async () => {
    writeFileSync(join(folder, "completed.gif"), "")
    const script = [
      'source <("$1" "$2" --completions bash)',
      'for words in "loopbox convert compl" "loopbox inbox list --api-key-file compl"; do',
      "  COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$words; COMP_POINT=${#words}; COMPREPLY=()",
      '  _loopbox loopbox "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; echo "${COMPREPLY[@]}"',
      "done"
    ].join("\n")
    const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", process.execPath, bin], { cwd: folder })
    assert.strictEqual(stdout, "completed.gif\ncompleted.gif\n")
  })

  it("hands its whole answer to a pipe, and waits for no reader that has left", async () => {
    const run = (reader: string) =>
      promisify(execFile)("bash", ["-c", `"$1" "$2" --completions fish | ${reader}`, "bash", process.execPath, bin])
    assert.include((await run("tail -n 1")).stdout, "###-end-loopbox-completions-###")
    const { stderr, stdout } = await run("head -n 1")
    assert.deepStrictEqual([stdout, stderr], ["###-begin-loopbox-completions-###\n", ""])
  })

  it("has other names for what posts", async () => {
    const { code, output } = await cli("posts create --help")
    assert.strictEqual(code, 0)
    assert.include(output, "Publish a post on accounts")
    assert.include((await cli("posts list --help")).output, "List the posts")
  })

  it("says what to do where Node is too old for it", async () => {
    const versions = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.19.0'}})"
    const run = promisify(execFile)(process.execPath, ["--import", versions, bin, "--version"])
    const { code, stderr } = await run.then(
      () => assert.fail("it must refuse"),
      (error: { readonly code: number; readonly stderr: string }) => error
    )
    assert.strictEqual(code, 1)
    assert.match(stderr, /needs Node 22\.19 or newer; this is 20\.19\.0\./)
    assert.include(stderr, "npx loopbox --version")
  })

  it("ends with 2 when it cannot understand the command line", async () => {
    for (const args of [
      "frobnicate",
      "serve --port abc",
      "serve --port 70000",
      "serve --role boss",
      "key create",
      "sandbox edit",
      "sandbox comment hello --times 11",
      "sandbox comment hello --delay -1",
      "sandbox comment hello --from ",
      "sandbox fault set hang --network x --percent 0",
      "account connect ws_1 --network instagram --network-account-id 1 --name Shop",
      "convert",
      "convert a.gif --background red",
      "inbox reply itm_1",
      "inbox list --limit 501",
      "inbox list --is-read maybe",
      "inbox watch --after -1",
      "account connect ws_1 --network instagram --network-account-id 1 --access-token t",
      "account connect ws_1 --network instagram --return-url https://a.example",
      "account connect --network instagram --name Shop",
      "account connect --network telex",
      "account list ws_1 --network x",
      "account check",
      "account move ws_1 acc_1",
      "account move ws_1 acc_1 --to ann --to-nobody"
    ]) {
      assert.strictEqual((await cli(args)).code, 2, args)
    }
    const { code, output } = await runCliProcess(["sandbox", "comment", "hello", "--times", "11"], folder)
    assert.strictEqual(code, 2)
    assert.include(output, "Expected: an integer from 0 to 10")
  })

  it("names every wrong setting and what is allowed, but no secret", async () => {
    const { code, output } = await cli("serve", {
      LOOPBOX_PORT: "eighty",
      LOOPBOX_LEASE: "1 day",
      LOOPBOX_ADMIN_TOKEN: "too-short-a-token",
      LOOPBOX_SECRET_KEYS: "a:b",
      LOOPBOX_RATE_LIMIT: "many",
      LOOPBOX_META_API_VERSION: "25",
      LOOPBOX_X_VOCABULARY: "bird",
      LOOPBOX_X_APP_SECRETS: "a-long-secret,short"
    })
    assert.strictEqual(code, 1)
    assert.match(output, /LOOPBOX_PORT must be an integer from 0 to 65535.*It is "eighty"/)
    assert.include(output, "LOOPBOX_LEASE must be a duration from 3 seconds to 10 minutes")
    assert.include(output, "LOOPBOX_ADMIN_TOKEN must be")
    assert.include(output, "LOOPBOX_SECRET_KEYS must be")
    assert.include(output, "LOOPBOX_RATE_LIMIT must be")
    assert.include(output, "LOOPBOX_META_API_VERSION must be a version like v25.0")
    assert.include(output, 'LOOPBOX_X_VOCABULARY must be auto, tweet or post. It is "bird".')
    assert.include(output, "LOOPBOX_X_APP_SECRETS must be")
    assert.notInclude(output, "a-long-secret")
    assert.notInclude(output, "too-short-a-token")
  })

  it("wants secret keys with a database server, and no test clock in production", async () => {
    const server = await cli("serve", { DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" })
    assert.strictEqual(server.code, 1)
    assert.include(server.output, "LOOPBOX_SECRET_KEYS must be set when DATABASE_URL is")
    const clock = await cli("serve", { LOOPBOX_TEST_CLOCK: "on", NODE_ENV: "production" })
    assert.strictEqual(clock.code, 1)
    assert.include(clock.output, "LOOPBOX_TEST_CLOCK must be off when NODE_ENV is production")
    const dashboard = await cli("serve", { LOOPBOX_DASHBOARD_ISSUER: "https://id.example" })
    assert.strictEqual(dashboard.code, 1)
    assert.match(dashboard.output, /LOOPBOX_DASHBOARD_JWKS_URL, .*must be set together/)
    const half = await cli("serve", { LOOPBOX_X_CLIENT_SECRET: "a-secret-of-x" })
    assert.strictEqual(half.code, 1)
    assert.include(half.output, "LOOPBOX_X_CLIENT_ID must be set when LOOPBOX_X_CLIENT_SECRET is.")
    assert.notInclude(half.output, "a-secret-of-x")
  })

  it("refuses ids, secrets and addresses of our apps that were copied with quotes, or from nothing", async () => {
    const { code, output } = await cli("serve", {
      LOOPBOX_META_APP_ID: '"1234567890"',
      LOOPBOX_INSTAGRAM_APP_ID: "undefined",
      LOOPBOX_THREADS_APP_ID: "12345 67890",
      LOOPBOX_INSTAGRAM_APP_SECRETS: "'a-secret-in-quotes'",
      LOOPBOX_INSTAGRAM_LOGIN: "page",
      LOOPBOX_X_CLIENT_ID: "null",
      LOOPBOX_X_BEARER_TOKEN: '"a-bearer-in-quotes"',
      LOOPBOX_X_AUTHORIZE_URL: "http://x.example/authorize",
      LOOPBOX_FACEBOOK_AUTHORIZE_URL: "www.facebook.com/dialog/oauth",
      LOOPBOX_CONNECT_SCOPES_THREADS: "threads_basic, <all>"
    })
    assert.strictEqual(code, 1)
    assert.include(
      output,
      'LOOPBOX_META_APP_ID must be the digits of an app id, without quotes. It is "\\"1234567890\\"".'
    )
    assert.include(
      output,
      'LOOPBOX_INSTAGRAM_APP_ID must be the digits of an app id, without quotes. It is "undefined".'
    )
    assert.include(output, "LOOPBOX_THREADS_APP_ID must be the digits of an app id")
    assert.include(output, "LOOPBOX_INSTAGRAM_APP_SECRETS must be")
    assert.include(output, 'LOOPBOX_INSTAGRAM_LOGIN must be instagram or facebook. It is "page".')
    assert.include(output, "LOOPBOX_X_CLIENT_ID must be")
    assert.include(output, "LOOPBOX_X_BEARER_TOKEN must be")
    assert.include(output, "LOOPBOX_X_AUTHORIZE_URL must be an https URL without a query")
    assert.include(output, "LOOPBOX_FACEBOOK_AUTHORIZE_URL must be an https URL")
    assert.include(output, "LOOPBOX_CONNECT_SCOPES_THREADS must be up to 50 permissions")
    assert.notInclude(output, "a-secret-in-quotes")
    assert.notInclude(output, "a-bearer-in-quotes")
  })

  it("says in a sentence that a database server cannot be reached", async () => {
    const unreachable = { DATABASE_URL: "postgres://user:hidden-word@127.0.0.1:1/x" }
    const { code, output } = await runCliProcess(["migrate"], folder, unreachable)
    assert.strictEqual(code, 1)
    assert.match(output, /^loopbox: The database cannot be used: .*ECONNREFUSED/m)
    assert.notInclude(output, "hidden-word")
  })

  it("reads .env, prefers the environment, and takes an empty variable for none", async () => {
    writeFileSync(
      join(folder, ".env"),
      "LOOPBOX_PORT=1234\nLOOPBOX_HOST=10.0.0.1\nLOOPBOX_SURPRISE=1\nLOOPBOX_DRAIN=\n"
    )
    const { code, output } = await cli("config --json", {
      LOOPBOX_PORT: "4321",
      LOOPBOX_HOST: "",
      LOOPBOX_ADMIN_TOKEN: "a-token-that-nobody-may-see-in-print"
    })
    assert.strictEqual(code, 0, output)
    assert.notInclude(output, "a-token-that-nobody")
    const rows: ReadonlyArray<{ name: string; value: string; source: string }> = JSON.parse(output)
    const row = (name: string) => rows.find((one) => one.name === name)
    assert.deepInclude(row("LOOPBOX_PORT"), { value: "4321", source: "environment" })
    assert.deepInclude(row("LOOPBOX_HOST"), { value: "10.0.0.1", source: ".env" })
    assert.deepInclude(row("LOOPBOX_DRAIN"), { value: "30 seconds", source: "default" })
    assert.deepInclude(row("LOOPBOX_ADMIN_TOKEN"), { value: "<redacted>", source: "environment" })
    assert.include((await cli("config")).output, "LOOPBOX_SURPRISE is no setting")
  })

  it("prints a template of a .env with every setting, whose defaults are what a host takes", async () => {
    const { code, output } = await cli("config --env")
    assert.strictEqual(code, 0, output)
    const rows: ReadonlyArray<{ name: string }> = JSON.parse((await cli("config --json")).output)
    const lines = output.split("\n").filter((line) => /^#[A-Z0-9_]+=/.test(line))
    assert.deepStrictEqual(
      lines.map((line) => line.slice(1, line.indexOf("="))),
      rows.map(({ name }) => name)
    )
    assert.include(lines, "#LOOPBOX_PORT=8080")
    assert.include(lines, '#LOOPBOX_DRAIN="30 seconds"')
    assert.include(lines, "#LOOPBOX_SECRET_KEYS=")
    // As it is, it sets nothing.
    assert.deepStrictEqual(parseEnv(output), {})

    const other = await preparedFolder()
    const file = join(other.folder, "defaults.env")
    writeFileSync(file, output.replaceAll(/^#(?=[A-Z0-9_]+=\S)/gm, ""))
    const show = [`--env-file=${file}`, "-e", "console.log(JSON.stringify(process.env))"]
    const read = spawnSync(process.execPath, show, { env: cleanEnvironment() })
    const given: Readonly<Record<string, string>> = JSON.parse(String(read.stdout))
    assert.deepInclude(given, { LOOPBOX_DRAIN: "30 seconds", LOOPBOX_RATE_LIMIT: "100/200" })
    // But for those by which the networks themselves would be asked.
    const names = rows.map(({ name }) => name).filter((name) => !name.endsWith("_BASE_URL"))
    const host = await startHost(other.folder, Object.fromEntries(names.map((name) => [name, given[name]])))
    const shown = await runCli(["config"], other.folder)
    assert.include(shown.output, `A host with other values serves`)
    assert.include(shown.output, `LOOPBOX_PORT: 0 (flag), which is ${host.url}`)
    assert.include(shown.output, "loopbox config --env")
    await host.stop()
    assert.notInclude((await runCli(["config"], other.folder)).output, "A host with other values")
    other.remove()
  })

  it("is documented setting by setting in the README", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    interface Row {
      readonly name: string
      readonly default: string
      readonly allowed: string
      readonly description: string
    }
    const rows: ReadonlyArray<Row> = JSON.parse((await cli("config --json")).output)
    const lines = rows.map((row) => `| \`${row.name}\` | ${row.default} | ${row.allowed} | ${row.description} |`)
    const documented = readme.split("\n").filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line))
    assert.deepStrictEqual(documented, lines)
  })
})

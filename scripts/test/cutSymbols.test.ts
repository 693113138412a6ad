import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"

const script = new URL("../cutSymbols.mjs", import.meta.url).href

/** As the script of the installation calls it, which has no types. */
const cutSymbols = (file: string): void => {
  const call = `import { cutSymbols } from ${JSON.stringify(script)}; cutSymbols(process.argv[1])`
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", call, file], {
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
}

const folder = mkdtempSync(join(tmpdir(), "loopbox-symbols-"))
afterAll(() => rmSync(folder, { recursive: true }))

const address = 0x400000
const headers = 64 + 56
const symbols = Buffer.from("names for debuggers")

/** A program of Linux on x64 that does nothing but end with `code`, with something behind what is loaded. */
const program = (code: number): Buffer => {
  // mov edi, code; mov eax, 60; syscall
  const text = Buffer.from([0xbf, code, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05])
  const loaded = BigInt(headers + text.length)
  const elf = Buffer.alloc(headers)
  elf.write("\x7fELF\x02\x01\x01", "latin1")
  elf.writeUInt16LE(2, 16)
  elf.writeUInt16LE(62, 18)
  elf.writeUInt32LE(1, 20)
  elf.writeBigUInt64LE(BigInt(address + headers), 24)
  elf.writeBigUInt64LE(64n, 32)
  elf.writeBigUInt64LE(loaded, 40)
  for (const [at, value] of [
    [52, 64],
    [54, 56],
    [56, 1],
    [58, 64],
    [60, 3],
    [62, 2]
  ] as const) {
    elf.writeUInt16LE(value, at)
  }
  elf.writeUInt32LE(1, 64)
  elf.writeUInt32LE(5, 68)
  for (const [at, value] of [
    [80, BigInt(address)],
    [88, BigInt(address)],
    [96, loaded],
    [104, loaded],
    [112, 4096n]
  ] as const) {
    elf.writeBigUInt64LE(value, at)
  }
  return Buffer.concat([elf, text, symbols])
}

const written = (name: string, content: Uint8Array): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  chmodSync(file, 0o755)
  return file
}

describe("cutting names for debuggers off a program", () => {
  it.runIf(process.platform === "linux" && process.arch === "x64")("leaves what runs", () => {
    const whole = program(0)
    const file = written("runs", whole)
    assert.strictEqual(spawnSync(file).status, 0)
    // Twice, as by two installs.
    for (let run = 0; run < 2; run++) {
      cutSymbols(file)
      assert.strictEqual(readFileSync(file).length, whole.length - symbols.length)
      assert.strictEqual(spawnSync(file).status, 0)
    }
  })

  it("leaves a program as it was that would not run without them, and what is no program", () => {
    for (const content of [program(1), Buffer.from("#!/bin/sh\n"), Buffer.alloc(0)]) {
      const file = written("stays", content)
      cutSymbols(file)
      assert.deepStrictEqual(readFileSync(file), content)
    }
    assert.notInclude(readdirSync(folder), "stays.cut")
  })
})

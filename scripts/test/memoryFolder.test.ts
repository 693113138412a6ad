import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, statSync, statfsSync } from "node:fs"
import { makeMemoryFolder } from "./memoryFolder.ts"

const place = "/dev/shm"
const gibibyte = 1024 ** 3
const memory = { place, available: gibibyte, mounts: `tmpfs ${place} tmpfs rw,nosuid 0 0` }
const tmpfs = 0x01021994
const isInMemory = existsSync(place) && statfsSync(place).type === tmpfs
const checkout = import.meta.dirname
/** A hundredth of a gibibyte. */
const little = 0.01

describe.skipIf(!isInMemory)("a folder in memory", () => {
  it("is open to every account, and what a run left that was killed is removed", () => {
    const killed = `${place}/loopbox-tests-${spawnSync("true").pid}`
    const another = `${place}/loopbox-tests-${process.ppid}`
    const hasAnother = existsSync(another)
    for (const folder of [killed, another]) mkdirSync(folder, { recursive: true })
    const folder = makeMemoryFolder(little, memory)
    try {
      assert.isDefined(folder)
      assert.strictEqual(folder, `${place}/loopbox-tests-${process.pid}`)
      assert.strictEqual(statSync(folder).mode & 0o7777, 0o1777)
      assert.isFalse(existsSync(killed))
      assert.isTrue(existsSync(another))
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true })
      if (!hasAnother) rmSync(another, { recursive: true })
    }
  })

  it.each([
    ["there is too little memory", { ...memory, available: little * gibibyte }],
    ["no program may run there", { ...memory, mounts: `tmpfs ${place} tmpfs rw,noexec 0 0` }],
    ["nothing is mounted there", { ...memory, mounts: `tmpfs /run tmpfs rw 0 0` }],
    ["there is no such place", { ...memory, place: "/nowhere", mounts: "tmpfs /nowhere tmpfs rw 0 0" }]
  ])("is none where %s", (_, machine) => {
    assert.isUndefined(makeMemoryFolder(little, machine))
  })

  it.skipIf(statfsSync(checkout).type === tmpfs)("is none on a disk", () => {
    assert.isUndefined(makeMemoryFolder(little, { ...memory, place: checkout, mounts: `disk ${checkout} ext4 rw 0 0` }))
  })

  it("is none where the place has too little room", () => {
    assert.isUndefined(makeMemoryFolder(1024 ** 2, { ...memory, available: Number.MAX_VALUE }))
  })
})

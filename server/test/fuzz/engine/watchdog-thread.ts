import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { writeFinding } from '../finding.ts'
import { type WatchdogOrder, watchedIn } from './watched.ts'

const lookMs = 500
/** CPU time limit; no input takes a hundredth of it. */
const cpuMaxMs = 10_000
/** Counts checks of a waiting input rather than time: while the machine is suspended, no checks run. */
const looksMax = 120

const { shared } = workerData as WatchdogOrder
const { head, name, input } = watchedIn(shared)
const never = new Int32Array(new SharedArrayBuffer(4))
let seen = -1
let sinceCpuMs = 0
let looks = 0

for (;;) {
  // allowed: a thread that watches another can only look now and then
  Atomics.wait(never, 0, 0, lookMs)
  const turn = Atomics.load(head, 0)
  looks += 1
  if (turn !== seen || turn % 2 === 0) {
    seen = turn
    sinceCpuMs = cpuMs()
    looks = 0
  } else if (cpuMs() - sinceCpuMs > cpuMaxMs || looks > looksMax) {
    const message = `not done after ${Math.round(cpuMs() - sinceCpuMs)} ms of CPU and ${looks} looks at it`
    const [target, bytes] = [textOf(name, head[1]), Buffer.from(input.slice(0, head[2]))]
    const path = writeFinding({ target, kind: 'hung', message, input: bytes })
    writeSync(1, `${target} hung: ${message}\n  repeat with: npm run fuzz -- --replay ${path}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function textOf(bytes: Uint8Array, length: number | undefined): string {
  return Buffer.from(bytes.slice(0, length)).toString('utf8')
}

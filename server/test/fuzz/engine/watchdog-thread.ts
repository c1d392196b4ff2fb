import { workerData } from 'node:worker_threads'
import { writeFinding } from '../finding.ts'
import { headWords, type WatchdogOrder } from './watchdog.ts'

// Of CPU, and while waiting for something that does not come; no input takes a hundredth of either.
const cpuMaxMs = 10_000
const idleMaxMs = 120_000

const { target, shared } = workerData as WatchdogOrder
const head = new Int32Array(shared, 0, headWords)
const never = new Int32Array(new SharedArrayBuffer(4))
let seen = -1
let since = { cpuMs: 0, atMs: 0 }

for (;;) {
  // allowed: a thread that watches another can only look now and then
  Atomics.wait(never, 0, 0, 500)
  const turn = Atomics.load(head, 0)
  const now = { cpuMs: cpuMs(), atMs: performance.now() }
  if (turn !== seen || turn % 2 === 0) {
    seen = turn
    since = now
  } else if (now.cpuMs - since.cpuMs > cpuMaxMs || now.atMs - since.atMs > idleMaxMs) {
    const input = Buffer.from(new Uint8Array(shared, headWords * 4, Atomics.load(head, 1)))
    const message = `not done after ${Math.round(now.cpuMs - since.cpuMs)} ms of CPU`
    writeFinding({ target, kind: 'hung', message, input })
    process.kill(process.pid, 'SIGKILL')
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

import { readdirSync, readFileSync } from 'node:fs'

// The kernel reports hundredths of a second wherever Node runs on Linux.
const tickUs = 10_000

/** Returns the CPU time of a process and its descendants so far. */
export function readCpuUs(pid: number): number {
  return listTree(pid).reduce((sum, member) => sum + readOwnCpuUs(member), 0)
}

/** Returns the resident memory of a process and its descendants. */
export function readRssKb(pid: number): number {
  return listTree(pid).reduce((sum, member) => {
    return sum + Number(/^VmRSS:\s+(\d+) kB$/m.exec(readOf(member, 'status'))?.[1] ?? 0)
  }, 0)
}

/** Returns the busy time of one core since boot, by all processes. */
export function readCoreBusyUs(core: number): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1]
  if (line === undefined) throw new Error(`core ${core} does not exist`)
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = line
    .split(' ')
    .map(Number)
  return (user + nice + system + interrupts + softInterrupts + steal) * tickUs
}

function readOwnCpuUs(pid: number): number {
  const text = readOf(pid, 'stat')
  // The name in parentheses may contain spaces, so fields are counted from its end: utime and stime are the 12th and
  // 13th.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickUs
}

function listTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    readOf(pid, `task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(listTree)]
}

/** Postgres may end processes at any moment; ended processes count nothing. */
function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

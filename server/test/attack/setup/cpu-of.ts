import { readFile } from 'node:fs/promises'

/** The CPU time that a process has used so far. Unlike a clock, it is the same on a busy machine. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may contain blanks; what follows it does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * msPerTick
}

// Linux counts 100 ticks a second for programs, whatever the kernel's own clock is.
const msPerTick = 10

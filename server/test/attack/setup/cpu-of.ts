import { readFile } from 'node:fs/promises'

/** The CPU time of a process so far. Unlike wall-clock time, it is the same on a busy machine. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain blanks; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * msPerTick
}

// Linux reports 100 ticks per second to programs, whatever the kernel's own clock is.
const msPerTick = 10

import { readFileSync } from 'node:fs'

/** Names this process for good: its id and when it started, because ids are used again. */
export function processTag(): string {
  return `${process.pid}-${startOf(process.pid) ?? 'unknown'}`
}

export function isProcessAlive(tag: string): boolean {
  const [pid, start] = tag.split('-')
  return startOf(Number(pid)) === start
}

// Field 22 of /proc/<pid>/stat; the command in field 2 may contain spaces, so counting starts behind its bracket.
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

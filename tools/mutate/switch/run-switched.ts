import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEntries, readNow } from './journal.ts'
import { type Order, orderEnvironment } from './order.ts'

/** A process that is silent for this long hangs in a mutant's loop. */
const hangsAfterMs = 60_000
const watchEveryMs = 1_000

/**
 * Runs test files of an instrumented tree with the mutant runner. If a mutant hangs, its process is killed, the mutant
 * counts as caught, and the file runs again for the others. Returns the files that did not finish.
 */
export async function runSwitched(root: string, files: readonly string[], order: Order): Promise<readonly string[]> {
  let left = files
  while (left.length > 0) {
    const before = countEnds(order.folder)
    await runOnce(root, left, order)
    const after = countEnds(order.folder)
    const next = left.filter((path) => after.files.get(join(root, path)) === before.files.get(join(root, path)))
    // A file that did not finish although nothing hung will not finish next time either.
    if (after.hung === before.hung) return next
    left = next
  }
  return left
}

function countEnds(folder: string): { files: Map<string, number>; hung: number } {
  const files = new Map<string, number>()
  let hung = 0
  for (const entry of readEntries(folder)) {
    if (entry.kind === 'file') files.set(entry.file, (files.get(entry.file) ?? 0) + 1)
    if (entry.kind === 'hung') hung += 1
  }
  return { files, hung }
}

async function runOnce(root: string, files: readonly string[], order: Order): Promise<void> {
  const config = join(root, 'tools/mutate/switch/vitest.config.ts')
  const args = ['run', '--config', config, '--reporter=dot', ...files.map((path) => join(root, path))]
  const child = spawn('vitest', args, {
    cwd: join(root, 'server'),
    env: { ...process.env, ...orderEnvironment(order) },
    stdio: 'ignore',
    // A separate process group: a fork that hangs in a mutant outlives the process that started it.
    detached: true,
  })
  const watch = setInterval(() => endHung(order.folder), watchEveryMs)
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', stop)
  await new Promise((resolve) => child.once('close', resolve))
  process.off('exit', stop)
  clearInterval(watch)
}

function endHung(folder: string): void {
  for (const { pid, id, file, atMs } of readNow(folder)) {
    if (id === null || Date.now() - atMs < hangsAfterMs) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process had already ended.
      continue
    }
    appendFileSync(join(folder, 'hung.jsonl'), `${JSON.stringify({ kind: 'hung', file, id })}\n`)
  }
}

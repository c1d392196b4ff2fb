import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Runs a shell script after this process has ended in any way: a killed process cannot clean up. Killing the returned
 * watcher cancels it.
 */
export function whenOrphaned(script: string, args: readonly string[]): ChildProcess {
  // `cat` ends when the other end of its pipe closes, which the system also does for a killed process.
  const watcher = spawn('sh', ['-c', `cat > /dev/null; ${script}`, 'sh', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  return watcher
}

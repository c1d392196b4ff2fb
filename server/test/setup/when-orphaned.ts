import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Runs a shell script when this process has ended, however it ended: nobody else clears up after one that was killed.
 * Ending the watcher that is returned takes the order back.
 */
export function whenOrphaned(script: string, args: readonly string[]): ChildProcess {
  // `cat` ends when the other end of its pipe closes, and the system closes it for a process that was killed, too.
  const watcher = spawn('sh', ['-c', `cat > /dev/null; ${script}`, 'sh', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  return watcher
}

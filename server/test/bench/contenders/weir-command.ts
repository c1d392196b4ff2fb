import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs one `weir` command and returns its output. */
export type WeirCommand = (...parameters: string[]) => Promise<string>

export function createWeirCommand({ gateway, env }: { gateway: string; env: Record<string, string> }): WeirCommand {
  return async (...parameters) => {
    // Nothing is measured yet, so the preparation may use both cores.
    const command = ['-c', '0,1', process.execPath, gateway, ...parameters]
    const { stdout } = await promisify(execFile)('taskset', command, {
      env: { ...process.env, ...env },
      timeout: 600_000,
    })
    return stdout
  }
}

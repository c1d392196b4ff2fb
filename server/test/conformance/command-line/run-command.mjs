import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const commandTimeoutMs = 60_000

/** The home of this process: a client may only write there. */
export const home = process.env.HOME

export function programAt(file) {
  return join(import.meta.dirname, 'node_modules', file)
}

/** Runs a program of `node_modules` in an empty folder, without the machine's environment. */
export function runCommand(file, args, environment = {}) {
  return runProgram(programAt(file), args, environment)
}

export async function runProgram(program, args, environment = {}) {
  const folder = join(environment.HOME ?? home, 'project')
  await mkdir(folder, { recursive: true })
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandTimeoutMs,
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/** The lines of an output that are JSON objects. */
export function jsonLines(output) {
  return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
}

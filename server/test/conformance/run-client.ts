import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { type ClientProgram, clientsFolder } from './client-programs.ts'
import type { Offline } from './offline.ts'

export interface CaseResult {
  readonly name: string
  readonly passed: boolean
  readonly message: string | null
}

// Only ends a hung client: on a busy machine one prompt to opencode takes half a minute.
const clientTimeoutMs = 600_000

/** Runs one client in its own process and home. A client that exits early has failed as a whole. */
export async function runClient(
  program: ClientProgram,
  surroundings: Readonly<Record<string, string>>,
  offline: Offline | null,
): Promise<CaseResult[]> {
  const home = await mkdtemp(join(tmpdir(), 'weir-client-'))
  const file = join(program.folder, program.file)
  const command = [process.execPath, ...(offline === null ? [] : ['--import', join(clientsFolder, passage)]), file]
  const [executable = process.execPath, ...args] = offline === null ? command : offline.wrap(command)
  const child = spawn(executable, args, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...surroundings, ...offline?.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: clientTimeoutMs,
  })
  const results: CaseResult[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const report = parseJsonObject(line)
    const name = report === undefined ? undefined : stringAt(report, 'name')
    if (report === undefined || name === undefined) return
    results.push({ name, passed: report['passed'] === true, message: stringAt(report, 'message') ?? null })
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) results.push({ name: 'runs to its end', passed: false, message: `ended with ${code ?? signal}` })
  await rm(home, { recursive: true, force: true, maxRetries: 3 })
  return results
}

const passage = 'passage-inside.mjs'

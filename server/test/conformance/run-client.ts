import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { type ClientProgram, clientsFolder } from './client-programs.ts'

export interface CaseResult {
  readonly name: string
  readonly passed: boolean
  readonly message: string | null
}

const clientTimeoutMs = 120_000

/** Runs one client as a process of its own and answers its cases. One that ends early has failed as a whole. */
export async function runClient(
  program: ClientProgram,
  surroundings: Readonly<Record<string, string>>,
): Promise<CaseResult[]> {
  const child = spawn(process.execPath, [join(clientsFolder, program.file)], {
    cwd: clientsFolder,
    env: { PATH: process.env['PATH'], HOME: clientsFolder, ...surroundings },
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
  const [code] = await once(child, 'close')
  if (code !== 0) results.push({ name: 'runs to its end', passed: false, message: `exit code ${code}` })
  return results
}

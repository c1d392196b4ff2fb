import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CaseResult } from './run-client.ts'

export const examplesFolder = join(import.meta.dirname, '../../../examples')

/** The module that all examples import. */
const shared = 'weir.mjs'
const timeoutMs = 120_000

/** Runs every program of `examples` and compares its output with its closing comment. */
export async function runExamples(surroundings: Readonly<Record<string, string>>): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  const names = readdirSync(examplesFolder).filter((name) => name.endsWith('.mjs') && name !== shared)
  for (const name of names.sort()) results.push(await runExample(name, surroundings))
  return results
}

async function runExample(name: string, surroundings: Readonly<Record<string, string>>): Promise<CaseResult> {
  const path = join(examplesFolder, name)
  const expected = promisedOutput(readFileSync(path, 'utf8'))
  if (expected === null) return { name, passed: false, message: 'It does not end with what it prints.' }
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env['PATH'], ...surroundings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const passed = child.exitCode === 0 && patternOf(expected).test(printed)
  const message = passed ? null : `It printed:\n${printed}${complained}and should print:\n${expected}`
  return { name, passed, message }
}

/** Returns the comment at a program's end. */
export function promisedOutput(program: string): string | null {
  const [, comment] = /\n\/\/ Prints:\n((?:\/\/ .*\n)+)$/.exec(program) ?? []
  return comment?.replaceAll(/^\/\/ /gm, '') ?? null
}

/** `…` stands for any text in its line, and a line with only `…` for any number of lines. */
export function patternOf(expected: string): RegExp {
  const lines = expected.split('\n').slice(0, -1)
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\n)*' : `${literal(line).replaceAll('…', '.+')}\n`))
  return new RegExp(`^${pattern.join('')}$`)
}

function literal(line: string): string {
  return line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

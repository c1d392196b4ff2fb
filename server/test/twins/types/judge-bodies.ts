import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sdksFolder } from '../sdks-folder.ts'
import type { TypedBody } from './typed-body.ts'

/** Type-checks every body as a literal of its type with the TypeScript compiler; returns the errors. */
export async function judgeBodies(bodies: readonly TypedBody[]): Promise<ReadonlyMap<TypedBody, string>> {
  // Below the SDKs, so that their types are found, in an untracked folder.
  const folder = join(sdksFolder, 'node_modules', '.twins')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const files = Map.groupBy(bodies, ({ type }) => type.sdk.replaceAll(/[^\w]/g, '-'))
  for (const [name, own] of files) await writeFile(join(folder, `${name}.mts`), sourceOf(own))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
  const said = await compile(folder)
  const wrong = new Map<TypedBody, string>()
  for (const [, file = '', line = '', text = ''] of said.matchAll(/^([\w-]+)\.mts\((\d+),\d+\): error (.*)$/gm)) {
    const own = files.get(file) ?? []
    const body = own[Number(line) - 1 - importsOf(own).length]
    if (body === undefined || unknownType.test(text)) throw new Error(`${file}.mts(${line}): ${text}`)
    if (!wrong.has(body)) wrong.set(body, text)
  }
  return wrong
}

/** The SDK has no such type, so nothing was checked. */
const unknownType = /^TS(?:2304|2305|2307|2614|2694|2503)\b/

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  typeRoots: ['../@types'],
  noEmit: true,
  strict: true,
  skipLibCheck: true,
}

function importsOf(bodies: readonly TypedBody[]): string[] {
  return [...new Set(bodies.map(({ type }) => type.imported))]
}

/** One body per line, so that an error's line identifies the body. */
function sourceOf(bodies: readonly TypedBody[]): string {
  const literals = bodies.map(
    ({ type, body }, index) => `export const body${index}: ${type.name} = ${JSON.stringify(body)}`,
  )
  return `${[...importsOf(bodies), ...literals].join('\n')}\n`
}

async function compile(folder: string): Promise<string> {
  const child = spawn('tsc', ['--project', folder, '--pretty', 'false'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await once(child, 'close')
  return text
}

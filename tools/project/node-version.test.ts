import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../lib/is-record.ts'
import { repositoryRoot } from '../lib/repository-root.ts'

const sentence = (version: string) =>
  `Weir needs Node 24 or later; this is ${version}. In a clone on Linux \`npm ci\` installs it: use \`npm run …\`.\n`

const entryPoints = [
  ['server/src/bin/weir.js', '--help'],
  ['tools/start.js', 'tools/ci/summary.ts', 'check'],
  ['server/src/bin/require-node.js'],
]

describe('a Node that is too old', () => {
  it.each(entryPoints)('is told in one sentence by %s', async (...args) => {
    expect(await run(process.execPath, [...pretend('20.20.2'), ...args])).toEqual({
      code: 1,
      out: '',
      error: sentence('20'),
    })
    expect(await run(process.execPath, [...pretend('23.11.0'), ...args])).toMatchObject({ error: sentence('23') })
    // Includes the old Node versions on this machine, because only a real one proves that it can read the file.
    for (const { path, major } of oldNodes()) {
      expect(await run(path, args), path).toEqual({ code: 1, out: '', error: sentence(major) })
    }
  })
})

it.each(entryPoints)('a Node that is new enough is used as it is by %s', async (...args) => {
  for (const version of [process.versions.node, '24.0.0', '31.2.0']) {
    expect(await run(process.execPath, [...pretend(version), ...args])).toMatchObject({ code: 0, error: '' })
  }
})

it('every script and program of the packages judges the version first', () => {
  const root: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
  const server: unknown = JSON.parse(readFileSync(join(repositoryRoot, 'server/package.json'), 'utf8'))
  const scripts = isRecord(root) && isRecord(root['scripts']) ? Object.values(root['scripts']).map(String) : []
  const onNode = scripts.filter((script) => /\bnode\b|\bvitest\b/.test(script))
  expect(onNode.length).toBeGreaterThan(10)
  const judged = /^node (?:tools\/start\.js|server\/src\/bin\/(?:weir|require-node)\.js)(?: |$)/
  expect(onNode.filter((script) => !judged.test(script))).toEqual([])
  expect(server).toMatchObject({ bin: { weir: 'src/bin/weir.js' } })
})

/** Options that make this Node report another version. */
function pretend(version: string): string[] {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** Every Node below 24 in this machine's PATH; often none. */
function oldNodes(): { path: string; major: string }[] {
  const folders = new Set((process.env['PATH'] ?? '').split(delimiter))
  return [...folders]
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => ({
      path,
      major: execFileSync(path, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }).trim(),
    }))
    .filter(({ major }) => Number(major) < 24)
}

function run(program: string, args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: repositoryRoot }, (failure, out, error) => {
      resolve({ code: failure === null ? 0 : Number(failure.code), out, error })
    })
  })
}

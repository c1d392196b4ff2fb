import { expect, it } from 'vitest'
import { judgeWay } from './judge-way.ts'

const code = {
  'server/src/bin/gateway.ts': `import './wiring.ts'`,
  'server/src/bin/wiring.ts': `import '#http/server.ts'\nimport '#pipeline/run.ts'`,
  'server/src/http/server.ts': '',
  'server/src/pipeline/run.ts': `import type { Hold } from './hold.ts'`,
  'server/src/pipeline/hold.ts': '',
  'server/package.json': JSON.stringify({ imports: { '#http/*': './src/http/*', '#pipeline/*': './src/pipeline/*' } }),
}

function messages(steps: readonly string[], files: Record<string, string> = code): string[] {
  const rows = steps.map((step) => `| Process | \`${step}\` | does |`).join('\n')
  const document = `# A\n\n### Follow a streamed chat request through the code\n| Where | File | Does |\n|---|---|---|\n${rows}\n\n## B\n| a | \`bin/gateway.ts\` |`
  const all = { ...files, 'docs/ARCHITECTURE.md': document }
  return judgeWay(Object.entries(all).map(([path, text]) => ({ path, text }))).map(({ message }) => message)
}

const way = ['bin/gateway.ts', 'bin/wiring.ts', 'http/server.ts', 'pipeline/run.ts', 'pipeline/hold.ts']

it('passes a list that can be read in its order', () => {
  expect(messages(way)).toEqual([])
})

it('finds a file that does not exist', () => {
  expect(messages([...way, 'pipeline/gone.ts'])).toEqual(['server/src/pipeline/gone.ts does not exist'])
})

it('finds a file that nothing before it imports', () => {
  const [gateway = '', wiring = '', server = '', run = '', hold = ''] = way
  expect(messages([gateway, wiring, server, hold, run])).toEqual([
    'no file before server/src/pipeline/hold.ts imports it',
  ])
  expect(messages([gateway, server])).toEqual(['no file before server/src/http/server.ts imports it'])
})

it('finds a way that climbs back into bin', () => {
  const climbing = { ...code, 'server/src/bin/gateway.ts': `import './wiring.ts'\nimport '#http/server.ts'` }
  expect(messages(['bin/gateway.ts', 'http/server.ts', 'bin/wiring.ts'], climbing)).toEqual([
    'server/src/bin/wiring.ts stands behind files that are not of bin',
  ])
})

it('finds a way of more than 40 files, and no way at all', () => {
  expect(messages(Array.from({ length: 41 }, () => 'bin/gateway.ts'))).toContain('the way has 41 files, at most 40')
  expect(messages([])).toEqual(['has no list under "### Follow a streamed chat request through the code"'])
})

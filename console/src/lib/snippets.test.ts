import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { snippetOf } from './snippets.ts'

const call = { method: 'POST', path: '/v1/keys?a=b&c=d', body: `{"name": "Ann's \\"laptop\\" $HOME"}` }
const origin = 'https://weir.test'

it('quotes a curl command so that a shell hands every argument over as it was', () => {
  const script = `${snippetOf('curl', call, origin).replace(/^curl/, "printf '%s\\n'")}`
  const out = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { WEIR_KEY: 'sk-weir-1' } })
  expect(out.trim().split('\n')).toEqual([
    '-X',
    'POST',
    `${origin}${call.path}`,
    '-H',
    'Authorization: Bearer sk-weir-1',
    '-H',
    'Content-Type: application/json',
    '-d',
    call.body,
  ])
})

it('writes TypeScript that sends the same request', async () => {
  const sent: unknown[] = []
  const fetch = async (url: string, init: unknown) => {
    sent.push(url, init)
    return { json: async () => null }
  }
  const code = snippetOf('typescript', call, origin)
  const run = new Function('fetch', 'process', 'console', `return (async () => {${code}})()`)
  await run(fetch, { env: { WEIR_KEY: 'sk-weir-1' } }, { log: () => {} })
  const headers = { Authorization: 'Bearer sk-weir-1', 'Content-Type': 'application/json' }
  expect(sent).toEqual([`${origin}${call.path}`, { method: 'POST', headers, body: call.body }])
})

it('writes Python without a body for a read', () => {
  const code = snippetOf('python', { method: 'GET', path: '/v1/keys', body: null }, origin)
  expect(code).toContain('"GET", "https://weir.test/v1/keys",')
  expect(code).not.toContain('content=')
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let folder: string
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-docs-'))
  await mkdir(join(folder, 'decisions'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), 'the first page')
  await writeFile(join(folder, 'api.html'), 'calling Weir')
  await writeFile(join(folder, 'api.html.gz'), gzipSync('calling Weir'))
  await writeFile(join(folder, 'decisions/index.html'), 'all decisions')
  await writeFile(join(folder, 'decisions/money.html'), 'about money')
  await writeFile(join(folder, '404.html'), 'no such page')
  await writeFile(join(folder, 'assets/a-1.js'), 'plain')
  gateway = await startTestGateway({ WEIR_DOCS_ENABLED: 'true', WEIR_DOCS_FOLDER: folder })
})

afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.gateway.server.inject({ url, headers: { host: 'weir.test', ...headers } })

describe('the documentation', () => {
  it.each([
    ['/docs', 'the first page'],
    ['/docs/', 'the first page'],
    ['/docs/?q=a', 'the first page'],
    ['/docs/api', 'calling Weir'],
    ['/docs/api/', 'calling Weir'],
    ['/docs/api.html', 'calling Weir'],
    ['/docs/decisions/', 'all decisions'],
    ['/docs/decisions/money?a=b', 'about money'],
  ])('answers %s with its page, under the policy of the console', async (url, body) => {
    const reply = await get(url)
    expect([reply.statusCode, reply.body]).toEqual([200, body])
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers['content-security-policy']).not.toMatch(/unsafe|https?:/)
  })

  it('sends a page compressed where it was compressed when it was built', async () => {
    const reply = await get('/docs/api', { 'accept-encoding': 'gzip' })
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': expect.stringContaining('html') })
  })

  it('has hashed files that are kept for ever', async () => {
    const reply = await get('/docs/assets/a-1.js')
    expect(reply.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
  })

  it.each(['/docs/nothing', '/docs/decisions/nothing', '/docs/nothing/'])(
    'says with a page that there is no %s',
    async (url) => {
      const reply = await get(url, { accept: 'text/html' })
      expect([reply.statusCode, reply.body]).toEqual([404, 'no such page'])
    },
  )

  it.each(['/docs/assets/b-2.js', '/docs/nothing.svg', '/docs/%2e%2e/package.json', '/docs/..%2fsecret.txt'])(
    'has no page in place of the file %s',
    async (url) => {
      const reply = await get(url)
      expect(reply.statusCode).toBeGreaterThanOrEqual(400)
      expect(reply.json()).toMatchObject({ error: { message: expect.any(String) } })
    },
  )

  it('is on the host of the public URL alone', async () => {
    const reply = await get('/docs/', { host: 'api.weir.test' })
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ error: { message: 'The documentation is at https://weir.test/docs/.' } })
  })

  it('takes no writes', async () => {
    const reply = await gateway.gateway.server.inject({ method: 'POST', url: '/docs/', headers: { host: 'weir.test' } })
    expect(reply.statusCode).toBe(404)
  })
})

describe.each([
  ['switched off', { WEIR_DOCS_ENABLED: 'false' }],
  ['not built', { WEIR_DOCS_ENABLED: 'true', WEIR_DOCS_FOLDER: '/nowhere' }],
])('documentation that is %s', (_state, environment) => {
  it('leaves its paths to the answer for unknown ones', async () => {
    const without = await startTestGateway(environment)
    const reply = await without.gateway.server.inject({ url: '/docs/', headers: { host: 'weir.test' } })
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ error: { message: 'No route for GET /docs/.' } })
    await without.close()
  })
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let folder: string
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-console-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>Weir</title>')
  await writeFile(join(folder, 'assets/a-1.js'), 'plain')
  await writeFile(join(folder, 'assets/a-1.js.gz'), gzipSync('compressed'))
  gateway = await startTestGateway({ WEIR_CONSOLE_ENABLED: 'true', WEIR_CONSOLE_FOLDER: folder })
})

afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.gateway.server.inject({ url, headers: { host: 'weir.test', ...headers } })

describe('the console', () => {
  it.each([
    '/console/',
    '/console',
    '/console/keys',
    '/console/models/acme/large-4.5',
    '/console/requests/gen_1?organization=a',
  ])('answers %s with its one page, which a browser asks for every time', async (url) => {
    const reply = await get(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe('<title>Weir</title>')
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:/)
  })

  it('sends hashed files compressed, to be kept for ever', async () => {
    const plain = await get('/console/assets/a-1.js')
    expect(plain.body).toBe('plain')
    const reply = await get('/console/assets/a-1.js', { 'accept-encoding': 'gzip' })
    expect(reply.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it.each([
    '/console/assets/b-2.js',
    '/console/missing.svg',
    '/console/%2e%2e/package.json',
    '/console/..%2fsecret.txt',
  ])('has no page in place of the file %s', async (url) => {
    const reply = await get(url)
    expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    expect(reply.json()).toMatchObject({ error: { message: expect.any(String) } })
  })

  it.each(['GET', 'HEAD', 'POST'] as const)('answers %s for a missing file once, and logs no error', async (method) => {
    const reply = await gateway.gateway.server.inject({
      method,
      url: '/console/assets/b-2.js',
      headers: { host: 'weir.test' },
    })
    expect(reply.statusCode).toBe(404)
    // A second response would have failed by the time another request is answered.
    await get('/console/')
    expect(gateway.logLines.filter((line) => line.includes('ERR_HTTP_HEADERS_SENT'))).toEqual([])
  })

  it('takes no writes', async () => {
    const reply = await gateway.gateway.server.inject({
      method: 'POST',
      url: '/console/',
      headers: { host: 'weir.test' },
    })
    expect(reply.statusCode).toBe(404)
  })

  it('is where a browser is sent that opens the bare host, and a program is not', async () => {
    const browser = await get('/', { accept: 'text/html,*/*' })
    expect([browser.statusCode, browser.headers.location]).toEqual([302, '/console/'])
    const program = await get('/', { accept: '*/*' })
    expect(program.statusCode).toBe(404)
  })

  it('is on the host of the public URL alone', async () => {
    const reply = await get('/console/', { host: 'api.weir.test' })
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ error: { message: 'The console is at https://weir.test/console/.' } })
    expect((await get('/', { host: 'api.weir.test', accept: 'text/html' })).statusCode).toBe(404)
  })
})

describe.each([
  ['switched off', { WEIR_CONSOLE_ENABLED: 'false' }],
  ['not built', { WEIR_CONSOLE_ENABLED: 'true', WEIR_CONSOLE_FOLDER: '/nowhere' }],
])('a console that is %s', (_state, environment) => {
  it('leaves its paths to the answer for unknown ones', async () => {
    const without = await startTestGateway(environment)
    const replies = await Promise.all(
      ['/', '/console/'].map((url) =>
        without.gateway.server.inject({ url, headers: { host: 'weir.test', accept: 'text/html' } }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    await without.close()
  })
})

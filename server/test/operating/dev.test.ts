import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type CopiedTree, copyTree } from '../../../tools/lib/copy-tree.ts'
import { createEmptyDatabase } from '#test/setup/database.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const repository = join(import.meta.dirname, '../../..')

// Only ends a hung test: these tests start ten processes, on a machine that may be busy.
describe('npm run dev', { timeout: 900_000 }, () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  /** The program stores its keys in its working folder, so it runs in a folder of its own. */
  let tree: CopiedTree
  let folder: string
  let environment: Record<string, string>
  let dev: Spawned

  beforeAll(async () => {
    database = await createEmptyDatabase()
    tree = copyTree()
    folder = await mkdtemp(join(tmpdir(), 'weir-dev-'))
    environment = {
      PATH: `${join(repository, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      WEIR_HTTP_PORT: String(await findLastingPort()),
      WEIR_OPERATING_PORT: String(await findLastingPort()),
      WEIR_WORKER_PORT: '0',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      // Attempts are counted by address, and other tests sign in from this one too.
      WEIR_LIMITS_SIGN_IN: '100000',
      // The console's own tests build it.
      WEIR_CONSOLE_ENABLED: 'false',
      WEIR_DOCS_ENABLED: 'false',
    }
  })
  afterAll(async () => {
    dev.kill()
    tree.remove()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is ready on an empty database', async () => {
    dev = spawnCommand(['npm', 'run', 'dev'], { cwd: tree.root, env: environment })
    await dev.waitForLine(/Ctrl-C stops everything/)
  })

  it('prints five commands that work when they are pasted', async () => {
    const [stream = '', receipt = '', organization = '', signIn = '', breaker = '', ...others] = printedCommands(
      dev.lines,
    )
    expect(others).toEqual([])
    const answer = await paste(stream)
    expect(answer).toContain('data: [DONE]')
    const id = /"id":"(gen-\w+)"/.exec(answer)?.[1] ?? ''
    const { data } = JSON.parse(await paste(receipt))
    expect(data).toMatchObject({ id, model: 'test/priced', refund_reason: null, total_cost: 0.000004 })
    expect(await paste(organization)).toContain('Hello from the demo organization')
    const key = printedKey('organization key')
    const orgs = await createClient(`http://127.0.0.1:${environment['WEIR_HTTP_PORT']}`, key).get('/v1/orgs')
    expect(orgs.json).toMatchObject({ total_count: 1, data: [{ slug: 'demo', role: 'member' }] })
    const [{ creditBalance } = {}] = orgs.json['data'] as { creditBalance?: number }[]
    // A month of sample requests was paid from $50.
    expect(creditBalance).toBeLessThan(49)
    expect(creditBalance).toBeGreaterThan(25)
    expect(await paste(signIn)).toContain('demo@example.com')
    expect(JSON.parse(await paste(breaker))).toHaveProperty('settings')
    // The demo user is an operator who needs no second factor.
    const asOperator = breaker.replace('/api/user/circuit-breaker', '/api/admin/operators')
    expect(JSON.parse(await paste(asOperator))).toMatchObject({ data: [{ email: 'demo@example.com', role: 'owner' }] })
  })

  it('restarts after an edit of a source file, and keeps keys and data', async () => {
    const text = await readFile(join(tree.root, 'server/src/http/server.ts'), 'utf8')
    expect(text).toContain('`No route for ')
    await save('server/src/http/server.ts', text.replace('`No route for ', '`Edited: no route for '))
    await dev.waitForLine(/^Reloaded in [\d.]+ s: server\/src\/http\/server\.ts$/)
    const client = createClient(`http://127.0.0.1:${environment['WEIR_HTTP_PORT']}`, printedKey('standard key'))
    const missing = await client.get('/nothing')
    expect(missing.json).toMatchObject({ error: { message: 'Edited: no route for GET /nothing.' } })
    expect((await client.get('/v1/credits')).json).toMatchObject({ data: { total_credits: 25 } })
  })

  it('sells credit through a payment page that moves no money', async () => {
    const url = `http://127.0.0.1:${environment['WEIR_HTTP_PORT']}`
    expect(dev.lines.join('\n')).toContain(`Test credit: buy it at ${url}/console/credits`)
    const signed = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: 'demo@example.com', password: printedPassword() }),
    })
    const { user } = (await signed.json()) as { user: { id: string } }
    const [cookie = ''] = (signed.headers.getSetCookie().find((text) => text.startsWith('weir_session')) ?? '').split(
      ';',
    )
    const client = createClient(url, { cookie })
    const path = `/api/wallets/${user.id}/top-ups`
    const ordered = await client.post(path, { amount: 5 }, { headers: { origin: url } })
    const { id, checkout_url: page } = ordered.json['data'] as { id: string; checkout_url: string }
    expect(await (await fetch(page)).text()).toContain('No money moves here.')
    const paid = await fetch(page, { method: 'POST', body: new URLSearchParams({ how: 'now' }), redirect: 'manual' })
    expect(paid.headers.get('location')).toContain(`${url}/console/credits?top_up=${id}`)
    await expect.poll(async () => (await client.get(`${path}/${id}`)).json).toMatchObject({ data: { state: 'paid' } })
    const key = createClient(url, printedKey('standard key'))
    expect((await key.get('/v1/credits')).json).toMatchObject({ data: { total_credits: 30 } })
  })

  it('shows the emails that it sends on a page', async () => {
    const inbox = /^Emails: (http:\S+) shows every email that Weir sends\.$/m.exec(dev.lines.join('\n'))?.[1] ?? ''
    const read = async () => (await fetch(inbox)).text()
    expect(await read()).toContain('No emails yet.')
    const url = `http://127.0.0.1:${environment['WEIR_HTTP_PORT']}`
    await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: 'new@example.com', password: 'correct horse battery', name: 'New' }),
    })
    await expect.poll(read).toMatch(/Confirm your email address[^]*new@example\.com[^]*<a href="http/)
  })

  it('prints a syntax error, and waits for the edit that mends it', async () => {
    const path = 'server/src/http/operating/operating-server.ts'
    const text = await readFile(join(tree.root, path), 'utf8')
    await save(path, `${text}\nconst = 1\n`)
    await dev.waitForLine(/operating-server\.ts:\d+/)
    await dev.waitForLine(/^The gateway failed; the error is above\. Waiting for the next edit\.$/)
    await save(path, text)
    await dev.waitForLine(/^Reloaded in [\d.]+ s: server\/src\/http\/operating\/operating-server\.ts$/)
    const ready = await fetch(`http://127.0.0.1:${environment['WEIR_OPERATING_PORT']}/ready`)
    expect(ready.status).toBe(200)
  })

  it('says in one sentence that its port is taken, and ends', async () => {
    const second = spawnCommand(['npm', 'run', 'dev'], { cwd: tree.root, env: environment })
    expect(await second.exited).toBe(1)
    const port = environment['WEIR_OPERATING_PORT']
    expect(second.errorLines.filter((line) => !line.startsWith('npm '))).toEqual([
      `127.0.0.1:${port} is already in use by another process. Check operating.port (WEIR_OPERATING_PORT).`,
    ])
    expect(second.lines.join('\n')).not.toContain('Weir is listening')
  })

  it('ends with Ctrl-C', async () => {
    const { pid } = dev.process
    if (pid === undefined) throw new Error('it was started')
    process.kill(-pid, 'SIGINT')
    await dev.exited
    for (const port of [environment['WEIR_HTTP_PORT'], environment['WEIR_OPERATING_PORT']]) {
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed')
    }
  })

  function printedPassword(): string {
    return /"password":"([^"]+)"/.exec(dev.lines.join('\n'))?.[1] ?? ''
  }

  function printedKey(name: string): string {
    return new RegExp(`${name} +(\\S+)`).exec(dev.lines.join('\n'))?.[1] ?? ''
  }

  /** Saves atomically, like editors: no process ever reads half of the file. */
  async function save(path: string, text: string): Promise<void> {
    await writeFile(join(tree.root, `${path}~`), text)
    await rename(join(tree.root, `${path}~`), join(tree.root, path))
  }

  async function paste(command: string): Promise<string> {
    const ours = command.replaceAll('/tmp/weir-', join(folder, 'weir-'))
    const shell = spawnCommand(['bash', '-c', ours], { cwd: folder, env: environment })
    expect(await shell.exited, shell.lines.join('\n')).toBe(0)
    return shell.lines.join('\n')
  }
})

/** Each command from its `curl` to the first line without a continuation. */
function printedCommands(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    if (!line.startsWith('  curl ')) return []
    const last = lines.findIndex((other, position) => position >= at && !other.endsWith('\\'))
    return [lines.slice(at, last + 1).join('\n')]
  })
}

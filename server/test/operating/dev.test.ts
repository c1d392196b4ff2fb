import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type CopiedTree, copyTree } from '../../../tools/recipes/copy-tree.ts'
import { createEmptyDatabase } from './empty-database.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const repository = join(import.meta.dirname, '../../..')

describe('npm run dev', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  /** It keeps its keys in the folder it runs in, so it runs in one of its own. */
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
    expect(data).toMatchObject({ id, model: 'test/text', refund_reason: 'not_billed', total_cost: 0 })
    expect(await paste(organization)).toContain('Hello from the demo organization')
    const key = /organization key +(\S+)/.exec(dev.lines.join('\n'))?.[1] ?? ''
    const orgs = await createClient(`http://127.0.0.1:${environment['WEIR_HTTP_PORT']}`, key).get('/v1/orgs')
    expect(orgs.json).toMatchObject({
      total_count: 1,
      data: [{ slug: 'demo', role: 'member', creditBalance: 50 }],
    })
    expect(await paste(signIn)).toContain('demo@example.com')
    expect(JSON.parse(await paste(breaker))).toHaveProperty('settings')
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

  async function paste(command: string): Promise<string> {
    const ours = command.replaceAll('/tmp/weir-', join(folder, 'weir-'))
    const shell = spawnCommand(['bash', '-c', ours], { cwd: folder, env: environment })
    expect(await shell.exited, shell.lines.join('\n')).toBe(0)
    return shell.lines.join('\n')
  }
})

/** Each from its `curl` to the first line that does not go on. */
function printedCommands(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    if (!line.startsWith('  curl ')) return []
    const last = lines.findIndex((other, position) => position >= at && !other.endsWith('\\'))
    return [lines.slice(at, last + 1).join('\n')]
  })
}

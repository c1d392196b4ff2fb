import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnCommand } from '../../server/test/operating/spawned.ts'
import { createClient } from '../../server/test/setup/client.ts'
import { createEmptyDatabase } from '../../server/test/setup/database.ts'
import { findLastingPort } from '../../server/test/setup/find-lasting-port.ts'
import { testRedisUrl } from '../../server/test/setup/redis.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { must } from '../lib/must.ts'
import { packInto } from '../package/pack-into.ts'
import { buildInto } from './build-into.ts'

describe('npm run build', () => {
  const place = mkdtempSync(join(tmpdir(), 'weir-build-'))
  const folder = join(place, 'dist')
  const sites = { console: join(place, 'console'), docs: join(place, 'docs') }

  beforeAll(async () => {
    for (const site of Object.values(sites)) {
      mkdirSync(site)
      writeFileSync(join(site, 'index.html'), 'a page')
    }
    await buildInto(folder, sites)
  })
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  const loaded = (words: string) => loadedBy(join(folder, 'bin/weir.js'), words.split(' '))
  const built = (...words: string[]) => weir(join(folder, 'bin/weir.js'), words)

  it('writes a package without dependencies, with the licences of what is in it', () => {
    const file: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(file).toMatchObject({ name: 'weir', bin: { weir: 'bin/weir.js' }, engines: { node: '>=24.0.0' } })
    expect(file).not.toHaveProperty('dependencies')
    const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    expect(notices).toMatch(/^fastify \d.*\n\nLicence: MIT\n\nMIT License/m)
    expect(notices).not.toMatch(/^(?:vite|vitest|rolldown) \d/m)
  })

  it('speaks and refuses in the same words', async () => {
    expect(await built('--help')).toEqual(await source('--help'))
    const refused = await built('gateway')
    expect(refused).toEqual(await source('gateway'))
    expect(refused).toMatchObject({ code: 1 })
  })

  // A measure of CPU that does not depend on the machine: `brake status` took 0.19 s for a tenth of a gateway's
  // modules.
  it('loads less than a sixth of a gateway for the kill switch, the help and the first commands of a bad night', async () => {
    const whole = await loaded('gateway')
    for (const words of ['brake status', 'brake on', 'status', 'wallet show a', 'provider list', '--help']) {
      const { bytes } = await loaded(words)
      expect(bytes, words).toBeGreaterThan(0)
      expect(bytes * 6, words).toBeLessThan(whole.bytes)
    }
  })

  it('names files and lines of the repository in stacks', async () => {
    // The module refuses to run outside a thread.
    const program = `
      import { mapStacks } from '${folder}/bin/map-stacks.js'
      mapStacks()
      await import('${folder}/server/filter-worker.js').catch((error) => console.log(error.stack))`
    const { output } = await runCommand([process.execPath, '--input-type=module', '-e', program], { cwd: place })
    const lines = readFileSync(join(repositoryRoot, 'server/src/bin/filter-worker.ts'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.startsWith('assert(')) + 1
    expect(output).toMatch(/^Error: .*this file is run in a thread\n/)
    expect(output).toContain(`at server/src/bin/filter-worker.ts:${line}:`)
  })

  it('has a thread for content filters that starts', async () => {
    const worker = new Worker(join(folder, 'server/filter-worker.js'))
    expect(await once(worker, 'message')).toEqual([{ kind: 'started' }])
    await worker.terminate()
  })

  it('serves a request with `npx weir dev` from an empty folder, where nothing but its tarball is installed', async () => {
    const home = join(place, 'home')
    mkdirSync(home)
    const tarball = await packInto(place, folder)
    await must(['npm', 'install', '--offline', '--prefix', home, tarball], home)
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['weir'])
    const database = await createEmptyDatabase()
    const [port, operatingPort] = [await findLastingPort(), await findLastingPort()]
    const dev = spawnCommand(['npx', 'weir', 'dev'], {
      cwd: home,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: home,
        WEIR_HTTP_PORT: String(port),
        WEIR_OPERATING_PORT: String(operatingPort),
        WEIR_WORKER_PORT: '0',
        WEIR_POSTGRES_URL: database.url,
        WEIR_REDIS_URL: testRedisUrl(),
      },
    })
    try {
      await dev.waitForLine(/^Ctrl-C stops everything/)
      const [, key = ''] = await dev.waitForLine(/standard key +(\S+)/)
      const url = `http://127.0.0.1:${port}`
      const body = { model: 'test/echo', messages: [{ role: 'user', content: 'Hello from a package' }] }
      const answer = await createClient(url, key).post('/v1/chat/completions', body)
      expect(answer).toMatchObject({
        status: 200,
        json: { choices: [{ message: { content: 'Hello from a package' } }] },
      })
      for (const site of ['console', 'docs']) expect(await (await fetch(`${url}/${site}/`)).text()).toBe('a page')
    } finally {
      dev.kill()
      await dev.exited
      await database.drop()
    }
  })

  it('has compiled its modules for the Node that built it', () => {
    const [cache = ''] = readdirSync(join(folder, 'compile-cache'))
    expect(cache).toContain(process.version)
    expect(readdirSync(join(folder, 'compile-cache', cache)).length).toBeGreaterThan(5)
  })
})

const source = (...words: string[]) => weir(join(repositoryRoot, 'server/src/bin/weir.js'), words)

/** Prints the bytes of modules that a program has loaded by its end. */
const counting = `
  import { registerHooks } from 'node:module'
  let bytes = 0
  registerHooks({ load(url, context, next) {
    const loaded = next(url, context)
    bytes += url.startsWith('file:') ? (loaded.source?.length ?? 0) : 0
    return loaded
  } })
  process.on('exit', () => console.log('loaded ' + bytes))`

/** Everything that a command loads until it finds no Postgres. */
async function loadedBy(program: string, words: readonly string[]): Promise<{ bytes: number }> {
  const hook = `data:text/javascript,${encodeURIComponent(counting)}`
  const { output } = await runCommand([process.execPath, '--import', hook, program, ...words], {
    cwd: repositoryRoot,
    env: { WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e', WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' },
  })
  return { bytes: Number(/^loaded (\d+)$/m.exec(output)?.[1]) }
}

async function weir(program: string, words: readonly string[]) {
  const { code, output } = await runCommand([process.execPath, program, ...words], { cwd: repositoryRoot })
  return { code, output }
}

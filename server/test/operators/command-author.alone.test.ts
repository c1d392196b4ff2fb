import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'

const ada = 'ada@example.com'

describe('the operator of a command', () => {
  let database: TestDatabase
  let folder: string

  beforeAll(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'weir-author-'))
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
    })
  })
  beforeEach(() => {
    delete process.env['WEIR_OPERATOR']
  })
  afterAll(async () => {
    delete process.env['WEIR_OPERATOR']
    await rm(folder, { recursive: true })
    await database.drop()
  })

  it('is named by WEIR_OPERATOR, in the history of prices and in the audit log', async () => {
    process.env['WEIR_OPERATOR'] = ada
    expect(await run(`catalogue import ${await catalogueFile()}`)).toMatchObject({ code: 0 })
    expect((await run('catalogue history acme/one')).out).toMatch(
      /^acme +\S+Z +ada@example\.com +prompt 1 per million/m,
    )
    const { out } = await run('audit list --action catalogue.import')
    expect(out).toMatch(/^TIME +ACTOR +ACTION +TARGET +CHANGE/)
    expect(out).toMatch(/^\S+Z +operator:ada@example\.com +catalogue\.import .*acme\/one/m)
  })

  it('is the user of the operating system if WEIR_OPERATOR is empty', async () => {
    process.env['WEIR_OPERATOR'] = ' '
    expect(await run('brake on --reason drill')).toMatchObject({ code: 0 })
    expect((await run('audit list --action brake. --limit 1')).out).toContain(`operator:${userInfo().username} `)
  })

  it('cannot have a name with control characters, or a long one', async () => {
    for (const name of ['ada\nmallory', 'a'.repeat(201)]) {
      process.env['WEIR_OPERATOR'] = name
      const { code, error } = await run('brake off')
      expect([code, error]).toEqual([2, expect.stringContaining('WEIR_OPERATOR')])
    }
  })

  it('weir audit list limits entries by actor, target and time, and prints CSV', async () => {
    expect((await linesOf(`--actor ${ada}`)).length).toBe(1)
    expect((await linesOf('--target acme/one')).length).toBe(1)
    expect((await linesOf('--target acme/none')).length).toBe(0)
    expect((await linesOf('--since 2100-01-01T00:00:00Z')).length).toBe(0)
    expect((await linesOf('--limit 1')).length).toBe(1)
    const { out } = await run(`audit list --csv --actor ${ada}`)
    const [heading, row, ...rest] = out.trimEnd().split('\n')
    expect(heading).toContain('actor_name,action')
    expect(row).toContain('ada@example.com,catalogue.import')
    expect(rest).toEqual([])
  })

  async function catalogueFile(): Promise<string> {
    const pricing = { prompt: '0.000001', completion: '0.000001' }
    const modalities = { input_modalities: ['text'], output_modalities: ['text'] }
    const model = { id: 'acme/one', kind: 'chat', provider: 'acme', upstream_model_id: 'name', pricing, offers: [] }
    const file = join(folder, 'models.json')
    await writeFile(file, JSON.stringify([{ ...model, ...modalities }]))
    return file
  }
})

/** The lines below the heading. */
async function linesOf(options: string): Promise<string[]> {
  const { code, out, error } = await run(`audit list ${options}`)
  expect(code, error).toBe(0)
  return out.trimEnd().split('\n').slice(1)
}

async function run(line: string) {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}

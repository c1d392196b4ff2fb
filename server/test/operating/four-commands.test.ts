import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import { callChat, textOf } from '#test/setup/call-chat.ts'
import { createClient } from '#test/setup/client.ts'
import { patience } from '#test/setup/gateway.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { createEmptyDatabase } from '#test/setup/database.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const root = join(import.meta.dirname, '../../..')
const program = join(root, 'server/src/bin/weir.ts')
const vendorKey = 'sk-vendor-canary-81c2'

describe('the four commands of the README', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  let vendor: Simulator
  let folder: string
  let environment: Record<string, string>
  let key = ''
  let url = ''
  let operatingUrl = ''
  let workerUrl = ''
  const started: Spawned[] = []

  const start = (command: readonly string[], input = ''): Spawned => {
    const spawned = spawnCommand(command, { cwd: root, env: environment, input })
    started.push(spawned)
    return spawned
  }

  beforeAll(async () => {
    database = await createEmptyDatabase()
    vendor = await startSimulator()
    folder = await mkdtemp(join(tmpdir(), 'weir-four-'))
    environment = {
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_HTTP_PORT: '0',
      WEIR_WORKER_PORT: '0',
      ...patience,
      // Shorter than the 75 s for which idle connections would delay the shutdown.
      WEIR_DRAIN_TIMEOUT_MS: '60000',
      WEIR_DRAIN_NOTICE_MS: '0',
    }
  })
  afterAll(async () => {
    for (const spawned of started) spawned.kill()
    await vendor.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('lead from an empty database to a key', async () => {
    const lines = await readFourLines()
    expect(lines).toHaveLength(4)
    const outputs: string[] = []
    for (const line of lines) {
      // Unlike a reader, we have no account with the vendor.
      const ours = line.replace('--key -', `--key - --base-url ${vendor.url}/v1`)
      const command = start(['sh', '-c', ours], `${vendorKey}\n`)
      expect(await command.exited, `${line}\n${command.lines.join('\n')}`).toBe(0)
      outputs.push(command.lines.join('\n'))
    }
    expect(outputs[0]).toContain('applied 0001_')
    expect(outputs[0]).toMatch(/^starter catalogue of \d{4}-\d{2}-\d{2}: \d{3} models$/m)
    expect(outputs[2]).toContain('granted 25 USD')
    key = /^secret {2}(sk-weir-\S+)$/m.exec(outputs[3] ?? '')?.[1] ?? ''
    expect(key).not.toBe('')
    expect(outputs.join('\n')).not.toContain(vendorKey)
  })

  it('are enough for a gateway and a worker', async () => {
    const gateway = start([process.execPath, program, 'gateway'])
    const worker = start([process.execPath, program, 'worker'])
    const found = await gateway.waitForLine(/"operating":"([^"]+)","address":"([^"]+)"/)
    operatingUrl = found[1] ?? ''
    url = found[2] ?? ''
    workerUrl = (await worker.waitForLine(/"address":"([^"]+)","msg":"the worker is ready"/))[1] ?? ''
    expect(await get('/health', operatingUrl)).toEqual({ status: 200, text: '{"status":"alive"}' })
    expect(await get('/ready', operatingUrl)).toEqual({
      status: 200,
      text: '{"status":"ready","missing":[],"degraded":[]}',
    })
    expect(await get('/health', workerUrl)).toEqual({ status: 200, text: '{"status":"alive"}' })
    expect(await get('/ready', workerUrl)).toEqual({
      status: 200,
      text: '{"status":"ready","missing":[],"degraded":[],"parts":[]}',
    })
  })

  it("give answers at the starter catalogue's price, and receipts", async () => {
    const document = await callChat({ url, key }, {})
    expect(document.status).toBe(200)
    const usage = objectAt(document.json, 'usage')
    const cost = Number(usage.cost)
    // 1.75 and 14 USD per million tokens are 1,750 and 14,000 nano-USD per token.
    const nano = 1_750 * Number(usage.prompt_tokens) + 14_000 * Number(usage.completion_tokens)
    expect(Math.round(cost * 1e9)).toBe(nano)
    expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${vendorKey}`)

    const stream = await callChat({ url, key }, { stream: true })
    expect(textOf(stream.chunks)).toBe('Hello there my friend')
    expect(stream.sawDone).toBe(true)
    expect(Number(objectAt(stream.chunks.at(-1) ?? {}, 'usage').cost)).toBe(cost)

    for (const reply of [document, stream]) {
      const receipt = await get(`/v1/generation?id=${reply.headers.get('x-generation-id')}`)
      expect(receipt.status).toBe(200)
      expect(JSON.parse(receipt.text)).toMatchObject({ data: { total_cost: cost, receipt: { total: cost } } })
    }
  })

  it('are counted in the metrics that the operating manual names', async () => {
    const { text } = await get('/metrics', operatingUrl)
    const { text: workerText } = await get('/metrics', workerUrl)
    const manual = await readFile(join(root, 'docs/operating.md'), 'utf8')
    const named = new Set(manual.match(/\bweir_[a-z_]+/g))
    const ours = [...`${text}\n${workerText}`.matchAll(/^# TYPE (weir_\w+)/gm)].map(([, name = '']) => name)
    expect(ours.filter((name) => !named.has(name))).toEqual([])
    expect([...named].filter((name) => !ours.includes(name))).toEqual([])
    expect(text).toContain('weir_generations_total{provider="openai",account="openai",outcome="answered"} 2')
    for (const figure of [
      'weir_http_requests_total{method="POST",route="/v1/chat/completions",status="200"} 2',
      'weir_attempts_total{provider="openai",account="openai",outcome="answered"} 2',
      'weir_generation_duration_seconds_count{model="openai/gpt-5.2",provider="openai",account="openai"} 2',
      'weir_batch_size_sum{queue="settles"} 2',
      'weir_http_requests_in_flight 0',
    ]) {
      expect(text).toContain(figure)
    }
    expect(workerText).toMatch(/^weir_rollup_lag_seconds [\d.]+$/m)
    expect(workerText).toContain('weir_ledger_consistent 1')
  })

  it('are named by the conventions of Prometheus', async () => {
    for (const from of [operatingUrl, workerUrl]) {
      const { text } = await get('/metrics', from)
      const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      expect([checked.error, checked.stdout, checked.stderr, checked.status]).toEqual([undefined, '', '', 0])
    }
  })

  it('end well: a stream that is running at SIGTERM comes to its end, then both processes exit with 0', async () => {
    vendor.playNext(
      insertAfterWrites(goodStream({ pieces: ['one ', 'two ', 'three'] }), 2, { do: 'gate', name: 'rest' }),
    )
    const body = { model: 'openai/gpt-5.2', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const response = await createClient(url, key).open('POST', '/v1/chat/completions', body)
    await vendor.waitForGate('rest')
    const [gateway, worker] = started.slice(-2)
    if (gateway === undefined || worker === undefined) throw new Error('both processes were started')
    gateway.process.kill('SIGTERM')
    worker.process.kill('SIGTERM')
    await gateway.waitForLine(/"msg":"draining"/)
    expect(await worker.exited).toBe(0)
    await expect(fetch(`${url}/v1/models`)).rejects.toThrow('fetch failed')
    expect(await get('/ready', operatingUrl)).toMatchObject({ status: 503 })
    vendor.release('rest')
    const payloads = payloadsOf(await response.text())
    expect(payloads.at(-1)).toBe('[DONE]')
    expect(payloads.at(-2)).toContain('"cost":')
    // The exit code would be 1 if a timeout had killed it.
    expect(await gateway.exited, gateway.lines.slice(-5).join('\n')).toBe(0)
  })

  it('leave books that agree', async () => {
    const audit = start([process.execPath, program, 'audit', 'ledger'])
    expect(await audit.exited).toBe(0)
    expect(audit.lines).toEqual(['the ledger is consistent'])
  })

  async function get(path: string, base = url): Promise<{ status: number; text: string }> {
    const { status, text } = await createClient(base, key).get(path)
    return { status, text }
  }
})

/** The commands exactly as printed. */
async function readFourLines(): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const chapter = readme.slice(readme.indexOf('## Serve a real model in four commands'))
  const block = /```(?:sh)?\n([\s\S]*?)```/.exec(chapter)?.[1] ?? ''
  return block.split('\n').filter((line) => line.startsWith('npm run weir'))
}

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { shared } from '#test/routing/hosts-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'
import { startTracesWorld, traceOf, type TracesWorld } from './traces-world.ts'

const openMetricsType = 'application/openmetrics-text'
const closing: (() => Promise<unknown>)[] = []
let world: TracesWorld
let traceId: string
let folder: string

beforeAll(async () => {
  world = await startTracesWorld()
  folder = await mkdtemp(join(tmpdir(), 'weir-exemplars-'))
  closing.push(world.close, () => rm(folder, { recursive: true, force: true }))
  const caller = await world.gateway.createClient()
  const body = { model: shared, messages: hello, stream: true }
  const reply = await world.gateway.as(caller).post('/v1/chat/completions', body)
  traceId = traceOf(reply.headers)
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

it('latencies name the trace of a request that they count, for readers of OpenMetrics alone', async () => {
  const { operating } = world.gateway.gateway
  const accept = `${openMetricsType};version=1.0.0,text/plain;version=0.0.4;q=0.5`
  const open = await operating.inject({ url: '/metrics', headers: { accept } })
  expect(open.headers['content-type']).toBe(`${openMetricsType}; version=1.0.0; charset=utf-8`)
  for (const name of ['weir_generation_duration_seconds', 'weir_time_to_first_token_seconds']) {
    expect(open.body).toMatch(
      new RegExp(`^${name}_bucket\\{.*\\} 1 # \\{trace_id="${traceId}"\\} [0-9.]+ [0-9.]+$`, 'm'),
    )
  }
  const usual = await operating.inject({ url: '/metrics', headers: { accept: 'text/plain' } })
  expect(usual.headers['content-type']).toBe('text/plain; version=0.0.4')
  expect(usual.body).not.toContain('trace_id')
  // A counter whose short name belongs to another metric would have no known type.
  expect(open.body).not.toMatch(/^# TYPE \S+ unknown$/m)
  // The same samples, independent of their names above.
  expect(samplesIn(open.body)).toEqual(samplesIn(usual.body))
  const check = promisify(execFile)('promtool', ['check', 'metrics'])
  check.child.stdin?.end(usual.body)
  expect(await check).toMatchObject({ stdout: '', stderr: '' })
})

function samplesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('weir_'))
  return lines.map((line) => line.replace(/ \S+(?: # .*)?$/, '')).sort()
}

it('a real Prometheus reads them', async () => {
  const target = await world.gateway.gateway.operating.listen({ host: '127.0.0.1', port: 0 })
  const ask = await startPrometheus(new URL(target).host)
  await expect.poll(() => ask('query?query=up'), { timeout: 60_000 }).toContain('"1"]')
  const query = `query_exemplars?query=weir_time_to_first_token_seconds_bucket&start=${Date.now() / 1_000 - 3_600}&end=${Date.now() / 1_000 + 3_600}`
  await expect.poll(() => ask(query), { timeout: 60_000 }).toContain(`"labels":{"trace_id":"${traceId}"}`)
})

/** Scrapes the target every 200 ms; resolves with a query function. */
async function startPrometheus(target: string): Promise<(path: string) => Promise<string>> {
  const job = { job_name: 'weir-gateway', static_configs: [{ targets: [target] }] }
  const settings = { global: { scrape_interval: '200ms', scrape_timeout: '200ms' }, scrape_configs: [job] }
  await writeFile(join(folder, 'prometheus.yaml'), stringify(settings))
  const address = `127.0.0.1:${await findLastingPort()}`
  const words = {
    'config.file': join(folder, 'prometheus.yaml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': address,
    'enable-feature': 'exemplar-storage',
    'log.level': 'error',
  }
  const started = spawn(
    'prometheus',
    Object.entries(words).map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
  )
  const exited = once(started, 'exit')
  const watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
  closing.push(async () => {
    started.kill('SIGKILL')
    watcher.kill('SIGKILL')
    await exited
  })
  return (path) =>
    fetch(`http://${address}/api/v1/${path}`).then(
      (answer) => answer.text(),
      () => '',
    )
}

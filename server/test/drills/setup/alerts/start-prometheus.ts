import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { isJsonObject } from '#lib/json.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'
import { until } from '../until.ts'
import { shortenRules } from './shorten-rules.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../../..')

export interface Prometheus {
  /** Returns the names of the firing alerts. */
  firing(): Promise<ReadonlySet<string>>
  remove(): Promise<void>
}

// The usual interval in production, before it is shortened.
const everyMs = 15_000

/**
 * Starts a Prometheus with our rules that scrapes gateways and workers and evaluates this many times faster than in
 * production.
 */
export async function startPrometheus(
  factor: number,
  ports: { readonly gateway: number; readonly worker: number },
): Promise<Prometheus> {
  await run(join(root, '.ci/prometheus'))
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const rules = await readFile(join(root, 'ops/prometheus/rules.yaml'), 'utf8')
  await writeFile(join(folder, 'rules.yaml'), shortenRules(rules, factor))
  await writeFile(join(folder, 'prometheus.yaml'), stringify(settingsFor(everyMs / factor, ports)))
  const url = `http://127.0.0.1:${await findLastingPort()}`
  const words = {
    'config.file': join(folder, 'prometheus.yaml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': new URL(url).host,
    'log.level': 'error',
  }
  const started = spawn(
    'prometheus',
    Object.entries(words).map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
  )
  const exited = once(started, 'exit')
  const watcher = whenOrphaned('kill -9 "$1"', [String(started.pid)])
  await until(async () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => (ok ? null : 'Prometheus is not ready'),
      () => 'Prometheus does not answer',
    ),
  )
  return {
    firing: async () => namesOf(await (await fetch(`${url}/api/v1/alerts`)).json()),
    remove: async () => {
      started.kill('SIGKILL')
      watcher.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function settingsFor(intervalMs: number, ports: { gateway: number; worker: number }): object {
  const interval = `${intervalMs}ms`
  return {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: ['rules.yaml'],
    scrape_configs: Object.entries(ports).map(([name, port]) => ({
      job_name: `weir-${name}`,
      static_configs: [{ targets: [`127.0.0.1:${port}`] }],
    })),
  }
}

function namesOf(answer: unknown): Set<string> {
  const data = isJsonObject(answer) ? answer['data'] : null
  const alerts = isJsonObject(data) ? data['alerts'] : null
  if (!Array.isArray(alerts)) throw new Error(`Prometheus answered ${JSON.stringify(answer)}`)
  const firing = alerts.filter(isJsonObject).filter(({ state }) => state === 'firing')
  return new Set(firing.map(({ labels }) => (isJsonObject(labels) ? String(labels['alertname']) : '')))
}

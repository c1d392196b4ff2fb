import { deepStrictEqual } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { isRecord } from '../lib/is-record.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { must } from '../lib/must.ts'

const chart = join(repositoryRoot, 'deploy/kubernetes/chart')
const program = join(repositoryRoot, 'tools/deploy/render-chart.go')
// Debian installs Go libraries there: golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev.
const goEnvironment = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }

const autoscaler = 'HorizontalPodAutoscaler weir-gateway'
const networkPolicy = 'NetworkPolicy weir'

type Changes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const everything: Changes = {
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
  serviceMonitor: { enabled: true },
  gateway: { requestsInFlight: 300, queueDepth: 100 },
}
/**
 * Labels and annotations that the chart adds so that a cluster can hold more than one release and pods restart when
 * settings change.
 */
const added = new Set(['app.kubernetes.io/part-of', 'app.kubernetes.io/instance', 'annotations', 'imagePullPolicy'])

/**
 * Renders the chart with defaults, with everything enabled, and with a trace collector. The second must equal the
 * overlay with an adapter plus an ingress; the third must have the network policy of the component for collectors.
 */
export async function checkChart(built: { base: string; withAdapter: string; withCollector: string }): Promise<void> {
  const { base, withAdapter, withCollector } = built
  const plain = await render({})
  deepStrictEqual(plain.get(autoscaler), resourcesOf(base).get(autoscaler))
  if (plain.has('Ingress weir') || plain.has('ServiceMonitor weir'))
    throw new Error('The chart is not as its values say.')
  const whole = await render(everything)
  if (!whole.delete('Ingress weir')) throw new Error('The chart has no ingress.')
  deepStrictEqual(whole, resourcesOf(withAdapter))
  const traced = await render({ networkPolicy: { collectorPort: 4318 } })
  deepStrictEqual(traced.get(networkPolicy), resourcesOf(withCollector).get(networkPolicy))
}

async function render(changes: Changes): Promise<Map<string, unknown>> {
  const values = readYaml('values.yaml')
  for (const [section, change] of Object.entries(changes)) values[section] = { ...recordOf(values[section]), ...change }
  const { name, version, appVersion } = readYaml('Chart.yaml')
  const folder = mkdtempSync(join(tmpdir(), 'weir-chart-'))
  try {
    const file = join(folder, 'values.json')
    const data = {
      Values: values,
      Release: { Name: 'weir' },
      Chart: { Name: name, Version: version, AppVersion: appVersion },
    }
    writeFileSync(file, JSON.stringify(data))
    return resourcesOf(await must(['go', 'run', program, chart, file], folder, goEnvironment))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resources by kind and name, without the labels that the chart adds. */
function resourcesOf(text: string): Map<string, unknown> {
  const resources = parseAllDocuments(text, { merge: true }).map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return recordOf(withoutAdded(document.toJS()))
  })
  return new Map(
    resources
      .filter(({ kind }) => kind !== undefined)
      .map(
        (resource) =>
          [`${String(resource['kind'])} ${String(recordOf(resource['metadata'])['name'])}`, resource] as const,
      )
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )
}

/** Also removes an object that becomes empty. */
function withoutAdded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdded)
  if (!isRecord(value)) return value
  const kept = Object.entries(value)
    .filter(([key]) => !added.has(key))
    .map(([key, inner]) => [key, withoutAdded(inner)] as const)
    .filter(([, inner]) => !isRecord(inner) || Object.keys(inner).length > 0)
  return Object.fromEntries(kept)
}

function readYaml(file: string): Record<string, unknown> {
  return recordOf(parse(readFileSync(join(chart, file), 'utf8')))
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

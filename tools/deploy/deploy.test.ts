import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { isRecord } from '../lib/is-record.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'

const all = new Map(listFiles(repositoryRoot).map(({ path, text }) => [path, text]))
const files = [...all].filter(([path]) => path.startsWith('deploy/'))
const read = (path: string): string => all.get(path) ?? ''
const documents = (path: string): unknown[] =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors, path).toEqual([])
    return document.toJS()
  })
/** Each metric of an autoscaler with its target. */
const metricsOf = (autoscaler: unknown): string[] => {
  const spec = isRecord(autoscaler) && isRecord(autoscaler['spec']) ? autoscaler['spec'] : {}
  return (Array.isArray(spec['metrics']) ? spec['metrics'] : []).map(({ resource, pods }) =>
    resource === undefined
      ? `${pods.metric.name} ${pods.target.averageValue}`
      : `${resource.name} ${resource.target.averageUtilization}`,
  )
}
/** The ports that a network policy allows pods to reach. */
const egressPortsOf = (policy: unknown): unknown[] => {
  const spec = isRecord(policy) && isRecord(policy['spec']) ? policy['spec'] : {}
  return (Array.isArray(spec['egress']) ? spec['egress'] : []).flatMap(({ ports }) => ports)
}
/**
 * A template of the chart with every part enabled, and the values of the overlay. Helm's own engine renders it in `npm
 * run package -- --all`.
 */
const renderPlainly = (name: string): string =>
  read(`deploy/kubernetes/chart/templates/${name}`)
    .replaceAll(/^\s*\{\{-? range \.Values\.networkPolicy\.egressPorts \}\}\n(.*\n)/gm, (_, line: string) =>
      [5432, 6379, 443].map((port) => line.replace('{{ . }}', String(port))).join(''),
    )
    .replaceAll(/^\s*\{\{-? (?:if|end).*\n/gm, '')
    .replaceAll('{{ .Values.networkPolicy.monitoringNamespace }}', 'monitoring')
    .replaceAll('{{ .Values.networkPolicy.collectorPort }}', '4318')
    .replaceAll(/\{\{ \.Values\.gateway\.(\w+)(?: \| quote)? \}\}/g, (_, value: string) =>
      String({ requestsInFlight: 300, queueDepth: 100, cpuPercent: 65 }[value] ?? 1),
    )
    .replaceAll(/\{\{ \.Release\.Name \}\}/g, 'weir')
const version: unknown = JSON.parse(read('package.json')).version

describe('what is deployed', () => {
  it('names variables that are settings, and no others: a process would not start', () => {
    const known = new Set(read('docs/configuration.md').match(/\bWEIR_[A-Z0-9_]+/g))
    // These two belong to the files themselves.
    for (const own of ['WEIR_CONFIG', 'WEIR_IMAGE']) known.add(own)
    const named = files.flatMap(([path, text]) =>
      (text.match(/\bWEIR_[A-Z0-9_]+/g) ?? []).map((name) => ({ path, name })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ name }) => !known.has(name))).toEqual([])
  })

  it('is this version', () => {
    const tags = files.flatMap(([, text]) => [...text.matchAll(/(?:weir:|newTag: |appVersion: )(\d[\w.]*)/g)])
    expect(tags.length).toBeGreaterThan(3)
    for (const [, tag] of tags) expect(tag).toBe(version)
  })

  it.each(['gateway', 'worker'])(
    'has pods of a %s that migrate first, write to their volume alone, and keep it',
    (name) => {
      const [set] = documents(`deploy/kubernetes/base/${name}.yaml`)
      const isolated = {
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
      }
      expect(set).toMatchObject({
        kind: 'StatefulSet',
        spec: {
          template: {
            spec: {
              enableServiceLinks: false,
              securityContext: { runAsNonRoot: true, runAsUser: 65_532 },
              initContainers: [{ args: ['migrate'], ...isolated }],
              containers: [
                { args: [name], ...isolated, volumeMounts: [{ name: 'spool', mountPath: '/var/lib/weir' }] },
              ],
            },
          },
          volumeClaimTemplates: [{ metadata: { name: 'spool' } }],
        },
      })
    },
  )

  it('scales by CPU alone without an adapter, and with one by figures that gateways show, the same in chart and overlay', () => {
    expect(metricsOf(documents('deploy/kubernetes/base/scaling.yaml')[0])).toEqual(['cpu 65'])
    const [overlay] = documents('deploy/kubernetes/with-adapter/kustomization.yaml')
    const [patch] = isRecord(overlay) && Array.isArray(overlay['patches']) ? overlay['patches'] : []
    const added: unknown = parse(isRecord(patch) ? String(patch['patch']) : '')
    const metrics = (Array.isArray(added) ? added : []).map(({ op, path, value }) => {
      expect([op, path]).toEqual(['add', '/spec/metrics/-'])
      return value
    })
    const withAdapter = metricsOf({ spec: { metrics } })
    expect(withAdapter).toEqual(['weir_http_requests_in_flight 300', 'weir_queue_depth 100'])
    expect(metricsOf(parseAllDocuments(renderPlainly('scaling.yaml'))[0]?.toJS())).toEqual(['cpu 65', ...withAdapter])
    const documented = read('docs/operating.md')
    for (const entry of withAdapter) {
      const [name = ''] = entry.split(' ')
      expect(documented).toContain(`| \`${name}\` |`)
      expect(read('docs/deploy.md')).toMatch(new RegExp(`__name__=~"[^"]*\\b${name}\\b`))
    }
    expect(parse(read('deploy/kubernetes/chart/values.yaml'))).toMatchObject({
      gateway: { requestsInFlight: 0, queueDepth: 0 },
    })
  })

  it('lets pods reach a collector of traces where that is asked for, the same in chart and component', () => {
    const plain = egressPortsOf(documents('deploy/kubernetes/base/network.yaml')[0])
    expect(plain.slice(2)).toEqual([{ port: 5432 }, { port: 6379 }, { port: 443 }])
    const [component] = documents('deploy/kubernetes/with-collector/kustomization.yaml')
    const [patch] = isRecord(component) && Array.isArray(component['patches']) ? component['patches'] : []
    const collector = { port: 4318 }
    expect(parse(isRecord(patch) ? String(patch['patch']) : '')).toEqual([
      { op: 'add', path: '/spec/egress/0/ports/-', value: collector },
    ])
    expect(egressPortsOf(parseAllDocuments(renderPlainly('network.yaml'))[0]?.toJS())).toEqual([...plain, collector])
    expect(parse(read('deploy/kubernetes/chart/values.yaml'))).toMatchObject({
      networkPolicy: { egressPorts: [5432, 6379, 443], collectorPort: 0 },
    })
  })

  it('has containers of compose that wait for the migration, and a root that they cannot write', () => {
    const [compose] = documents('deploy/compose/compose.yaml')
    const services = isRecord(compose) && isRecord(compose['services']) ? compose['services'] : {}
    for (const name of ['gateway', 'worker']) {
      expect(services[name]).toMatchObject({
        read_only: true,
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
        volumes: expect.arrayContaining([`${name}:/var/lib/weir`]),
      })
    }
  })

  it('gives each unit of systemd a folder of its own and time to drain, after the migration', () => {
    for (const name of ['gateway', 'worker']) {
      const unit = read(`deploy/systemd/weir-${name}@.service`)
      expect(unit).toMatch(/^Requires=weir-migrate\.service$/m)
      expect(unit).toMatch(new RegExp(`^StateDirectory=weir-${name}-%i$`, 'm'))
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(31)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
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
const version: unknown = JSON.parse(read('package.json')).version

describe('what is deployed', () => {
  it('names variables that are settings, and no others: a process would not start', () => {
    const known = new Set(read('docs/configuration.md').match(/\bWEIR_[A-Z0-9_]+/g))
    // These two are of the files themselves.
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

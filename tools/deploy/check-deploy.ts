import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import { repositoryRoot } from '../lib/repository-root.ts'
import { must } from '../lib/must.ts'
import { checkChart } from './check-chart.ts'

const deploy = join(repositoryRoot, 'deploy')
// In tenths, as systemd-analyze expects it.
const exposureMax = 20

/** Validates the files in `deploy` with their own tools. Returns a list of the validated files. */
export async function checkDeploy(): Promise<string[]> {
  const units = readdirSync(join(deploy, 'systemd')).map((name) => join(deploy, 'systemd', name))
  for (const unit of units) {
    await must(
      ['systemd-analyze', 'security', '--no-pager', '--offline=true', `--threshold=${exposureMax}`, unit],
      deploy,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'weir-settings-'))
  try {
    await must([process.execPath, join(deploy, 'compose/make-settings.mjs'), folder], deploy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  await must(['docker-compose', '--file', join(deploy, 'compose/compose.yaml'), 'config', '--quiet'], deploy)
  const build = (folder: string): Promise<string> => must(['kubectl', 'kustomize', join(deploy, folder)], deploy)
  await checkChart({
    base: await build('kubernetes/base'),
    withAdapter: await build('kubernetes/with-adapter'),
    withCollector: await buildWithCollector(),
  })
  return [
    `${units.length} units of systemd, exposed less than ${exposureMax / 10}`,
    'compose',
    'kustomize',
    'the chart, which describes the same',
  ]
}

/** Builds the base with the component for trace collectors, as an operator's overlay does. */
async function buildWithCollector(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weir-overlay-')))
  const at = (name: string): string => relative(folder, join(deploy, 'kubernetes', name))
  try {
    const overlay = { resources: [at('base')], components: [at('with-collector')] }
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(overlay))
    return await must(['kubectl', 'kustomize', folder], deploy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkDeploy } from '../deploy/check-deploy.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { buildImage } from './build-image.ts'
import { openBuildah } from './buildah.ts'
import { must } from '../lib/must.ts'
import { packInto } from './pack-into.ts'
import { proveImage } from './prove-image.ts'
import { signHashes, writeHashes } from './sign.ts'
import { writeBillOfMaterials, writeImageBill } from './write-bill-of-materials.ts'

/**
 * `npm run package` builds and writes the parts of a release to `.weir/package`: the npm package, the OCI image for
 * this machine's architecture, the bills of materials of both, and all hashes. It starts the image and sends it a
 * request.
 *
 * --keep-sites   takes the console and the documentation as they were built before
 * --no-image     leaves the image out, which needs Linux, root, buildah, mmdebstrap, Postgres and Redis
 * --all          lets systemd-analyze, docker-compose, kubectl and Helm's template engine (Go) read what is in `deploy`
 * --key <file>   signs the hashes with a private key of Ed25519
 */
const { values } = parseArgs({
  options: {
    'keep-sites': { type: 'boolean', default: false },
    'no-image': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    key: { type: 'string' },
  },
})
const folder = join(repositoryRoot, '.weir/package')
const build = join(repositoryRoot, 'dist')
const sinceMs = performance.now()

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await must(['npm', 'run', '--silent', 'build', '--', ...(values['keep-sites'] ? ['--keep-sites'] : [])], repositoryRoot)
say('built', build)
say('packed', await packInto(folder, build))
const bill = await writeBillOfMaterials(folder)
say('wrote', bill)
if (!values['no-image']) await makeImage()
if (values.all) for (const what of await checkDeploy()) say('checked', what)
const hashes = writeHashes(folder)
if (values.key === undefined) say('wrote', `${hashes}, not signed: --key names no key`)
else {
  signHashes(hashes, values.key)
  say('signed', hashes)
}

async function makeImage(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8'))
  const buildah = openBuildah()
  try {
    const { archive, debian } = await buildImage(buildah, { build, folder, version })
    say('wrote', archive)
    say('wrote', writeImageBill({ archive, bill }, { node: process.versions, debian }))
    await proveImage(buildah, {
      archive,
      serverUrl: process.env['WEIR_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
      redisUrl: process.env['WEIR_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    })
    say('asked', 'the image: it answers with a read-only root, as a user without rights')
  } finally {
    await buildah.close()
  }
}

function say(verb: string, what: string): void {
  console.log(`${((performance.now() - sinceMs) / 1_000).toFixed(0).padStart(4)} s  ${verb} ${what}`)
}

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '../lib/must.ts'

/** buildah with a store of its own. It needs no daemon and no rights beyond those to mount. */
export interface Buildah {
  readonly folder: string
  readonly image: string
  /** Answers what it printed. */
  run(...words: string[]): Promise<string>
  close(): Promise<void>
}

export function openBuildah(): Buildah {
  for (const program of ['buildah', 'mmdebstrap']) {
    if (spawnSync(program, ['--version']).status === 0) continue
    throw new Error(
      `${program} is missing: apt-get install -y --no-install-recommends buildah mmdebstrap (or --no-image)`,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'weir-image-'))
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const run = async (...words: string[]) =>
    (await must(['buildah', ...store, ...words], folder, { BUILDAH_ISOLATION: 'chroot' })).trim()
  return {
    folder,
    image: 'localhost/weir',
    run,
    close: async () => {
      // It unmounts what it has mounted.
      await run('rm', '--all')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '../lib/must.ts'

/** buildah with its own store. It needs no daemon and no permissions except to mount. */
export interface Buildah {
  readonly folder: string
  readonly image: string
  /** Returns the output. */
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
      // Unmounts everything that it mounted.
      await run('rm', '--all')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

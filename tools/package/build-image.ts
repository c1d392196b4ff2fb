import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import type { Buildah } from './buildah.ts'
import { imageUser } from './image-user.ts'
import { must } from './must.ts'

/** What Node is linked with, and time zones. `extract` runs no script of a package, so there is neither a shell nor a user. */
const debian = ['--variant=extract', '--quiet', '--include=libc6,libgcc-s1,libstdc++6,tzdata', 'bookworm']

/** Builds the image for the architecture of this machine, and writes it as an OCI archive. Answers its path. */
export async function buildImage(
  buildah: Buildah,
  { build, folder, version }: { build: string; folder: string; version: string },
): Promise<string> {
  const context = join(buildah.folder, 'context')
  mkdirSync(join(context, 'data'), { recursive: true })
  await must(['mmdebstrap', ...debian, join(context, 'root.tar')], context)
  copyFileSync(process.execPath, join(context, 'node'))
  cpSync(build, join(context, 'weir'), { recursive: true })
  giveCacheTo(imageUser, join(context, 'weir/compile-cache'))
  const file = join(repositoryRoot, 'deploy/image/Containerfile')
  const options = ['--quiet', '--layers=false', '--timestamp=0', `--build-arg=VERSION=${version}`]
  await buildah.run('build', ...options, '--tag', buildah.image, '--file', file, context)
  const archive = join(folder, `weir-${version}-${process.arch}.oci.tar`)
  await buildah.run('push', '--quiet', buildah.image, `oci-archive:${archive}:weir:${version}`)
  return archive
}

/** Node keeps what it compiled in a folder named for its version and the user, and looks for no other. */
function giveCacheTo(user: number, cache: string): void {
  for (const name of readdirSync(cache)) {
    renameSync(join(cache, name), join(cache, name.replace(/-\d+$/, `-${user}`)))
  }
}

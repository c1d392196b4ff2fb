import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import type { Buildah } from './buildah.ts'
import { imageUser } from './image-user.ts'
import { must } from '../lib/must.ts'
import type { DebianPackage } from './write-bill-of-materials.ts'

/**
 * Images without a package manager list their packages here. Vulnerability scanners read it, and the name of the
 * system.
 */
const packageList = 'var/lib/dpkg/status.d'
const listPackages = `mkdir -p "$1/${packageList}"
for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$deb" > "$1/${packageList}/$(dpkg-deb --field "$deb" Package)"
done
printf 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\\nID=debian\\nVERSION_ID="12"\\nVERSION_CODENAME=bookworm\\n' > "$1/etc/os-release"`

/**
 * The libraries that Node links to, and time zones. `extract` runs no package scripts, so the image has neither a shell
 * nor a user.
 */
const libraries = [
  '--variant=extract',
  '--quiet',
  '--include=libc6,libgcc-s1,libstdc++6,tzdata',
  `--extract-hook=${listPackages}`,
  'bookworm',
]

/**
 * Builds the image for this machine's architecture and writes it as an OCI archive. Returns its path and its Debian
 * packages.
 */
export async function buildImage(
  buildah: Buildah,
  { build, folder, version }: { build: string; folder: string; version: string },
): Promise<{ archive: string; debian: readonly DebianPackage[] }> {
  const context = join(buildah.folder, 'context')
  mkdirSync(join(context, 'data'), { recursive: true })
  await must(['mmdebstrap', ...libraries, join(context, 'root.tar')], context)
  copyFileSync(process.execPath, join(context, 'node'))
  cpSync(build, join(context, 'weir'), { recursive: true })
  giveCacheTo(imageUser, join(context, 'weir/compile-cache'))
  const file = join(repositoryRoot, 'deploy/image/Containerfile')
  const options = ['--quiet', '--layers=false', '--timestamp=0', `--build-arg=VERSION=${version}`]
  await buildah.run('build', ...options, '--tag', buildah.image, '--file', file, context)
  const archive = join(folder, `weir-${version}-${process.arch}.oci.tar`)
  await buildah.run('push', '--quiet', buildah.image, `oci-archive:${archive}:weir:${version}`)
  return { archive, debian: await packagesOf(join(context, 'root.tar')) }
}

async function packagesOf(root: string): Promise<readonly DebianPackage[]> {
  const printed = await must(['tar', '--extract', '--to-stdout', '--file', root, `./${packageList}`], '/')
  const fields = (name: string) =>
    [...printed.matchAll(new RegExp(`^${name}: (.+)$`, 'gm'))].map(([, value = '']) => value)
  const [names, versions, architectures] = [fields('Package'), fields('Version'), fields('Architecture')]
  return names.map((name, at) => ({ name, version: versions[at] ?? '', architecture: architectures[at] ?? '' }))
}

/** Node looks up compiled code only in a folder named for its version and the user. */
function giveCacheTo(user: number, cache: string): void {
  for (const name of readdirSync(cache)) {
    renameSync(join(cache, name), join(cache, name.replace(/-\d+$/, `-${user}`)))
  }
}

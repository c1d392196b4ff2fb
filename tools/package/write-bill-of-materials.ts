import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { must } from '../lib/must.ts'

/** Writes the build's bill of materials in CycloneDX format, from the lock file. Returns its path. */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const options = ['--package-lock-only', '--omit=dev', '--omit=optional', '--loglevel=silent']
  const printed = await must(['npm', 'sbom', '--sbom-format=cyclonedx', ...options], repositoryRoot)
  const bill = JSON.parse(printed)
  if (!Array.isArray(bill.components) || bill.components.length < 100)
    throw new Error('The bill of materials lacks packages.')
  // npm names the bill after the containing folder.
  const path = join(folder, 'weir.cdx.json')
  writeBill(path, { ...bill, metadata: about(bill, { type: 'application', name: 'weir' }) })
  return path
}

/** The fields of a Debian package, as `dpkg-deb --field` prints them. */
export type DebianPackage = { readonly name: string; readonly version: string; readonly architecture: string }

/**
 * Writes the bill of materials of an image beside it: the build, Node with its linked libraries, and Debian's packages.
 * Returns its path.
 */
export function writeImageBill(
  { archive, bill }: { archive: string; bill: string },
  { node, debian }: { node: Readonly<Record<string, string | undefined>>; debian: readonly DebianPackage[] },
): string {
  const ofBuild = JSON.parse(readFileSync(bill, 'utf8'))
  const components = [...ofBuild.components, nodeComponent(node), ...debian.map(debianComponent)]
  const path = archive.replace(/\.tar$/, '.cdx.json')
  const metadata = about(ofBuild, { type: 'container', name: 'weir' })
  writeBill(path, { ...ofBuild, serialNumber: `urn:uuid:${crypto.randomUUID()}`, metadata, components })
  return path
}

interface Bill {
  readonly metadata: { readonly component: object }
}

function about({ metadata }: Bill, what: { type: string; name: string }): Bill['metadata'] {
  return { ...metadata, component: { ...metadata.component, ...what } }
}

function writeBill(path: string, bill: Bill): void {
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`)
}

function nodeComponent({ node = '', ...linked }: Readonly<Record<string, string | undefined>>): object {
  return {
    type: 'application',
    'bom-ref': `node@${node}`,
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    components: Object.entries(linked).flatMap(([name, version = '']) =>
      // A version without a dot is an interface number.
      version.includes('.')
        ? [
            {
              type: 'library',
              'bom-ref': `node@${node}/${name}@${version}`,
              name,
              version,
              purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
            },
          ]
        : [],
    ),
  }
}

function debianComponent({ name, version, architecture }: DebianPackage): object {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { must } from '../lib/must.ts'

/** Writes what the build consists of, in CycloneDX's format, from the lock file. Answers its path. */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const options = ['--package-lock-only', '--omit=dev', '--omit=optional', '--loglevel=silent']
  const printed = await must(['npm', 'sbom', '--sbom-format=cyclonedx', ...options], repositoryRoot)
  const bill = JSON.parse(printed)
  if (!Array.isArray(bill.components) || bill.components.length < 100)
    throw new Error('The bill of materials lacks packages.')
  // npm calls the whole after the folder that it lies in.
  const path = join(folder, 'weir.cdx.json')
  writeBill(path, { ...bill, metadata: about(bill, { type: 'application', name: 'weir' }) })
  return path
}

/** The fields of a Debian package, as `dpkg-deb --field` prints them. */
export type DebianPackage = { readonly name: string; readonly version: string; readonly architecture: string }

/**
 * Writes the bill of an image beside it: that of the build, Node with what is linked into it, and Debian's packages.
 * Answers its path.
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
      // The one without a dot is the number of an interface.
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

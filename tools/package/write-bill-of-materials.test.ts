import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeImageBill } from './write-bill-of-materials.ts'

it('lists in the bill of an image what the build has, Node with its libraries, and packages of Debian', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-bill-'))
  try {
    const bill = join(folder, 'weir.cdx.json')
    const build = { metadata: { component: { 'bom-ref': 'weir@1.0.0' } }, components: [{ purl: 'pkg:npm/pg@8.0.0' }] }
    writeFileSync(bill, JSON.stringify(build))
    const path = writeImageBill(
      { archive: join(folder, 'weir-1.0.0-x64.oci.tar'), bill },
      {
        node: { node: '24.1.0', openssl: '3.5.0', modules: '137' },
        debian: [{ name: 'libstdc++6', version: '12.2.0-14+deb12u1', architecture: 'amd64' }],
      },
    )
    expect(path).toBe(join(folder, 'weir-1.0.0-x64.oci.cdx.json'))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      metadata: { component: { 'bom-ref': 'weir@1.0.0', type: 'container', name: 'weir' } },
      components: [
        { purl: 'pkg:npm/pg@8.0.0' },
        { purl: 'pkg:generic/node@24.1.0', components: [{ purl: 'pkg:generic/openssl@3.5.0' }] },
        { purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12' },
      ],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

// Has an image made and writes it to a file. Images are URLs that are good for an hour.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { url, weir } from './weir.mjs'

const { data } = await weir.images.generate({ model: 'test/image', prompt: 'A weir in the fog', size: '512x256' })
// The path is enough: the gateway may be known to you by another name than its public one.
const { pathname } = new URL(data[0].url)
const image = Buffer.from(await (await fetch(`${url}${pathname}`)).arrayBuffer())
await writeFile(join(tmpdir(), 'weir.png'), image)
console.log(`${image.subarray(1, 4)} of ${image.readUInt32BE(16)} × ${image.readUInt32BE(20)} pixels`)

// Prints:
// PNG of 512 × 256 pixels

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { spoolBytes } from './spool-bytes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-spool-bytes-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('counts all files, also what was rejected', async () => {
  await mkdir(join(folder, 'spool'))
  expect(await spoolBytes(join(folder, 'spool'))).toBe(0)
  await writeFile(join(folder, 'spool/one.ndjson'), 'x'.repeat(10))
  await writeFile(join(folder, 'spool/rejected.ndjson'), 'é')
  expect(await spoolBytes(join(folder, 'spool'))).toBe(12)
})

it('passes over a file that is gone since it was listed, and is zero for a folder that is not there', async () => {
  await writeFile(join(folder, 'kept.ndjson'), 'abc')
  // A file that is listed but gone when it is opened.
  await symlink(join(folder, 'replayed.ndjson'), join(folder, 'gone.ndjson'))
  expect(await spoolBytes(folder)).toBe(3)
  expect(await spoolBytes(join(folder, 'nowhere'))).toBe(0)
})

import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createUploadFolders } from './upload-folders.ts'

it('folders that a killed process left are removed at the next start, once they are an hour old', async () => {
  const place = await mkdtemp(join(tmpdir(), 'weir-folders-'))
  const longAgoS = Date.now() / 1_000 - 3_700
  for (const name of ['form-old', 'form-new', 'other-old']) await mkdir(join(place, name))
  for (const name of ['form-old', 'other-old']) await utimes(join(place, name), longAgoS, longAgoS)
  const folders = createUploadFolders(place)
  await folders.prepare(Date.now())
  expect((await readdir(place)).toSorted()).toEqual(['form-new', 'other-old'])
  const made = await folders.make()
  expect(await readdir(place)).toHaveLength(3)
  await folders.remove(made)
  await folders.remove(made)
  await rm(place, { recursive: true })
})

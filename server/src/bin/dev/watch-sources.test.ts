import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchSources } from './watch-sources.ts'

let folder: string
let edits: EventEmitter
let seen: string[]
let watching: { close(): void }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-watch-'))
  mkdirSync(join(folder, 'inner'))
  edits = new EventEmitter()
  seen = []
  watching = watchSources([folder], (path) => {
    seen.push(path)
    edits.emit(path)
  })
})
afterEach(() => {
  watching.close()
  rmSync(folder, { recursive: true })
})

it('notices a file that is written, in a folder below too', async () => {
  for (const name of ['a.ts', 'inner/b.sql', 'inner/b.sql']) {
    const noticed = once(edits, join(folder, name))
    writeFileSync(join(folder, name), 'text')
    await noticed
  }
})

it('notices every save by an editor that renames', async () => {
  for (const text of ['one', 'two', 'three']) {
    const noticed = once(edits, join(folder, 'inner/a.ts'))
    writeFileSync(join(folder, 'inner/a.ts~'), text)
    renameSync(join(folder, 'inner/a.ts~'), join(folder, 'inner/a.ts'))
    await noticed
  }
})

it('notices a file in a folder that is new', async () => {
  const path = join(folder, 'later/deep/a.ts')
  const noticed = once(edits, path)
  mkdirSync(join(folder, 'later/deep'), { recursive: true })
  writeFileSync(path, 'text')
  await noticed
})

it('leaves tests and other files alone', async () => {
  const noticed = once(edits, join(folder, 'z.ts'))
  for (const name of ['a.test.ts', 'a.md', 'a.ts.swp', 'z.ts']) writeFileSync(join(folder, name), 'text')
  await noticed
  expect(new Set(seen)).toEqual(new Set([join(folder, 'z.ts')]))
})

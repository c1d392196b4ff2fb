import { access, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { BlobContent } from '#ports/blob-store.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import { createStoreOutputs } from './store-outputs.ts'
import type { JobHost } from './step-job.ts'

const movie = (text: string) => Buffer.from(`\0\0\0\x20ftypisom${text}`, 'latin1')
const outputs: VideoOutput[] = [
  { kind: 'url', url: 'https://host.test/a.mp4' },
  { kind: 'path', path: '/b' },
]
const createdAtMs = Date.UTC(2026, 4, 4, 23, 59)
const job = { id: 'job-1', createdAtMs, progress: { outputs } } as unknown as ClaimedJob
const host = { target: {} } as unknown as JobHost

/** Stores the provider's files one after another, and records their keys. */
function startStore(files: (Buffer | Error)[]) {
  const stored: { key: string; text: string; byteCount: number; contentType: string }[] = []
  const asked: { output: VideoOutput; path: string }[] = []
  const blobs = {
    put: async (key: string, { bytes, byteCount, contentType }: BlobContent) => {
      const pieces: Buffer[] = []
      for await (const piece of Buffer.isBuffer(bytes) ? [bytes] : bytes) pieces.push(piece)
      stored.push({ key, text: Buffer.concat(pieces).toString('latin1'), byteCount, contentType })
    },
  } as unknown as Parameters<typeof createStoreOutputs>[0]['blobs']
  const store = createStoreOutputs({
    blobs,
    fetch: async (output, _job, _host, path) => {
      asked.push({ output, path })
      const file = files.shift() ?? expect.fail('no more files are expected')
      if (file instanceof Error) throw file
      await writeFile(path, file)
      return file.length
    },
  })
  return { store: () => store(job, host), stored, asked }
}

async function expectGone(asked: readonly { path: string }[]): Promise<void> {
  for (const { path } of asked) await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
}

it('copies every output under a key of its own, and leaves no file behind', async () => {
  const { store, stored, asked } = startStore([movie('one'), movie('other')])
  await store()
  expect(stored).toEqual([
    {
      key: 'videos/2026-05-04/job-1-0',
      text: movie('one').toString('latin1'),
      byteCount: 15,
      contentType: 'video/mp4',
    },
    {
      key: 'videos/2026-05-04/job-1-1',
      text: movie('other').toString('latin1'),
      byteCount: 17,
      contentType: 'video/mp4',
    },
  ])
  expect(asked.map(({ output }) => output)).toEqual(outputs)
  await expectGone(asked)
})

it.each([
  ['is no video', Buffer.from('<html>Not found</html>')],
  ['is empty', Buffer.alloc(0)],
  ['has the mark elsewhere', Buffer.from('ftypisom')],
])('stores nothing that %s', async (_what, file) => {
  const { store, stored, asked } = startStore([file])
  await expect(store()).rejects.toThrow('the provider output is not a video')
  expect(stored).toEqual([])
  await expectGone(asked)
})

it('leaves no file behind where the host breaks off', async () => {
  const { store, asked } = startStore([new Error('reset')])
  await expect(store()).rejects.toThrow('reset')
  await expectGone(asked)
})

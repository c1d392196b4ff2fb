import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createVideoProbe } from './probe-video.ts'

it('looks at eight videos at a time, lets 32 wait and turns others away', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  let fetching = 0
  const probe = createVideoProbe({
    download: async (_url, { path }) => {
      fetching += 1
      await opened
      await writeFile(path, 'no video')
      return { ok: true, byteCount: 8 }
    },
  })
  const asked = Array.from({ length: 40 }, () => probe.durationOf('https://films.example/a.mp4'))
  await expect.poll(() => fetching).toBe(8)
  await expect(probe.durationOf('https://films.example/a.mp4')).rejects.toMatchObject({ errorName: 'overloaded' })
  expect(fetching).toBe(8)
  open()
  expect(await Promise.all(asked)).toEqual(asked.map(() => null))
  expect(fetching).toBe(40)
})

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movieDuration } from '#domain/video/movie-duration.ts'
import type { RemoteFiles } from '#ports/media.ts'
import type { VideoProbe } from '#ports/videos.ts'

const bytesMax = 200 * 1_024 * 1_024
const timeoutMs = 30_000

/** Downloads a video to measure it. Its index may be at its end, so the whole file is downloaded to disk. */
export function createVideoProbe(remote: RemoteFiles): VideoProbe {
  return {
    async durationOf(url, account) {
      const folder = await mkdtemp(join(tmpdir(), 'weir-probe-'))
      try {
        const path = join(folder, 'video')
        const { signal } = new AbortController()
        const got = await remote.download(url, { account, path, bytesMax, timeoutMs, signal })
        return got.ok ? await durationAt(path) : null
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function durationAt(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    return await movieDuration(async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}

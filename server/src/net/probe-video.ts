import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movieDuration } from '#domain/video/movie-duration.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createTurnstile } from '#lib/turnstile.ts'
import type { RemoteFiles } from '#ports/remote-files.ts'
import type { VideoProbe } from '#ports/video-probe.ts'

const bytesMax = 200 * 1_024 * 1_024
const timeoutMs = 30_000
const atOnceMax = 8
const waitingMax = 32

/**
 * Fetches a video to look at it. Its index may stand at its end, so all of it is fetched, to disk; a few at a time, because callers
 * decide how many there are.
 */
export function createVideoProbe(remote: RemoteFiles): VideoProbe {
  const line = createTurnstile({ atOnceMax, waitingMax, refusal: tooMany })
  return {
    durationOf: (url) => line.run(() => durationOf(url)),
  }

  async function durationOf(url: string): Promise<number | null> {
    const folder = await mkdtemp(join(tmpdir(), 'weir-probe-'))
    try {
      const path = join(folder, 'video')
      const got = await remote.download(url, { path, bytesMax, timeoutMs, signal: new AbortController().signal })
      return got.ok ? await durationAt(path) : null
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function tooMany(): GatewayError {
  return new GatewayError('overloaded', {
    message: 'Too many input videos are being looked at. Nothing was charged; try again shortly.',
    retryAfterS: 5,
  })
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

import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VideoOutput } from '#domain/video/video-job.ts'
import { videoKey } from '#domain/video/video-key.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import type { JobHost, StepDeps } from './step-job.ts'

export interface StoreDeps {
  readonly blobs: BlobStore
  /** Downloads an output of a job to a file. Rejects if that fails. Returns its size in bytes. */
  readonly fetch: (output: VideoOutput, job: ClaimedJob, host: JobHost, path: string) => Promise<number>
}

/** Copies every output to our own store. Copies of a worker that died are overwritten. */
export function createStoreOutputs({ blobs, fetch }: StoreDeps): StepDeps['store'] {
  return async (job, host) => {
    for (const [index, output] of job.progress.outputs.entries()) await copy(job, host, output, index)
  }

  async function copy(job: ClaimedJob, host: JobHost, output: VideoOutput, index: number): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'weir-video-'))
    try {
      const path = join(folder, 'video')
      const byteCount = await fetch(output, job, host, path)
      if (!(await isMovie(path))) throw new Error('the provider output is not a video')
      const bytes = createReadStream(path)
      await blobs.put(videoKey(job, index), { bytes, byteCount, contentType: 'video/mp4' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** An MP4 file identifies itself in its first box. */
async function isMovie(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.toString('latin1', 4, 8) === 'ftyp'
  } finally {
    await file.close()
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { S3BlobsOptions } from '#store/blobs/s3-blobs.ts'

/** An S3 server on a socket, in its own process. */
export interface TestS3 {
  readonly options: S3BlobsOptions
  close(): Promise<void>
}

const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js')
const bucket = 'weir-test'

export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-s3-'))
  // It makes its page markers with DES, which Node only offers with this flag.
  const flags = ['--openssl-legacy-provider', program]
  const options = ['--directory', directory, '--address', '127.0.0.1', '--port', '0', '--configure-bucket', bucket]
  const child = spawn(process.execPath, [...flags, ...options, '--silent'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return {
    options: {
      bucket,
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${await portIn(child.stdout)}`,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      pathStyle: true,
    },
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function portIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const port = /listening on .*:(\d+)$/.exec(line)?.[1]
    if (port !== undefined) return port
  }
  throw new Error('the server of S3 did not start')
}

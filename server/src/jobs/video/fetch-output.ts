import { writeFile } from 'node:fs/promises'
import { assert } from '#lib/assert.ts'
import type { Download, DownloadOptions, RemoteFiles } from '#ports/media.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import type { JobHost, StepDeps } from './step-job.ts'
import type { StoreDeps } from './store-outputs.ts'

export interface FetchDeps {
  readonly remote: RemoteFiles
  /** Asks a provider with its key. Where it is sent elsewhere, nothing was downloaded yet. */
  readonly askWithKey: (
    request: MediaRequest,
    host: JobHost,
    to: DownloadOptions,
  ) => Promise<{ kind: 'done'; download: Download } | { kind: 'redirect'; location: string }>
  /** Carries the conversation of a codec out that brings an output itself. */
  readonly converse: StepDeps['converse']
  readonly bytesMax: number
  readonly timeoutMs: number
}

/**
 * Brings a finished video to a file: from a public address, from its provider by a request that shows the key, or from
 * an answer.
 */
export function createFetchOutput(deps: FetchDeps): StoreDeps['fetch'] {
  const { remote, askWithKey, bytesMax, timeoutMs } = deps
  return async (output, job, host, path) => {
    if (output.kind === 'answer') return bringOutput(output.index, job, host, path)
    const to = { account: job.walletId, path, bytesMax, timeoutMs, signal: AbortSignal.timeout(timeoutMs) }
    const request = host.codec.download?.(output, host.target)
    const got =
      request === undefined && output.kind === 'url'
        ? await remote.download(output.url, to)
        : await fetchWithKey(request, host, to)
    if (!got.ok) throw new Error(got.why)
    return got.byteCount
  }

  async function bringOutput(index: number, job: ClaimedJob, host: JobHost, path: string): Promise<number> {
    const { reference } = job.progress
    const conversation = reference === null ? undefined : host.codec.bring?.(index, reference, host.target)
    assert(conversation !== undefined, 'a codec that leaves outputs in answers brings them')
    const bytes = await deps.converse(conversation, { host, account: job.walletId })
    await writeFile(path, bytes, { mode: 0o600 })
    return bytes.length
  }

  async function fetchWithKey(
    request: MediaRequest | undefined,
    host: JobHost,
    to: DownloadOptions,
  ): Promise<Download> {
    if (request === undefined) throw new Error('the codec does not say how to fetch its output')
    const hop = await askWithKey(request, host, to)
    // A redirect leads away from whom the key is for; where it leads is judged like any address, and asked without the
    // key.
    return hop.kind === 'done' ? hop.download : remote.download(hop.location, to)
  }
}

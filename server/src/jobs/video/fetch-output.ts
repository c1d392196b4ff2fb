import { writeFile } from 'node:fs/promises'
import { assert } from '#lib/assert.ts'
import type { Download, DownloadOptions, RemoteFiles } from '#ports/media.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import type { JobHost, StepDeps } from './step-job.ts'
import type { StoreDeps } from './store-outputs.ts'

export interface FetchDeps {
  readonly remote: RemoteFiles
  /** Sends a request with the provider's key. If the response is a redirect, nothing was downloaded yet. */
  readonly askWithKey: (
    request: MediaRequest,
    host: JobHost,
    to: DownloadOptions,
  ) => Promise<{ kind: 'done'; download: Download } | { kind: 'redirect'; location: string }>
  /** Runs the exchange of a codec that fetches an output itself. */
  readonly converse: StepDeps['converse']
  readonly bytesMax: number
  readonly timeoutMs: number
}

/** Downloads a finished video to a file: from a public URL, from its provider with the key, or from a response. */
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
    // A redirect leads away from the host that knows the key; its target is checked like any URL and requested without
    // the key.
    return hop.kind === 'done' ? hop.download : remote.download(hop.location, to)
  }
}

import type { Download, DownloadOptions, RemoteFiles } from '#ports/media.ts'
import type { MediaRequest } from '#providers/codecs/conversation.ts'
import type { StoreNeeds } from './store-outputs.ts'

export interface FetchDeps {
  readonly remote: RemoteFiles
  /** Asks a provider with its key. Where it is sent elsewhere, nothing was downloaded yet. */
  readonly askWithKey: (
    request: MediaRequest,
    to: DownloadOptions,
  ) => Promise<{ kind: 'done'; download: Download } | { kind: 'redirect'; location: string }>
  readonly bytesMax: number
  readonly timeoutMs: number
}

/** Brings a finished video to a file: from a public address, or from its provider by a request that shows the key. */
export function createFetchOutput({ remote, askWithKey, bytesMax, timeoutMs }: FetchDeps): StoreNeeds['fetch'] {
  return async (output, { walletId }, { codec, target }, path) => {
    const to = { account: walletId, path, bytesMax, timeoutMs, signal: AbortSignal.timeout(timeoutMs) }
    const request = codec.download?.(output, target)
    const got =
      request === undefined && output.kind === 'url'
        ? await remote.download(output.url, to)
        : await fetchWithKey(request, to)
    if (!got.ok) throw new Error(got.why)
    return got.byteCount
  }

  async function fetchWithKey(request: MediaRequest | undefined, to: DownloadOptions): Promise<Download> {
    if (request === undefined) throw new Error('the codec does not say how to fetch its output')
    const hop = await askWithKey(request, to)
    // A redirect leads away from whom the key is for; where it leads is judged like any address, and asked without the key.
    return hop.kind === 'done' ? hop.download : remote.download(hop.location, to)
  }
}

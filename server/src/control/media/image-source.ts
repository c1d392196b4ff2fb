import { join } from 'node:path'
import type { MediaFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { sniffImage } from '#lib/sniff-media.ts'
import type { Download, ImageSource, RemoteFiles, TemporaryFolders } from '#ports/media.ts'
import { imageEndsOf } from './image-ends.ts'

const bytesMax = 10 * 1_024 * 1_024
const timeoutMs = 30_000

/** Downloads images that clients reference by URL, for upstreams that need the bytes. */
export function createImageSource(deps: { remote: RemoteFiles; folders: TemporaryFolders }): ImageSource {
  const { remote, folders } = deps
  return {
    async fetch(url, { account, signal }) {
      const folder = await folders.make()
      const discard = (): Promise<void> => folders.remove(folder)
      try {
        const path = join(folder, 'image')
        const got = await remote.download(url, { account, path, bytesMax, timeoutMs, signal })
        if (!got.ok) throw refusalOf(got)
        return { file: await fileAt(path, got.byteCount), discard }
      } catch (error) {
        await discard()
        throw error
      }
    },
  }
}

async function fileAt(path: string, byteCount: number): Promise<MediaFile> {
  const { head } = await imageEndsOf(path, byteCount)
  const mediaType = sniffImage(head)
  if (mediaType === undefined) {
    throw new GatewayError('invalidImageType', {
      message: 'An image URL must point to a PNG, JPEG, WebP or GIF file.',
    })
  }
  return { name: mediaType.replace('/', '.'), mediaType, byteCount, content: { kind: 'disk', path } }
}

/**
 * The client does not learn why an address was blocked or what it responded, because that would map the network behind
 * it.
 */
function refusalOf({ reason, why }: Extract<Download, { ok: false }>): GatewayError {
  if (reason === 'too-large') {
    const message = `An image can be at most ${bytesMax / 1_048_576} MB.`
    return new GatewayError('imageTooLarge', { message })
  }
  return new GatewayError('invalidImageUrl', {
    message: 'An image URL could not be fetched. It must start with https:// and be publicly reachable.',
    inside: why,
  })
}

import { open } from 'node:fs/promises'
import { type ImageEnds, tailBytes } from '#domain/media/judge-image.ts'
import { measuredBytesMax } from '#domain/media/measure-image.ts'

/** Reads the parts of a file that tell whether it is an image. */
export async function imageEndsOf(path: string, byteCount: number): Promise<ImageEnds> {
  const file = await open(path)
  try {
    const read = async (from: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0, Math.min(byteCount, measuredBytesMax))
    return { head, tail: await read(Math.max(0, byteCount - tailBytes), tailBytes), byteCount }
  } finally {
    await file.close()
  }
}

import { type SizeWish, sizeOfRatio } from './fit-image-size.ts'
import type { ImageSize } from './media-task.ts'

/** The range of a provider that accepts arbitrary pixels. */
export interface PixelRange {
  /** Sides are multiples of this. */
  readonly step: number
  readonly side: Span
  readonly pixels: Span
}

interface Span {
  readonly least: number
  readonly most: number
}

/** The client's size, adjusted to the range with the same ratio; null if none was requested. */
export function sizeWithin(wish: SizeWish, range: PixelRange, pixelsOfRatio = defaultPixels): ImageSize | null {
  const wanted = wish.size ?? (wish.aspectRatio === null ? null : sizeOfRatio(wish.aspectRatio, pixelsOfRatio))
  if (wanted === null) return null
  const { width, height } = scaled(wanted, range)
  const { step, side, pixels } = range
  const round = (toStep: (steps: number) => number): ImageSize => {
    const each = (length: number): number => clamp(toStep(length / step) * step, side)
    return { width: each(width), height: each(height) }
  }
  const near = round(Math.round)
  if (areaOf(near) > pixels.most) return round(Math.floor)
  return areaOf(near) < pixels.least ? round(Math.ceil) : near
}

const defaultPixels = 1_048_576

/** Scales with the same ratio until its area and its sides fit. */
function scaled(size: ImageSize, { side, pixels }: PixelRange): ImageSize {
  const area = areaOf(size)
  const byArea = Math.sqrt(clamp(area, pixels) / area)
  const bySide = Math.min(byArea, side.most / Math.max(size.width, size.height))
  return { width: size.width * bySide, height: size.height * bySide }
}

function areaOf({ width, height }: ImageSize): number {
  return width * height
}

function clamp(value: number, { least, most }: Span): number {
  return Math.min(Math.max(value, least), most)
}

import type { ImageSize, ImageTask } from './media-task.ts'

/** The requested format of an image: pixels, a ratio, or neither. */
export type SizeWish = Pick<ImageTask, 'size' | 'aspectRatio'>

/** The supported size with the nearest ratio, and among those the nearest area. */
export function nearestSize(wish: SizeWish, sizes: readonly ImageSize[]): ImageSize | null {
  const wanted = ratioOf(wish)
  if (wanted === null) return null
  const pixels = wish.size === null ? null : wish.size.width * wish.size.height
  return nearest(sizes, (size) => [
    distance(size.width / size.height, wanted),
    pixels === null ? 0 : distance(size.width * size.height, pixels),
  ])
}

/** The supported ratio that is nearest. */
export function nearestAspectRatio(wish: SizeWish, ratios: readonly string[]): string | null {
  const exact = ratios.find((ratio) => ratio === wish.aspectRatio)
  if (exact !== undefined) return exact
  const wanted = ratioOf(wish)
  if (wanted === null) return null
  return nearest(ratios, (ratio) => [distance(parseRatio(ratio) ?? Number.POSITIVE_INFINITY, wanted)])
}

/** The resolution, such as 1K, 2K or 4K, whose square has the nearest area. */
export function nearestResolution({ size }: Pick<ImageTask, 'size'>, resolutions: readonly string[]): string | null {
  if (size === null) return null
  const pixels = size.width * size.height
  return nearest(resolutions, (name) => [distance((sideOf(name) ?? Number.POSITIVE_INFINITY) ** 2, pixels)])
}

/** A size with this ratio and about this many pixels. Its sides are multiples of 16, which every provider accepts. */
export function sizeOfRatio(ratio: string, pixels: number): ImageSize | null {
  const wanted = parseRatio(ratio)
  if (wanted === null) return null
  const width = Math.sqrt(pixels * wanted)
  return { width: toStep(width), height: toStep(width / wanted) }
}

export function parseRatio(text: string): number | null {
  const [width, height, ...rest] = text.split(':').map(Number)
  if (width === undefined || height === undefined || rest.length > 0) return null
  return width > 0 && height > 0 && Number.isFinite(width / height) ? width / height : null
}

export function writeSize({ width, height }: ImageSize, between = 'x'): string {
  return `${width}${between}${height}`
}

const step = 16

function toStep(side: number): number {
  return Math.max(step, Math.round(side / step) * step)
}

function sideOf(resolution: string): number | null {
  const thousands = /^(\d+(?:\.\d+)?)k$/i.exec(resolution)?.[1]
  return thousands === undefined ? null : Number(thousands) * 1_024
}

function ratioOf({ size, aspectRatio }: SizeWish): number | null {
  if (size !== null) return size.width / size.height
  return aspectRatio === null ? null : parseRatio(aspectRatio)
}

/** A logarithmic distance: twice as much is as far away as half as much. */
function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other))
}

/** The choice with the least distance; on a tie the later distances decide, then the order of choices. */
function nearest<Choice>(choices: readonly Choice[], distancesOf: (choice: Choice) => number[]): Choice | null {
  let best: Choice | null = null
  let bestDistances: number[] = []
  for (const choice of choices) {
    const distances = distancesOf(choice)
    if (best !== null && !isNearer(distances, bestDistances)) continue
    best = choice
    bestDistances = distances
  }
  return best
}

// Ratios such as 1792:1024 and 7:4 are equal except for rounding.
const sameWithin = 1e-9

function isNearer(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((figure, index) => Math.abs(figure - (other[index] ?? 0)) > sameWithin)
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}

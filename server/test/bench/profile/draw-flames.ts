import type { Frame } from './cpu-profile.ts'

const width = 1_200
const rowHeight = 17
const characterWidth = 6.2
/** Narrower frames are unreadable. */
const widthMin = 2

/**
 * Draws a flame graph: called functions are below the function that calls them, and the width is their share of the
 * time. Colours show the owner of the code.
 */
export function drawFlames(root: Frame, title: string): string {
  const boxes: string[] = []
  let rows = 0
  const draw = (frame: Frame, x: number, row: number): void => {
    const size = (frame.wholeUs / root.wholeUs) * width
    if (size < widthMin) return
    rows = Math.max(rows, row + 1)
    boxes.push(drawBox(frame, { x, y: (row + 2) * rowHeight, size, share: frame.wholeUs / root.wholeUs }))
    let childX = x
    for (const call of widestFirst(frame)) {
      draw(call, childX, row + 1)
      childX += (call.wholeUs / root.wholeUs) * width
    }
  }
  draw(root, 0, 0)
  const height = (rows + 2) * rowHeight + 8
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="4" y="18" font-size="13" fill="#1f2328">${escaped(title)}</text>`,
    ...legend.map(
      ([name, part], at) =>
        `<rect x="${width - 400 + at * 100}" y="8" width="12" height="12" fill="${colourOf(part)}"/>` +
        `<text x="${width - 384 + at * 100}" y="18" fill="#1f2328">${name}</text>`,
    ),
    ...boxes,
    '</svg>',
    '',
  ].join('\n')
}

function widestFirst({ calls }: Frame): Frame[] {
  return [...calls.values()].sort((one, other) => other.wholeUs - one.wholeUs)
}

function drawBox(
  { name, part }: Frame,
  { x, y, size, share }: { x: number; y: number; size: number; share: number },
): string {
  const letters = Math.floor((size - 4) / characterWidth)
  const label = letters < 3 ? '' : `<text x="${round(x + 2)}" y="${y + 12}">${escaped(name.slice(0, letters))}</text>`
  const told = `${name} (${part}), ${(share * 100).toFixed(1)}%`
  const box = `<rect x="${round(x)}" y="${y}" width="${round(size)}" height="${rowHeight - 1}" fill="${colourOf(part)}"/>`
  return `<g><title>${escaped(told)}</title>${box}${label}</g>`
}

const legend = [
  ['ours', 'our http'],
  ['Node', 'Node'],
  ['packages', 'undici'],
  ['V8', 'collector'],
] as const

function colourOf(part: string): string {
  if (part.startsWith('our ')) return '#8fd19e'
  if (part === 'Node') return '#f6c177'
  if (part === 'collector' || part === 'V8 and the system' || part === 'all') return '#d0d7de'
  return '#9ec5fe'
}

function round(length: number): string {
  return length.toFixed(1).replace(/\.0$/, '')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

import type { Detector } from '../detectors/detector.ts'
import type { Finder } from './finder.ts'

export function templateFinder(detect: Detector): Finder {
  return (views, { matchesMax, isLate }) => {
    const found = detect(views.plain)
    const spans = found.slice(0, matchesMax).map((span) => views.toOriginal(span))
    if (found.length >= matchesMax) return { spans, end: 'full' }
    return { spans, end: isLate() ? 'late' : 'done' }
  }
}

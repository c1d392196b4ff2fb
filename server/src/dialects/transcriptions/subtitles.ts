import type { Cue } from './cues.ts'

/** SubRip: numbered cues, with a comma before the milliseconds. */
export function subRip(cues: readonly Cue[]): string {
  return cues
    .map(({ text, startMs, endMs }, index) => {
      const times = `${timestamp(startMs, ',')} --> ${timestamp(endMs, ',')}`
      return `${index + 1}\n${times}\n${text.replaceAll('-->', '->')}\n\n`
    })
    .join('')
}

/** WebVTT, whose texts may hold markup, so that theirs must not look like it. */
export function webVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ text, startMs, endMs }) => {
    const times = `${timestamp(startMs, '.')} --> ${timestamp(endMs, '.')}`
    return `${times}\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n\n`
  })
  return `WEBVTT\n\n${blocks.join('')}`
}

/** Hours may have more than two digits; they are never counted in days. */
function timestamp(ms: number, beforeMs: ',' | '.'): string {
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = Math.floor(ms / 1_000) % 60
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${beforeMs}${String(ms % 1_000).padStart(3, '0')}`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}

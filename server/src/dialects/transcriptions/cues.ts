import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'

/** A line of subtitles with its times. */
export interface Cue {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/**
 * The cues of a transcription: its segments, else lines made of its words, else one cue for the whole recording. They
 * are in order, none ends before it begins, and a cue that would overlap the next ends where the next begins.
 */
export function cuesOf(result: TranscriptionResult): readonly Cue[] {
  const spoken = result.segments ?? (result.words === null ? [whole(result)] : linesOf(result.words))
  const cues = spoken
    .map(cueOf)
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.startMs - other.startMs)
  return cues.map((cue, index) => ({ ...cue, endMs: endBefore(cue, cues[index + 1]) }))
}

function cueOf({ text, startS, endS }: Spoken): Cue {
  const startMs = Math.round(startS * 1_000)
  return { text: tidy(text), startMs, endMs: Math.max(startMs, Math.round(endS * 1_000)) }
}

// A blank line would end a cue early.
function tidy(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}

// Two cues that begin together are spoken by two people, so they stay unchanged.
function endBefore({ startMs, endMs }: Cue, next: Cue | undefined): number {
  return next === undefined || next.startMs <= startMs ? endMs : Math.min(endMs, next.startMs)
}

// Reading speed of subtitles, for recordings of unknown length.
const charactersPerSecond = 15

function whole({ text, durationS }: TranscriptionResult): Spoken {
  return { text, startS: 0, endS: durationS ?? Math.max(1, text.length / charactersPerSecond) }
}

const lineCharactersMax = 80
const lineSecondsMax = 7
const silenceSeconds = 1

/**
 * Joins words into readable lines. A new line begins after a sentence or a silence, and before the line gets too long.
 */
function linesOf(words: readonly Spoken[]): Spoken[] {
  const lines: Spoken[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined || beginsLine(line, word)) lines.push(word)
    else lines[lines.length - 1] = { text: joined(line, word), startS: line.startS, endS: word.endS }
  }
  return lines
}

function beginsLine(line: Spoken, word: Spoken): boolean {
  return (
    /[.!?。！？]$/.test(line.text.trimEnd()) ||
    word.startS - line.endS >= silenceSeconds ||
    word.endS - line.startS > lineSecondsMax ||
    joined(line, word).length > lineCharactersMax
  )
}

function joined(line: Spoken, word: Spoken): string {
  return `${line.text.trimEnd()} ${word.text.trimStart()}`
}

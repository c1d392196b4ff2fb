import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AutoRequest } from '#domain/routing/auto/features.ts'
import type { AutoTier } from '#domain/routing/auto/tiers.ts'
import { contractTiers } from './contract-tiers.ts'

/** One prompt of the corpus with the tier that a person assigned. */
export interface Sample {
  readonly tier: AutoTier
  readonly language: string
  readonly request: AutoRequest
}

interface Corpus {
  /** Two thirds of each tier, for choosing weights and words. */
  readonly tuning: readonly Sample[]
  /** The rest, only for evaluation. */
  readonly heldOut: readonly Sample[]
}

/**
 * A file per tier, a line per prompt: its language, with other properties of the request (`image`, `tools`, …), a tab,
 * and the text with `\n` for a new line. Only the text decides whether a prompt is held out.
 */
export function readCorpus(): Corpus {
  const tuning: Sample[] = []
  const heldOut: Sample[] = []
  for (const tier of contractTiers) {
    const samples = readTier(tier).toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    const third = Math.floor(samples.length / 3)
    heldOut.push(...samples.slice(0, third))
    tuning.push(...samples.slice(third))
  }
  return { tuning, heldOut }
}

function placeOf({ request }: Sample): string {
  return hash('sha256', `weir auto ${request.text}`)
}

function readTier(tier: AutoTier): Sample[] {
  const text = readFileSync(new URL(`corpus/${tier}.tsv`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [head = '', prompt = ''] = line.split('\t')
      const [language = '', ...hints] = head.split(' ')
      return { tier, language, request: requestFor(prompt.replaceAll('\\n', '\n'), hints) }
    })
}

export function requestFor(text: string, hints: readonly string[] = []): AutoRequest {
  return {
    text,
    systemText: '',
    turnCount: 1,
    hasTools: hints.includes('tools'),
    hasImage: hints.includes('image'),
    hasVideo: hints.includes('video'),
    hasAudio: hints.includes('audio'),
    hasFile: hints.includes('file'),
    wantsImage: false,
    wantsJson: hints.includes('json'),
  }
}

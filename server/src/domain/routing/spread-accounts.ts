import type { Candidate } from './candidates.ts'

/**
 * Distributes requests among accounts with the same vendor and priority by their weights. The order for a conversation
 * follows from its key alone (rendezvous hashing), so every process computes the same result, and adding or removing an
 * account moves only its own share.
 */
export function spreadAccounts(candidates: readonly Candidate[], conversation: string): readonly Candidate[] {
  const spread: Candidate[] = []
  for (let start = 0; start < candidates.length; ) {
    const end = endOfRun(candidates, start)
    const run = candidates.slice(start, end)
    spread.push(...(run.length === 1 ? run : byShare(run, conversation)))
    start = end
  }
  return spread
}

function endOfRun(candidates: readonly Candidate[], start: number): number {
  const first = candidates[start]
  let end = start + 1
  while (end < candidates.length && isAlike(first, candidates[end])) end += 1
  return end
}

/** Whether two neighbours share requests by weight. */
export function isAlike(one: Candidate | undefined, other: Candidate | undefined): boolean {
  return (
    one?.model.id === other?.model.id &&
    one?.account.vendor === other?.account.vendor &&
    one?.priority === other?.priority
  )
}

function byShare(run: readonly Candidate[], conversation: string): Candidate[] {
  const share = ({ account }: Candidate): number =>
    -Math.log(fraction(`${conversation} ${account.id}`)) / account.weight
  return run
    .map((candidate) => ({ candidate, score: share(candidate) }))
    .sort((one, other) => one.score - other.score)
    .map(({ candidate }) => candidate)
}

/**
 * Maps a string to a number between 0 and 1, both exclusive: FNV-1a, mixed once more because its high bits are poor.
 */
function fraction(text: string): number {
  let mixed = 2_166_136_261
  for (let index = 0; index < text.length; index += 1) mixed = Math.imul(mixed ^ text.charCodeAt(index), 16_777_619)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 4_294_967_296
}

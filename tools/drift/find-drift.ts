/** The words that an SDK uses on one topic, and those that our tables know. */
export interface Topic {
  readonly name: string
  readonly words: readonly string[]
  readonly isKnown: (word: string) => boolean
}

/** Why a topic's word is not in our tables. A pattern covers every word that it matches. */
export interface Decision {
  readonly topic: string
  readonly words: RegExp
  readonly reason: string
  /** Whether only a version newer than the pinned one names these words. */
  readonly isAhead?: true
}

/** One line per word that neither a table nor a decision covers. */
export function findNewWords(topics: readonly Topic[], decisions: readonly Decision[]): string[] {
  return topics.flatMap(({ name, words, isKnown }) =>
    words
      .filter((word) => !isKnown(word) && !decisions.some((one) => one.topic === name && one.words.test(word)))
      .map((word) => `${name}: ${word} is new: add it, or add a decision`),
  )
}

/** One line per decision that no word needs, and per `isAhead` decision whose word the pinned versions now have. */
export function findUnusedDecisions(topics: readonly Topic[], decisions: readonly Decision[]): string[] {
  const isNeeded = ({ topic, words: pattern }: Decision): boolean =>
    topics.some(
      ({ name, words, isKnown }) => name === topic && words.some((word) => !isKnown(word) && pattern.test(word)),
    )
  return decisions.flatMap((decision) => {
    const { topic, words, isAhead = false } = decision
    if (isNeeded(decision) !== isAhead) return []
    return [`${topic}: the decision ${String(words)} is ${isAhead ? 'no longer ahead' : 'not needed by any word'}`]
  })
}

/** What an SDK names on one topic, and which of it our tables know. */
export interface Topic {
  readonly name: string
  readonly words: readonly string[]
  readonly isKnown: (word: string) => boolean
}

/** Why a word of a topic is not in our tables. A pattern decides for every word that it fits. */
export interface Decision {
  readonly topic: string
  readonly words: RegExp
  readonly reason: string
}

/** Words that neither a table nor a decision knows, and decisions that no word needs. */
export function findDrift(topics: readonly Topic[], decisions: readonly Decision[]): string[] {
  const unknown = topics.map(({ name, words, isKnown }) => ({ name, words: words.filter((word) => !isKnown(word)) }))
  const isDecided = (topic: string, word: string): boolean =>
    decisions.some((decision) => decision.topic === topic && decision.words.test(word))
  const isNeeded = ({ topic, words }: Decision): boolean =>
    unknown.some(({ name, words: open }) => name === topic && open.some((word) => words.test(word)))
  return [
    ...unknown.flatMap(({ name, words }) =>
      words.filter((word) => !isDecided(name, word)).map((word) => `${name}: ${word} is new; add it or decide why not`),
    ),
    ...decisions
      .filter((decision) => !isNeeded(decision))
      .map(({ topic, words }) => `${topic}: no word needs the decision ${String(words)}`),
  ]
}

/**
 * Concepts that words of any language can indicate. Requests are judged by concepts, so that a language is only a list
 * of words.
 */
export const concepts = [
  'greeting', // and thanks, and goodbyes
  'fact', // questions with one short answer
  'explain', // everyday work: explaining, summarising, rewording, advising
  'compose', // verbs of writing
  'depth', // large subjects, many sides, long documents
  'proof', // mathematics, puzzles, deduction
  'code',
  'picture',
  'draw', // making pictures: verbs, styles
  'look', // pictures that the client shows
  'video',
  'data',
  'web', // looking things up
  'recent', // what changes from day to day
  'social',
  'email',
  'calendar',
  'clock', // days and times
  'trading',
  'make', // verbs of making
] as const
export type Concept = (typeof concepts)[number]

/**
 * The words of one language for each concept, separated by commas, in lower case. A trailing star matches any ending;
 * words that end in a Chinese or Japanese character need none. Accents are ignored.
 */
export type Lexicon = Readonly<Record<Concept, string>>

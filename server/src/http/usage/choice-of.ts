import { type Query, refuseValue } from '../query-values.ts'

/** A parameter that is one of a few words; the usual one where nothing is said. */
export function choiceOf<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
  usual: Choice,
): Choice {
  const text = query[name] ?? ''
  if (text === '') return usual
  const chosen = choices.find((choice) => choice === text)
  if (chosen === undefined) throw refuseValue(name, `one of ${choices.join(', ')}`)
  return chosen
}

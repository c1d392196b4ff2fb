import type { Answer } from '#test/simulators/scenarios/answer.ts'

export const counts = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }
export const oslo = { id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"Oslo"}'] }
export const utc = { id: 'call_b', name: 'get_time', arguments: ['{"zone":', '"UTC"}'] }

/** One response of each kind for which vendors have their own formats. */
export const answers: readonly Answer[] = [
  { kind: 'text', pieces: ['Hel', 'lo'], usage: counts },
  { kind: 'tools', calls: [oslo, utc], usage: counts },
  { kind: 'reasoning', thinking: ['H', 'm'], pieces: ['Hel', 'lo'], usage: counts },
  { kind: 'choices', choices: [['a'], ['b']], usage: counts },
  { kind: 'content-filter', pieces: ['Hel'], usage: counts },
  { kind: 'length', pieces: [], usage: counts },
]

import type { JobQueue } from '../../../api/operator-jobs.ts'

const words: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  submitting: 'submitting',
  unknown: 'status unknown',
  running: 'running',
  storing: 'storing',
  waiting: 'waiting',
  retrying: 'retrying',
  given_up: 'given up',
}

/** For example `2 retrying, 1 given up`, or `None`. */
export function statesInWords({ states }: Pick<JobQueue, 'states'>): string {
  const counted = states.map(({ state, count }) => `${Number(count).toLocaleString('en')} ${words[state] ?? state}`)
  return counted.length === 0 ? 'None' : counted.join(', ')
}

/** The work that is not over: what was given up needs a person, but no worker. */
export function openCount({ states }: Pick<JobQueue, 'states'>): number {
  return states.reduce((sum, { state, count }) => (state === 'given_up' ? sum : sum + Number(count)), 0)
}

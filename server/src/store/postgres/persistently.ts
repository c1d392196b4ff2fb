import { setTimeout as wait } from 'node:timers/promises'
import { isDataFault } from './is-data-fault.ts'

// Long enough for a connection that broke or a server that restarts.
const pausesMs = [100, 500, 2_000]

/** For what happened and can not be asked for again: tries a few times, unless Postgres can not take it at all. */
export async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await act()
    } catch (error) {
      if (isDataFault(error)) throw error
      await wait(pauseMs)
    }
  }
  return act()
}

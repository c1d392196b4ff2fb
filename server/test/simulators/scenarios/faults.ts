import * as errorFaults from './error-faults.ts'
import { oddToolDeltas } from './odd-tool-deltas.ts'
import * as streamFaults from './stream-faults.ts'
import * as transportFaults from './transport-faults.ts'

/** Every fault an upstream is known for. A refused connection is a simulator that has been closed. */
export const faults = { ...errorFaults, ...streamFaults, ...transportFaults, oddToolDeltas }

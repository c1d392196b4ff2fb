import * as errorFaults from './error-faults.ts'
import { oddToolDeltas } from './odd-tool-deltas.ts'
import * as streamFaults from './stream-faults.ts'
import * as transportFaults from './transport-faults.ts'

/** Every known upstream fault. A refused connection is a closed simulator. */
export const faults = { ...errorFaults, ...streamFaults, ...transportFaults, oddToolDeltas }

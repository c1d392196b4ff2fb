import { storedFlag } from './stored-flag.ts'

/** Whether tables have low rows. */
export const denseRows = storedFlag('weir.dense')

export const rowHeights = { normal: 40, dense: 28 } as const

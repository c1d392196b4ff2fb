import { join } from 'node:path'

/** The schema that this program ships: its migrations and functions. */
export const sqlFolder = join(import.meta.dirname, '../../sql')

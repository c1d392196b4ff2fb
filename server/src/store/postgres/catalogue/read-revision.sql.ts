/** The catalogue's revision; inside a transaction, that of the same moment as everything else read there. */
export const readRevision = `SELECT revision::float8 AS revision FROM revisions WHERE topic = 'catalogue'`

export interface RevisionRow {
  revision: number
}

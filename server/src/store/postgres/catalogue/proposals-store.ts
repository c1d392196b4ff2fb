import type { Pool } from 'pg'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

/** Proposals in Postgres. */
export function createCatalogueProposals(pool: Pool): CatalogueProposals {
  return {
    async find() {
      const { rows } = await refuseWhenAway(pool.query<ProposalRow>(selectProposal))
      const [row] = rows
      if (row === undefined) return null
      return { ...row.proposal, id: row.id, proposedAtMs: row.proposed_at_ms, baseRevision: row.base_revision }
    },
    put: ({ id, proposedAtMs, baseRevision, ...proposal }) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          await client.query(lockProposals)
          await client.query(deleteProposals)
          await client.query(insertProposal, [id, new Date(proposedAtMs), baseRevision, JSON.stringify(proposal)])
        }),
      ),
    async remove(id) {
      await refuseWhenAway(pool.query(deleteProposal, [id]))
    },
    reject: (id, entry, nowMs) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const isThere = (await client.query(deleteProposal, [id])).rowCount === 1
          if (isThere) await appendAudit(client, [entry], nowMs)
          return isThere
        }),
      ),
  }
}

interface ProposalRow {
  id: CatalogueProposal['id']
  proposed_at_ms: number
  base_revision: number
  proposal: Omit<CatalogueProposal, 'id' | 'proposedAtMs' | 'baseRevision'>
}

const selectProposal = `
  SELECT id, (extract(epoch FROM proposed_at) * 1000)::float8 AS proposed_at_ms,
         base_revision::float8 AS base_revision, proposal
    FROM catalogue_proposals
   ORDER BY proposed_at DESC
   LIMIT 1`

/** Concurrent proposals wait for each other, so that one proposal is left. Readers are not blocked. */
const lockProposals = 'LOCK TABLE catalogue_proposals IN EXCLUSIVE MODE'

const deleteProposals = 'DELETE FROM catalogue_proposals'

/** $1: id; $2: now; $3: the revision that the proposal was compared with; $4: everything else. */
const insertProposal = `
  INSERT INTO catalogue_proposals (id, proposed_at, base_revision, proposal) VALUES ($1, $2, $3, $4)`

const deleteProposal = 'DELETE FROM catalogue_proposals WHERE id = $1'

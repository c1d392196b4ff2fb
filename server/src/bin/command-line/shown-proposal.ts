import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import type { CommandOutput } from './command.ts'
import { formatTable } from './format-table.ts'

/** The changes of a proposal, the disagreements of its sources, and the next steps. */
export function shownProposal(proposal: CatalogueProposal, last: readonly string[]): CommandOutput {
  const { id, sources, changes, disagreements, unmatched } = proposal
  const rows = changes.map(({ model, what, where, from, to, doubt }) => {
    return [model, what, where, from ?? '', to ?? '', doubt === null ? '' : `doubtful: ${doubt}`]
  })
  const disputed = disagreements.map(({ model, provider, variant, what, said }) => {
    const host = variant === '' ? provider : `${provider}/${variant}`
    return [model, host, what, said.map(({ source, value }) => `${source}: ${value}`).join('; ')]
  })
  const lines = [
    ...formatTable(['MODEL', 'CHANGE', 'FIELD', 'FROM', 'TO', 'NOTE'], rows),
    ...(disputed.length === 0
      ? []
      : ['', ...formatTable(['MODEL', 'PROVIDER', 'SOURCES DISAGREE ON', 'QUOTES'], disputed)]),
    '',
    `${changes.length} changes, ${disagreements.length} disagreements, ${unmatched} offers without a matching model`,
    ...last,
  ]
  const data = {
    id,
    sources: [...sources],
    changes: changes.map((change) => ({ ...change })),
    disagreements: disagreements.map((each) => ({ ...each, said: each.said.map((one) => ({ ...one })) })),
    unmatched,
  }
  return { lines, data }
}

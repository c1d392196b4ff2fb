import { repeatJob } from '#control/operators/repeat-job.ts'
import type { RepeatableKind } from '#ports/job-repeats.ts'
import { createJobRepeats } from '#store/postgres/jobs/job-repeats.ts'
import { commandAuthor } from './command-author.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

/** The command that repeats failed work of one kind. */
export function repeatCommand(
  kind: RepeatableKind,
  { words, summary, argument }: { readonly words: string; readonly summary: string; readonly argument: string },
): Command {
  return {
    words,
    summary,
    positionals: [argument],
    run: (input) =>
      withSession(async ({ pool }) => {
        const id = input.argument(0)
        await repeatJob(createJobRepeats(pool), { kind, id }, commandAuthor(Date.now()))
        return { lines: [`${id} is due: a worker sends it at once`], data: { kind, id } }
      }),
  }
}

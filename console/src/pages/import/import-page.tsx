import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { importMembers, type ImportResult } from '../../api/import-members.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { reachOf } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { CheckField, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ImportPreview } from './import-preview.tsx'
import { joinResults } from './join-results.ts'
import { splitCsv } from './split-csv.ts'

const example = 'email,name,role,team,monthly_budget\nada@example.com,Ada,member,Research,25'

// Small enough that the progress moves, large enough that 5,000 rows need few requests.
const rowsPerRequest = 250

/** Imports people from a CSV file: a dry run shows each row and the maximum cost before anything changes. */
export function ImportPage() {
  const [csv, setCsv] = useState('')
  const [createTeams, setCreateTeams] = useState(false)
  const { check, commit, done, reset } = useImport({ csv, createTeams })
  const change = (text: string) => {
    setCsv(text)
    reset()
  }
  return (
    <TabFrame
      title="Members"
      tab="Import"
      description="Add and change up to 5,000 people from a CSV file. No member is removed."
    >
      <div className="flex flex-col gap-4">
        <Card
          title="File"
          description="The first line names the columns. An empty cell changes nothing. The word none clears a team or budget."
        >
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              check.mutate()
            }}
          >
            <FileChoice onText={change} />
            <TextArea
              label="CSV"
              placeholder={example}
              rows={6}
              spellCheck={false}
              className="font-mono text-xs"
              value={csv}
              onChange={({ target }) => change(target.value)}
            />
            <TeamsChoice isChecked={createTeams} onChange={(isChecked) => (setCreateTeams(isChecked), reset())} />
            {check.error === null ? null : <ErrorNote error={check.error} />}
            <Button
              type="submit"
              kind="primary"
              className="self-end"
              isBusy={check.isPending}
              disabled={csv.trim() === ''}
            >
              Check file
            </Button>
          </form>
        </Card>
        {check.data === undefined ? null : (
          <ImportPreview checked={check.data} commit={commit} progress={done} isBusy={commit.isPending} />
        )}
      </div>
    </TabFrame>
  )
}

function FileChoice({ onText }: { readonly onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv,text/plain"
        aria-label="CSV file"
        className="sr-only"
        onChange={({ target }) => void target.files?.[0]?.text().then(onText)}
      />
      <Button icon={<Upload size={16} aria-hidden="true" />} onClick={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  )
}

/** Only an organization admin creates teams. */
function TeamsChoice({
  isChecked,
  onChange,
}: {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}) {
  if (reachOf(useOrganization(), 'teams.manage') === null) return null
  return (
    <CheckField
      label="Create teams that do not exist"
      checked={isChecked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

/** The dry run of the whole file, and the import in parts, so that a long one shows its progress. */
function useImport({ csv, createTeams }: { readonly csv: string; readonly createTeams: boolean }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const check = useMutation({ mutationFn: () => importMembers(organizationId, { csv, createTeams, dryRun: true }) })
  const commit = useMutation({
    mutationFn: async () => {
      const errors = (check.data?.rows ?? []).filter(({ outcome }) => outcome === 'error')
      // A repeated address is an error of the whole file, which its parts would not notice.
      const parts = splitCsv(csv, rowsPerRequest, new Set(errors.map(({ row }) => Number(row))))
      const results: ImportResult[] = []
      for (const part of parts) {
        setDone(results.length / parts.length)
        const body = { csv: part, createTeams, dryRun: false }
        results.push(await withStepUp(() => importMembers(organizationId, body)))
      }
      return joinResults(results, errors)
    },
    onSettled: async () => {
      setDone(null)
      const names = ['members', 'invitations', 'teams', 'organization']
      await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name, organizationId] })))
    },
  })
  const reset = () => {
    check.reset()
    commit.reset()
  }
  return { check, commit, done, reset }
}

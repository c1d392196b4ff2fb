import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { addNote, type Customer, deleteNote } from '../../../api/customers.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'

/** What operators know about a customer. */
export function NotesCard({ customer }: { readonly customer: Customer }) {
  const client = useQueryClient()
  const mayChange = useMayOperate()('operators.accounts')
  const refresh = () => client.invalidateQueries({ queryKey: ['operator', 'customers', 'one'] })
  const form = useForm({ defaultValues: { text: '' } })
  const adding = useMutation({
    mutationFn: ({ text }: { text: string }) => addNote(customer.id, text),
    onSuccess: async () => {
      form.reset()
      await refresh()
    },
  })
  const deleting = useMutation({ mutationFn: (noteId: string) => deleteNote(customer.id, noteId), onSuccess: refresh })
  const error = adding.error ?? deleting.error
  const submit = form.handleSubmit((note) => adding.mutate(note))
  return (
    <Card title="Notes" description="Only operators see notes.">
      {error === null ? null : <ErrorNote error={error} />}
      <ul className="flex flex-col gap-3 empty:hidden">
        {customer.notes.map(({ id, text, author, created_at: at }) => (
          <li key={id} className="flex items-start gap-2 border-line border-b pb-3 text-sm">
            <div className="min-w-0 flex-1">
              <p className="whitespace-pre-wrap break-words">{text}</p>
              <p className="mt-1 text-muted text-xs">
                {author ?? 'Command line'} · <Time iso={at} />
              </p>
            </div>
            {mayChange ? (
              <IconButton label="Delete note" onClick={() => deleting.mutate(id)}>
                <Trash2 size={15} aria-hidden="true" />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <form className="mt-3 flex flex-col gap-3" onSubmit={(event) => void submit(event)} noValidate>
          <TextArea
            label="New note"
            rows={2}
            error={form.formState.errors.text?.message}
            {...form.register('text', { required: 'Enter a note.', maxLength: 4_000 })}
          />
          <div>
            <Button type="submit" isBusy={adding.isPending}>
              Add note
            </Button>
          </div>
        </form>
      ) : customer.notes.length === 0 ? (
        <p className="text-muted text-sm">No notes yet.</p>
      ) : null}
    </Card>
  )
}

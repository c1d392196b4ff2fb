import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { testModels } from './test-models.ts'

interface SheetProps {
  readonly models: readonly string[]
  readonly isFull: boolean
  readonly onAdd: (id: string) => void
  readonly onClose: () => void
}

/** The test models inside the gateway, which simulate responses, delays and faults. */
export function TestModelSheet({ models, isFull, onAdd, onClose }: SheetProps) {
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title="Test models"
      description="Test models run inside the gateway and behave like any other model. Failed responses aren't charged."
    >
      {[false, true].map((isFault) => (
        <section key={String(isFault)} className="mb-5">
          <h3 className="mb-1 font-medium text-muted text-xs">{isFault ? 'Errors and delays' : 'Responses'}</h3>
          <ul>
            {testModels
              .filter((model) => model.isFault === isFault)
              .map(({ id, does }) => (
                <li key={id} className="flex items-center gap-3 border-line border-b py-2 last:border-b-0">
                  <div className="min-w-0 flex-1">
                    <code className="font-mono text-xs">{id}</code>
                    <p className="text-muted text-sm">{does}</p>
                  </div>
                  <Button
                    size="small"
                    aria-label={`Add ${id}`}
                    disabled={isFull || models.includes(id)}
                    onClick={() => onAdd(id)}
                  >
                    {models.includes(id) ? 'Added' : 'Add'}
                  </Button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </Sheet>
  )
}

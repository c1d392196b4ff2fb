import { Sheet } from '../ui/dialog.tsx'
import { NavigationList } from './navigation-list.tsx'
import WorkspaceSwitch from './workspace-switch.tsx'

/** All pages of the workspace, for phones. */
export default function MoreSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet isOpen onClose={onClose} title="All pages">
      <div className="mb-4">
        <WorkspaceSwitch />
      </div>
      <nav aria-label="All pages">
        <NavigationList onOpen={onClose} />
      </nav>
    </Sheet>
  )
}

import { clientsFolder } from '../../server/test/conformance/client-programs.ts'
import { sdksFolder } from '../../server/test/twins/sdks-folder.ts'
import { docsSiteFolder } from '../docs-site/docs-site-folder.ts'
import { installLocked } from '../lib/install-locked.ts'

// `node tools/ci/install-sdks.ts` installs what the conformance, the twins and the build of the documentation need,
// which they would do themselves: a download that waits for the network goes on beside the tests.
await Promise.all([clientsFolder, sdksFolder, docsSiteFolder].map(installLocked))

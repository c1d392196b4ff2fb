import { clientsFolder } from '../../server/test/conformance/client-programs.ts'
import { sdksFolder } from '../../server/test/twins/sdks-folder.ts'
import { docsSiteFolder } from '../docs-site/docs-site-folder.ts'
import { installLocked } from '../lib/install-locked.ts'

// `node tools/ci/install-sdks.ts` installs the packages that conformance, twins and the documentation build need. They
// would install them themselves, but this way the downloads run in parallel with the tests.
await Promise.all([clientsFolder, sdksFolder, docsSiteFolder].map(installLocked))

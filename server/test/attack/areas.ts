import type { Area } from './area.ts'
import { bodies } from './areas/bodies.ts'
import { connections } from './areas/connections.ts'
import { disk } from './areas/disk.ts'
import { dns } from './areas/dns.ts'
import { heads } from './areas/heads.ts'
import { influence } from './areas/influence.ts'
import { isolation } from './areas/isolation.ts'
import { memoryCpu } from './areas/memory-cpu.ts'
import { operatorLoss } from './areas/operator-loss.ts'
import { payments } from './areas/payments.ts'
import { provisioning } from './areas/provisioning.ts'
import { roles } from './areas/roles.ts'
import { signIn } from './areas/sign-in.ts'
import { ssrf } from './areas/ssrf.ts'
import { time } from './areas/time.ts'
import { upstreams } from './areas/upstreams.ts'
import { videos } from './areas/videos.ts'

/** All areas, in the order of their runs. */
export const areas: readonly Area[] = [
  isolation,
  roles,
  bodies,
  heads,
  ssrf,
  upstreams,
  payments,
  provisioning,
  videos,
  time,
  signIn,
  dns,
  connections,
  influence,
  operatorLoss,
  disk,
  memoryCpu,
]

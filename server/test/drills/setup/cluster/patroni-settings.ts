import { join } from 'node:path'
import type { JsonObject } from '#lib/json.ts'

interface NodePlace {
  readonly name: string
  readonly folder: string
  readonly port: number
  readonly apiPort: number
  readonly etcdPort: number
}

const binaries = process.env['WEIR_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

/**
 * What `docs/postgres.md` asks for: the primary and both standbys have every charge while all are there, and without a
 * standby nothing is acknowledged. A machine that is silent for 8 s has lost its office: shorter than Patroni's default
 * of 30, since a drill has many failovers to wait for.
 */
export function patroniSettings({ name, folder, port, apiPort, etcdPort }: NodePlace): JsonObject {
  return {
    scope: 'weir',
    name,
    log: { level: 'WARNING' },
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    // Each node has a road of its own to etcd, which a drill can cut; what etcd says about other ways to it is not
    // followed.
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 8,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // A former primary that is not rewound yet confirms what it does not have. With two, it is never the only one
        // to confirm.
        synchronous_node_count: 2,
        // Nor does it become the primary by what its old log has more.
        check_timeline: true,
        // A primary that died is not waited for.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: binaries,
      data_dir: join(folder, 'data'),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: {
        unix_socket_directories: folder,
        shared_buffers: '32MB',
        max_connections: 100,
        logging_collector: 'off',
        // In the folder, which goes with the drill even where Postgres was killed.
        dynamic_shared_memory_type: 'mmap',
      },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}

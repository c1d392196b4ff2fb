import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contenderCore } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'
import { benchModel, ContenderUnavailable, type PrepareContender, plainCaller } from './contender.ts'

const binary = '/usr/sbin/nginx'

/** A relay in C with one worker, to show the limit of the machine. */
export const prepareNginx: PrepareContender = async ({ mockPort, scratchFolder }) => {
  if (!existsSync(binary)) throw new ContenderUnavailable('nginx is not installed; Debian has it as nginx-light')
  const folder = join(scratchFolder, 'nginx')
  mkdirSync(folder, { recursive: true })
  return {
    start: async () => {
      const port = await findFreePort()
      const configPath = join(folder, 'nginx.conf')
      writeFileSync(configPath, writeConfig({ port, mockPort, folder }))
      const started = await startProcess({
        command: [binary, '-p', folder, '-c', configPath, '-e', join(folder, 'error.log')],
        port,
        core: contenderCore,
      })
      return { ...started, port, model: benchModel, callers: [plainCaller] }
    },
  }
}

function writeConfig({ port, mockPort, folder }: { port: number; mockPort: number; folder: string }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 8192; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  keepalive_requests 1000000000;
  upstream mock {
    server 127.0.0.1:${mockPort};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`
}

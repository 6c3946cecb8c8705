import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createConnection } from 'node:net'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './freePort'

/** A real IMAP server with mailboxes of its own. */
export interface Dovecot {
  port: number
  /** Where its mail lies: a Maildir a mailbox, by its address. */
  mail: string
  /** The password of every mailbox. */
  password: string
  /** Ends it, as a machine that fails would; its mail stays. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its mail. */
  close(): Promise<void>
}

const PROGRAM = process.env.DOVECOT_PATH ?? 'dovecot'

/** What the program calls itself, e.g. 2.3.19.1; null where there is none. */
function versionOf(): string | null {
  const { status, stdout } = spawnSync(PROGRAM, ['--version'], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : null
}

/** Whether the machine has the server; where tests have to be whole, a missing one is a fault. */
export function hasDovecot(): boolean {
  const has = versionOf() !== null
  if (!has && process.env.CI) throw new Error('There is no dovecot: install dovecot-imapd, or name it in DOVECOT_PATH.')
  return has
}

/** One password, mail in a folder. A server that root starts does its work as nobody. */
const configuration = (folder: string, port: number, password: string, introspection: string | null): string => {
  const { username } = userInfo()
  const [user, group] = username === 'root' ? ['nobody', 'nogroup'] : [username, username]
  const isNewer = !(versionOf() ?? '').startsWith('2.3')
  const differing = isNewer
    ? `
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ${folder}/mail/%{user}
${
  introspection === null
    ? ''
    : `auth_mechanisms = plain xoauth2 oauthbearer
oauth2 {
  introspection_mode = get
  introspection_url = ${introspection}
  username_attribute = email
}
passdb oauth2 {
  mechanisms_filter = xoauth2 oauthbearer
}
`
}passdb static {
  password = ${password}
}
userdb static {
  fields {
    uid = ${user}
    gid = ${group}
    home = ${folder}/mail/%{user}
  }
}`
    : `
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
${
  introspection === null
    ? ''
    : `auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
`
}passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}`
  // the version of the language is its first word since 2.4
  return `${isNewer ? 'dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0' : ''}
base_dir = ${folder}/base
state_dir = ${folder}/state
log_path = ${folder}/log
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
ssl = no
listen = 127.0.0.1
first_valid_uid = 1
default_process_limit = 1000
default_client_limit = 5000
mail_max_userip_connections = 100
${isNewer ? 'protocols {\n  imap = yes\n}' : 'protocols = imap'}${differing}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
  mailbox Archive {
    auto = create
    special_use = \\Archive
  }
}
`
}

/**
 * Starts a server on a free port of loopback.
 * @param introspection where it asks whose an access token is (RFC 7662, the token at its end); mailboxes sign in by tokens as well then
 */
export async function startDovecot(introspection: string | null = null): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o777)
  const port = await freePort()
  const password = 'correct-horse'
  const path = join(folder, 'dovecot.conf')
  await writeFile(path, configuration(folder, port, password, introspection))
  const asked = `introspection_mode = get\nintrospection_url = ${introspection}\nusername_attribute = email\n`
  if (introspection !== null) await writeFile(join(folder, 'oauth2.conf'), asked)
  let running: ChildProcess | null = null
  const start = async (): Promise<void> => {
    running = spawn(PROGRAM, ['-F', '-c', path], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    })
    for (let tries = 0; tries < 200; tries += 1) {
      if (await answers(port)) return
      await new Promise((wake) => setTimeout(wake, 50))
    }
    throw new Error(`dovecot does not answer; see ${folder}/log`)
  }
  const stop = async (): Promise<void> => {
    const ended = running
    running = null
    if (!ended || ended.exitCode !== null) return
    const gone = new Promise((wake) => ended.once('exit', wake))
    ended.kill('SIGTERM')
    await gone
  }
  await start()
  return {
    ...{ port, password, start, stop, mail: join(folder, 'mail') },
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
